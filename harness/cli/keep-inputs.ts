// What a command reads is never written over: a bundle, its archive, a file of claims. By links too, and whatever the user forces.
import { stat } from 'node:fs/promises';
import { liesIn } from '../bundle/lies-in.ts';
import { problem } from '../model/problem.ts';

/**
 * @param path where something is to be written, absolute
 * @param inputs folders and files that are read, absolute
 * @throws ProblemError `bad-option` where it would change one of them
 */
export const keepInputs = async (path: string, inputs: readonly string[]): Promise<void> => {
  for (const input of inputs) {
    if (!(await liesIn(path, input))) continue;
    const isFolder = (await stat(input).catch(() => null))?.isDirectory() === true;
    const what = isFolder ? `lies in the bundle ${input}` : 'is what is read';
    throw problem('scenario', 'bad-option', `${path} ${what}, which is never changed`, { hint: 'name a file beside it' });
  }
};
