// Files of reporters: written whole or not at all, and what an earlier invocation left is no report of this one.
import { lstat, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeAtomically } from '../bundle/atomic.ts';
import { makeFolder } from '../bundle/make-folder.ts';
import { messageOf, problem } from '../model/problem.ts';

/** What is no plain file (a device, a pipe, a link) is written to: it must not be replaced. */
const isSpecial = async (path: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => null);
  return found !== null && !found.isFile() && !found.isDirectory();
};

const write = async (path: string, text: string): Promise<void> => {
  await makeFolder(dirname(path));
  await ((await isSpecial(path)) ? writeFile(path, text) : writeAtomically(path, text));
};

const refuse = (kind: string, path: string, cause: unknown): Error =>
  problem('environment', 'report-not-written', `the file of reporter ${kind} cannot be written: ${messageOf(cause)}`, {
    hint: `${path} was to be written; give another one with --reporter ${kind}=path`,
    cause,
  });

/** Before anything is started: removes what is there. @throws ProblemError `report-not-written` where nothing could be written later */
export const prepareReportFile = async (kind: string, path: string): Promise<void> => {
  try {
    if (await isSpecial(path)) return;
    await write(path, '');
    await rm(path, { force: true });
  } catch (error) {
    throw refuse(kind, path, error);
  }
};

/** @throws ProblemError `report-not-written` */
export const writeReportFile = (kind: string, path: string, text: string): Promise<void> =>
  write(path, text).catch((error: unknown) => {
    throw refuse(kind, path, error);
  });
