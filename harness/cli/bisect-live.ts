// A search as it goes on: a page that the browser reads again by itself, and a line on the terminal that is rewritten in place. Where
// there is no terminal each run that ends is a line, so that a log can be read.
import { join } from 'node:path';
import { writeAtomically } from '../bundle/atomic.ts';
import { renderBisect } from '../reports/bisect/page.ts';
import { probeLine, statusLine } from '../reports/bisect/text.ts';
import type { BisectView } from '../reports/bisect/view.ts';
import type { Terminal } from './command.ts';

/** The page is written so often at most. */
const EVERY_MS = 1_000;

export type Live = {
  /** Something has changed; `view` is asked when it is shown. */
  readonly changed: () => void;
  /** A line that stays. */
  readonly say: (line: string) => void;
  /** Writes the page for the last time. */
  readonly end: () => Promise<void>;
};

/** By this name `hangup open` finds it. */
export const STATUS_PAGE = 'index.html';

/** @param known so many runs are of an earlier time, and are not told again */
export const createLive = (terminal: Terminal, folder: string, known: number, view: () => BisectView): Live => {
  const { writeError, isTerminal, columns, secrets } = terminal;
  let isDrawn = false;
  let told = known;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let lostWhy: string | null = null;
  let isOver = false;

  const erase = (): void => {
    if (isDrawn) writeError('\r\u001b[2K');
    isDrawn = false;
  };
  const draw = (now: BisectView): void => {
    if (!isTerminal || isOver) return;
    writeError(statusLine(now).slice(0, Math.max(20, columns - 1)));
    isDrawn = true;
  };
  const tellProbes = (now: BisectView): void => {
    for (const probe of now.probes.slice(told)) writeError(`${probeLine(probe)}\n`);
    told = now.probes.length;
  };
  const writePage = (isLive: boolean): Promise<void> => {
    writing = writing.then(() => writeAtomically(join(folder, STATUS_PAGE), secrets.shown.text(renderBisect(view(), isLive)))).catch((error: unknown) => {
      // The search itself is worth more than its page; it is said once.
      if (lostWhy === null) say(`the status page cannot be written: ${(error as Error).message}`);
      lostWhy = String(error);
    });
    return writing;
  };
  const say = (line: string): void => {
    erase();
    writeError(`${line}\n`);
    draw(view());
  };
  return {
    say,
    changed: () => {
      if (isOver) return;
      const now = view();
      erase();
      tellProbes(now);
      draw(now);
      timer ??= setTimeout(() => {
        timer = undefined;
        void writePage(true);
      }, EVERY_MS);
    },
    end: async () => {
      isOver = true;
      clearTimeout(timer);
      erase();
      tellProbes(view());
      await writePage(false);
    },
  };
};
