// Says what is waited for when nothing has moved for a while: each sentence once, since a log is read later and whoever
// looks at it has seen the first.
import type { Lack } from './room.ts';

const QUIET_MS = 2_000;

export type WaitState = {
  /** The first in the queue, and how many wait behind it. */
  readonly name: string;
  readonly others: number;
  readonly lack: Lack | null;
  readonly running: number;
  /** MiB that it takes, and what is left for it. */
  readonly memory: number;
  readonly memoryLeft: number;
  /** Who has the lock that it lacks. */
  readonly holder: string;
};

const mebibytes = (count: number): string => (count < 2_048 ? `${Math.max(0, count)} MiB` : `${(count / 1_024).toFixed(1)} GiB`);

const whatFor = ({ lack, running, memory, memoryLeft, holder }: WaitState): string => {
  switch (lack?.of) {
    case 'places':
      return `for a place beside the ${running} that run (--jobs)`;
    case 'memory':
      return `for memory: it takes ${mebibytes(memory)}, and what runs leaves ${mebibytes(memoryLeft)} of what may be taken`;
    case 'free-memory':
      return `for memory: it takes ${mebibytes(memory)}, and the machine has ${mebibytes(memoryLeft)} free for it just now`;
    case 'starting':
      return 'for a processor to start on: others are starting';
    case 'lock':
      return `for the lock "${lack.name}", held by ${holder}`;
    default:
      return 'behind one that has waited longer and needs the same';
  }
};

/** One line for people. */
export const waitLine = (state: WaitState): string =>
  `waiting: ${state.name}${state.others > 0 ? ` (and ${state.others} more)` : ''}, ${whatFor(state)}`;

/** The same kind of wait of the same one is said once; for places once at all. */
const keyOf = ({ name, lack, holder }: WaitState): string => (lack?.of === 'places' ? 'places' : JSON.stringify([name, lack, holder]));

export type WaitWords = {
  /** Something was let in, has started or has ended. */
  readonly moved: () => void;
  readonly stop: () => void;
};

/** @param look who waits now; null: nobody */
export const createWaitWords = (tell: ((line: string) => void) | undefined, look: () => WaitState | null): WaitWords => {
  const told = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearTimeout(timer);
  const later = (): void => {
    stop();
    if (tell) timer = setTimeout(say, QUIET_MS).unref();
  };
  const say = (): void => {
    const state = look();
    if (state === null) return;
    if (!told.has(keyOf(state))) tell?.(waitLine(state));
    told.add(keyOf(state));
    later();
  };
  return { moved: later, stop };
};
