// The controls that the runs of a search share: one for each version, until one has left a run open.
import type { CellResult } from '../plan/run-cell.ts';
import type { Control } from '../plan/run-plan.ts';
import type { Cell } from '../systems/cell.ts';
import { controlKey } from '../systems/control-cell.ts';

export type Controls = {
  /** By key, for whoever runs the cells. */
  readonly controls: Map<string, Control>;
  /** Of the control that is begun next; bundles are named by it. */
  readonly attemptOf: (cell: Cell) => number;
  readonly of: (cell: Cell) => Control | undefined;
  /** @param control of this run, where it has one */
  readonly ended: (cell: Cell, control: Control | undefined, outcome: CellResult['outcome']) => Promise<void>;
};

/**
 * A control that broke, or in which something lagged, would leave every run of its version open, and the version would be given up: the next run
 * has one of its own.
 */
export const createControls = (): Controls => {
  const controls = new Map<string, Control>();
  const replaced = new Map<string, number>();
  return {
    controls,
    attemptOf: (cell) => 1 + (replaced.get(controlKey(cell)) ?? 0),
    of: (cell) => controls.get(controlKey(cell)),
    ended: async (cell, control, outcome) => {
      if (control === undefined || ((await control.timeline) !== null && outcome !== 'inconclusive')) return;
      const key = controlKey(cell);
      // Another run may have replaced it already.
      if (controls.get(key) !== control) return;
      controls.delete(key);
      replaced.set(key, (replaced.get(key) ?? 0) + 1);
    },
  };
};
