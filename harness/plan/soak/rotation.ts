// In which order a soak goes through its cells: by rounds, each shuffled by the seed, so that every scenario has its turn before one has
// its second, and none always stands behind the same neighbour. Cells that share a control stay together.
import { createRandom } from '../../model/random.ts';
import { controlKey } from '../../systems/control-cell.ts';
import type { Cell } from '../../systems/cell.ts';
import { needsControl } from '../controls.ts';
import { phasesOf } from '../explain-lengths.ts';

/** What is begun together: cells that one control is for, or one alone. */
export type Group = { readonly key: string; readonly cells: readonly Cell[]; /** Of the night, when it was begun. */ readonly startedMs?: number };

export const groupsOf = (cells: readonly Cell[]): readonly Group[] =>
  [...Map.groupBy(cells, (cell) => (needsControl(cell) ? `control ${controlKey(cell)}` : cell.id))].map(([key, all]) => ({ key, cells: all }));

/** One after the other, which is the longest that it may take, with a control as long as the longest of them. */
export const plannedMsOf = ({ cells }: Group): number => {
  const all = cells.map((cell) => phasesOf(cell).reduce((sum, { plannedMs }) => sum + (plannedMs ?? 0), 0));
  return all.reduce((sum, ms) => sum + ms, Math.max(0, ...all));
};

export type Rotation = {
  /** The next group that is not under way; undefined where all that are left in this round are. */
  readonly next: (isUnderWay: (key: string) => boolean) => Group | undefined;
  /** It could not be begun: it is the next again. */
  readonly putBack: (group: Group) => void;
  /** Rounds that were begun. */
  readonly rounds: () => number;
};

export const createRotation = (groups: readonly Group[], seed: number): Rotation => {
  let left: Group[] = [];
  let rounds = 0;
  return {
    rounds: () => rounds,
    putBack: (group) => void left.unshift(group),
    next: (isUnderWay) => {
      if (left.length === 0 && groups.length > 0) {
        rounds += 1;
        const { shuffled } = createRandom(seed, 'round', rounds);
        left = shuffled(groups).map(({ key, cells }) => ({ key, cells: shuffled(cells) }));
      }
      // Twice at once would be two runs under one name.
      const index = left.findIndex(({ key }) => !isUnderWay(key));
      return index < 0 ? undefined : left.splice(index, 1)[0];
    },
  };
};
