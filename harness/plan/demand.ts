// What a cell takes beside others: its system's weight for each instance, the locks of its card and of its scenario.
import { joinLocks } from '../scenario/locks.ts';
import type { Cell } from '../systems/cell.ts';
import { titleOf } from '../systems/cell.ts';
import { weightOf } from '../systems/instances.ts';
import { hasNoSystem, needsNoStage } from '../systems/no-system.ts';
import type { Demand } from './schedule.ts';

export const demandOf = (cell: Cell): Demand => ({
  ...(hasNoSystem(cell.card) ? { cpu: 1, memoryBytes: 0 } : weightOf(cell)),
  ...(needsNoStage(cell) ? { hasNoStage: true } : {}),
  name: titleOf(cell),
  locks: joinLocks(cell.card.locks ?? [], cell.scenario.locks ?? []),
});
