// What a cell takes beside others: its system's weight for each instance, the locks of its card and of its scenario.
import { joinLocks } from '../scenario/locks.ts';
import type { Cell } from '../systems/cell.ts';
import { titleOf } from '../systems/cell.ts';
import { weightOf } from '../systems/instances.ts';
import type { Demand } from './schedule.ts';

export const demandOf = (cell: Cell): Demand => ({
  ...weightOf(cell),
  name: titleOf(cell),
  locks: joinLocks(cell.card.locks ?? [], cell.scenario.locks ?? []),
});
