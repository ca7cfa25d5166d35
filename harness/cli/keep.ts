// `hangup run --keep`: the first run that is caught stays up, and how to get at it is printed.
import { relative } from 'node:path';
import { shellWord } from '../reports/rerun.ts';
import { columns, oneLine } from '../reports/text.ts';
import type { Kept, Keeping } from '../run/keep.ts';
import type { Terminal } from './command.ts';
import type { RunOptions } from './run-options.ts';

export type Keeper = {
  readonly keeping: Keeping;
  /** One is up, or is over and has no result yet. */
  readonly isUp: () => boolean;
  /** Resolves when the one that is up has its result; at once where none is. */
  readonly untilEnded: () => Promise<void>;
  /** A run of this cell has its result. */
  readonly ended: (cell: string) => void;
};

const ALL_THE_WAY = 4_000;

export const keptText = (kept: Kept, cwd: string): string => {
  const why = kept.violated.length === 0 ? 'asked for by --keep=always' : `violated: ${kept.violated.join(', ')}`;
  const shortened = kept.evidence === null ? null : relative(cwd, kept.evidence);
  const rows: readonly (readonly [string, string])[] = [
    ['serves at', `${kept.listen}, in its stage`],
    ['addresses', Object.entries(kept.addresses).map(([name, address]) => `${name} ${address}`).join(', ')],
    ...kept.ways.map(({ what, how }) => [what, how] as const),
    ...(kept.ledger === null ? [] : [['ledger', kept.ledger] as const]),
    ['stage', kept.folder],
    ...(shortened === null ? [] : [['evidence', `${shortened.startsWith('..') ? kept.evidence : shortened}, sealed when this is over`] as const]),
    ['to end it', `rm ${shellWord(kept.file)}    (Ctrl-C ends it too, and leaves out what is still to be asked)`],
  ];
  const lines = columns(rows.map((row) => row.map((text) => oneLine(text, ALL_THE_WAY))));
  return [`hangup: ${oneLine(kept.cell)} is left up (${oneLine(why)})`, ...lines.map((line) => `  ${line}`), ''].join('\n');
};

/** @returns null where nothing is to be kept */
export const createKeeper = ({ keep }: Pick<RunOptions, 'keep'>, { cwd, writeError }: Pick<Terminal, 'cwd' | 'writeError'>): Keeper | null => {
  if (keep === null) return null;
  let isTaken = false;
  let isUp = false;
  let isOver = false;
  let cell: string | null = null;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => {
    isUp = false;
    resolve();
  };
  return {
    isUp: () => isUp,
    untilEnded: async () => (isUp ? promise : undefined),
    // Another attempt of the same cell may end while it is up.
    ended: (ofCell) => (isOver && ofCell === cell ? end() : undefined),
    keeping: {
      when: keep,
      take: () => {
        if (isTaken) return false;
        isUp = true;
        return (isTaken = true);
      },
      show: (kept) => {
        cell = kept.cell;
        writeError(keptText(kept, cwd));
      },
      isOver: () => {
        isOver = true;
        // It could not be shown: nobody knows whose result to wait for.
        if (cell === null) end();
      },
    },
  };
};
