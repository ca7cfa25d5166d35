// What a command reads is never written over: a bundle, its archive, a file of claims; and nothing is written into any bundle, read
// or not. By links too, and whatever the user forces.
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bundleAround, inBundle, realPath, withFoldersAbove } from '../bundle/lies-in.ts';
import { problem } from '../model/problem.ts';

const HINT = 'name a file beside it';

const changed = async (path: string, input: string): Promise<Error> =>
  (await stat(input).catch(() => null))?.isDirectory() === true
    ? inBundle(path, input, HINT)
    : problem('scenario', 'bad-option', `${path} is what is read, which is never changed`, { hint: HINT });

/** By where each really is. */
const resolved = async (inputs: Iterable<string>): Promise<ReadonlyMap<string, string>> => {
  const all = new Map<string, string>();
  for (const input of inputs) all.set(await realPath(input), input);
  return all;
};

/**
 * For many files of one command: what is read is looked up once, and each folder that is written to once.
 * @param inputs folders and files that are read, absolute
 * @returns rejects with ProblemError `bad-option` for a file that would change one of them, or lie in another bundle
 */
export const createKeeper = (inputs: readonly string[]): ((path: string) => Promise<void>) => {
  let read: ReturnType<typeof resolved> | undefined;
  const bundles = new Map<string, ReturnType<typeof bundleAround>>();
  return async (path) => {
    const known = await (read ??= resolved(new Set(inputs)));
    const real = await realPath(path);
    const place = withFoldersAbove(real).find((folder) => known.has(folder));
    if (place !== undefined) throw await changed(path, known.get(place)!);
    const folder = dirname(real);
    const found = bundles.get(folder) ?? bundleAround(folder);
    bundles.set(folder, found);
    const bundle = await found;
    if (bundle !== null) throw inBundle(path, bundle, HINT);
  };
};

/** For one file. @param path absolute. @throws ProblemError `bad-option` */
export const keepInputs = (path: string, inputs: readonly string[]): Promise<void> => createKeeper(inputs)(path);
