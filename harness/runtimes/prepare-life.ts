// What is installed and built is begun before there is a stage, by tools that start others. All of it ends with the harness, however
// that ends: the tool itself by the kernel's doing, what it has started by its mark, and the folder that is not whole by a guard.
import { randomBytes } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { marksOf } from './environment.ts';
import { guardOf } from './guard.ts';
import { deathSignal } from './isolation.ts';
import { killAll, pidsWithEnvironment } from './processes.ts';

const newId = (): string => randomBytes(5).toString('hex');

/** Of all that this process prepares, as that of a run. */
const RUN_ID = newId();
/** What is being born while others are ended is there the next time. */
const PASSES = 5;

/** One install, or a step of a build. */
export type Preparing = {
  /** For its environment: what it starts is found again by them. */
  readonly marks: Readonly<Record<string, string>>;
  /** Ends whoever still carries them: a daemon that a build leaves behind would be in nobody's stage. */
  readonly end: () => void;
};

export const beginPreparing = (): Preparing => {
  const marks = marksOf(RUN_ID, newId());
  const endOne = (): boolean => {
    const found = pidsWithEnvironment(marks);
    killAll(found);
    return found.length > 0;
  };
  return {
    marks,
    end: () => {
      for (let pass = 0; process.platform === 'linux' && pass < PASSES && endOne(); pass += 1);
    },
  };
};

/** A folder that is removed with the harness, unless it is forgotten: it is whole then, or removed already. */
export const notePrepared = (folder: string): { readonly forget: () => void } => guardOf(RUN_ID).addFolder(folder);

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

type Where = { readonly cwd: string; readonly env: NodeJS.ProcessEnv };

const isFound = (program: string, { cwd, env }: Where): boolean =>
  program.includes('/') ? isProgram(resolve(cwd, program)) : (env['PATH'] ?? '').split(delimiter).some((folder) => isProgram(resolve(cwd, folder, program)));

/**
 * `deathSignal` for a command with an environment of its own; none where it is not there, so that this is told as ever.
 * @param signal TERM where it is to put away its own locks
 */
export const diesWithUs = (signal: 'KILL' | 'TERM', program: string, where: Where): readonly string[] =>
  isFound('setpriv', where) && isFound(program, where) ? deathSignal(signal) : [];
