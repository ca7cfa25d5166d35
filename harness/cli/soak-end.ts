// The end of a night, in the order of what is missed most: the history that all later nights compare with, the data, the pages, and the
// report at the terminal, which is written whatever else could not be.
import { join } from 'node:path';
import { writeAtomically } from '../bundle/atomic.ts';
import type { SoakNight } from '../model/soak.ts';
import { appendHistory, HISTORY_FILE } from '../plan/soak/history.ts';
import type { HistoryLine } from '../plan/soak/history.ts';
import { forgetSoFar } from '../plan/soak/so-far.ts';
import { soakMarkdown } from '../reports/soak/markdown.ts';
import { soakPage } from '../reports/soak/page.ts';
import { soakText } from '../reports/soak/text.ts';
import { NIGHT_FILE } from './soak-nights.ts';

export type EndedNight = {
  readonly root: string;
  readonly folder: string;
  readonly report: SoakNight;
  readonly lines: readonly HistoryLine[];
  readonly write: (text: string) => void;
};

/** Tries each of them, whatever became of the one before. @throws what went wrong first, when all were tried */
export const endNight = async ({ root, folder, report, lines, write }: EndedNight): Promise<void> => {
  const steps: readonly (() => unknown)[] = [
    async () => {
      await appendHistory(join(root, HISTORY_FILE), lines);
      await forgetSoFar(folder);
    },
    () => writeAtomically(join(folder, NIGHT_FILE), `${JSON.stringify(report)}\n`),
    () => writeAtomically(join(folder, 'soak.md'), soakMarkdown(report)),
    () => writeAtomically(join(folder, 'soak.html'), soakPage(report)),
    () => write(soakText(report, folder)),
  ];
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
};
