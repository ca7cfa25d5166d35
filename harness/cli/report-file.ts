// Files of reporters: written whole or not at all, and what an earlier invocation left is no report of this one.
import { rm } from 'node:fs/promises';
import { keepBundles } from '../bundle/lies-in.ts';
import { messageOf, problem } from '../model/problem.ts';
import { isSpecial, writeOutput } from './write-output.ts';

const refuse = (kind: string, path: string, cause: unknown): Error =>
  problem('environment', 'report-not-written', `the file of reporter ${kind} cannot be written: ${messageOf(cause)}`, {
    hint: `${path} was to be written; give another one with --reporter ${kind}=path`,
    cause,
  });

/** Before anything is started: removes what is there. @throws ProblemError `report-not-written` where nothing could be written later, `bad-option` in a bundle */
export const prepareReportFile = async (kind: string, path: string): Promise<void> => {
  await keepBundles(path, `name a file beside it by --reporter ${kind}=path`);
  try {
    if (await isSpecial(path)) return;
    await writeOutput(path, '');
    await rm(path, { force: true });
  } catch (error) {
    throw refuse(kind, path, error);
  }
};

/** @throws ProblemError `report-not-written` */
export const writeReportFile = (kind: string, path: string, text: string): Promise<void> =>
  writeOutput(path, text).catch((error: unknown) => {
    throw refuse(kind, path, error);
  });
