// Where pages made from bundles are written: anywhere but in a bundle, since that would break its seal.
import { liesIn } from '../bundle/lies-in.ts';
import { messageOf, problem } from '../model/problem.ts';
import type { Terminal } from './command.ts';
import { writeOutput } from './write-output.ts';

/** Writes a file, with its folders, and says its path on standard output or standard error. */
export type PageTarget = (path: string, text: string) => Promise<void>;

/**
 * @param folders of the bundles that are read
 * @returns rejects with ProblemError `bad-option` for a path in one of them, `output-not-writable`
 */
export const createPageTarget = (folders: readonly string[], { secrets }: Terminal, say: Terminal['write']): PageTarget =>
  async (path, text) => {
    for (const folder of folders)
      if (await liesIn(path, folder))
        throw problem('scenario', 'bad-option', `${path} lies in the bundle ${folder}, which is never changed`, { hint: 'name a file beside it' });
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
