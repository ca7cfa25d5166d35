// Folders for what is gone again when a command ends. That there may be none is the machine's fault, and is said so.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, problem } from '../model/problem.ts';

/** A fresh one in the temporary folder. @throws ProblemError `output-not-writable` */
export const makeScratchFolder = (prefix: string): Promise<string> =>
  mkdtemp(join(tmpdir(), prefix)).catch((cause: unknown) => {
    throw problem('environment', 'output-not-writable', `nothing can be put into the temporary folder ${tmpdir()}: ${messageOf(cause)}`, {
      hint: 'name another by TMPDIR',
      cause,
    });
  });
