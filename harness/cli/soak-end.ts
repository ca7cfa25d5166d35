// The end of a night, in the order of what is missed most: the history that all later nights compare with, the data, the pages, and the
// report at the terminal, which is written whatever else could not be.
import { join } from 'node:path';
import { writeAtomically } from '../bundle/atomic.ts';
import type { SoakNight } from '../model/soak.ts';
import type { Disk } from '../plan/soak/disk.ts';
import { appendHistory, HISTORY_FILE, historyText } from '../plan/soak/history.ts';
import type { HistoryLine } from '../plan/soak/history.ts';
import { bytesBesideRuns } from '../plan/soak/keeping.ts';
import { bytesSoFar, forgetSoFar } from '../plan/soak/so-far.ts';
import { soakMarkdown } from '../reports/soak/markdown.ts';
import { soakPage } from '../reports/soak/page.ts';
import { soakText } from '../reports/soak/text.ts';
import { NIGHT_FILE } from './soak-nights.ts';
import { MARKDOWN_FILE, PAGE_FILE } from './soak-pages.ts';

export type EndedNight = {
  readonly root: string;
  readonly folder: string;
  readonly report: SoakNight;
  readonly lines: readonly HistoryLine[];
  readonly write: (text: string) => void;
};

/** What is written into the folder of the night, by name. */
const PAGES: Readonly<Record<string, (report: SoakNight) => string>> = {
  [NIGHT_FILE]: (report) => `${JSON.stringify(report)}\n`, [MARKDOWN_FILE]: soakMarkdown, [PAGE_FILE]: soakPage,
};

const BLOCK_BYTES = 4_096;
const onDisk = (text: string): number => Math.ceil(Buffer.byteLength(text) / BLOCK_BYTES) * BLOCK_BYTES;
/** Making room for pages makes them say so: a line, and bundles that are no more. */
const ALLOWANCE_BYTES = 64 * 1_024;

const lengthOf = (page: (report: SoakNight) => string, report: SoakNight): number => {
  try {
    return onDisk(page(report));
  } catch {
    // It will not be written either; the end of the night says why.
    return 0;
  }
};

/**
 * Makes room for what the end of a night writes, and counts it: from now on what is said to be kept is all there will be. Of violations one is
 * left in any case.
 * @returns whether there is room; pages are written even so
 */
export const roomForPages = async (disk: Disk, { folder, report, lines }: Pick<EndedNight, 'folder' | 'report' | 'lines'>): Promise<boolean> => {
  const pages = Object.values(PAGES).reduce((sum, page) => sum + lengthOf(page, report), onDisk(historyText(lines)));
  const bytes = (await bytesBesideRuns(folder)) + pages;
  const hasRoom = await disk.makeRoom(bytes + ALLOWANCE_BYTES, 1);
  disk.addPages(bytes - (await bytesSoFar(folder)));
  return hasRoom;
};

/** Tries each of them, whatever became of the one before. @throws what went wrong first, when all were tried */
export const endNight = async ({ root, folder, report, lines, write }: EndedNight): Promise<void> => {
  const steps: readonly (() => unknown)[] = [
    async () => {
      await appendHistory(join(root, HISTORY_FILE), lines);
      await forgetSoFar(folder);
    },
    ...Object.entries(PAGES).map(([name, page]) => () => writeAtomically(join(folder, name), page(report))),
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
