// One search at a time in one folder: two would write over each other's answers. A lock whose holder is dead holds nobody.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problem } from '../model/problem.ts';
import { isAlive, startTimeOf } from '../runtimes/processes.ts';

const holderOf = (file: string): number | null => {
  try {
    const [pid, startTime] = readFileSync(file, 'utf8').trim().split(' ');
    return isAlive(Number(pid)) && startTimeOf(Number(pid)) === startTime ? Number(pid) : null;
  } catch {
    return null;
  }
};

/**
 * Taken until it is disposed of, or this process ends.
 * @throws ProblemError `bisect-running`
 */
export const lockFolder = (folder: string): Disposable => {
  const file = join(folder, 'lock');
  const mine = `${process.pid} ${startTimeOf(process.pid)}\n`;
  for (let turn = 0; ; turn += 1) {
    try {
      writeFileSync(file, mine, { flag: 'wx' });
      return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = holderOf(file);
      if (holder !== null || turn > 2)
        throw problem('scenario', 'bisect-running', `another hangup (process ${holder}) is at work on this search in ${folder}`, {
          hint: 'wait for it, end it, or give another folder with --output',
        });
      rmSync(file, { force: true });
    }
  }
};
