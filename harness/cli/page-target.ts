// Where pages made from bundles are written: anywhere but in a bundle, since that would break its seal, and not over its archive.
import { messageOf, problem } from '../model/problem.ts';
import type { Terminal } from './command.ts';
import type { FoundBundle } from './found-bundles.ts';
import { createKeeper } from './keep-inputs.ts';
import { writeOutput } from './write-output.ts';

/** Writes a file, with its folders, and says its path on standard output or standard error. */
export type PageTarget = (path: string, text: string) => Promise<void>;

/**
 * @param read the bundles that are read
 * @returns rejects with ProblemError `bad-option` for a path in a bundle or of an archive that is read, `output-not-writable`
 */
export const createPageTarget = (read: readonly FoundBundle[], { secrets }: Terminal, say: Terminal['write']): PageTarget => {
  const keep = createKeeper(read.flatMap(({ folder, path: named }) => [folder, named]));
  return async (path, text) => {
    await keep(path);
    try {
      await writeOutput(path, secrets.shown.text(text));
    } catch (cause) {
      throw problem('environment', 'output-not-writable', `${path} cannot be written: ${messageOf(cause)}`, {
        hint: 'name another file or folder',
        cause,
      });
    }
    say(`${path}\n`);
  };
};
