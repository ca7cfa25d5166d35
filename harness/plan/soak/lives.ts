// Which system lives long, and when: one at a time beside the other runs, each of a card's turn, with another scenario each time.
import { createRandom } from '../../model/random.ts';
import type { Cell } from '../../systems/cell.ts';
import { longLifeOf, whyNotRepeated } from './long-life.ts';
import type { Group } from './rotation.ts';

/** `begun`: it was; one for which there was no room is the next again. @returns true */
export type Life = { readonly group: Group; readonly forMs: number; readonly begun: () => true };

export type Lives = {
  /** The next life, where none is under way and there is time for one. */
  readonly next: (isUnderWay: (key: string) => boolean) => Life | undefined;
  /** Why there is none, or null; in one line. */
  readonly said: () => string | null;
};

const KEY = 'long life';
/** Shorter ones show nothing that a run would not. */
export const SHORTEST_LIFE_MS = 3 * 60_000;
/** For its start, its claims and its end. */
const AROUND_MS = 60_000;

export const createLives = (cells: readonly Cell[], forMs: number | null, seed: number, leftMs: () => number): Lives => {
  const fit = cells.filter((cell) => whyNotRepeated(cell) === null);
  const byCard = [...Map.groupBy(fit, ({ card }) => card.key)].map(([key, all]) => createRandom(seed, 'lives', key).shuffled(all));
  let begun = 0;
  return {
    next: (isUnderWay) => {
      const lastsMs = Math.min(forMs ?? 0, leftMs() - AROUND_MS);
      if (byCard.length === 0 || lastsMs < SHORTEST_LIFE_MS || isUnderWay(KEY)) return undefined;
      const cellsOfCard = byCard[begun % byCard.length]!;
      const cell = cellsOfCard[Math.floor(begun / byCard.length) % cellsOfCard.length]!;
      return {
        group: { key: KEY, cells: [longLifeOf({ ...cell, countsDescriptors: true }, lastsMs)] }, forMs: lastsMs,
        begun: () => {
          begun += 1;
          return true;
        },
      };
    },
    said: () => {
      if (begun > 0) return null;
      if (forMs === null) return 'no system was driven for long: that takes a --live other than none, and two --jobs or more';
      if (fit.length === 0) return 'no system was driven for long: no scenario can be repeated on one system';
      return 'no system was driven for long: the time was too short, or there was no room for it within --keep-disk';
    },
  };
};
