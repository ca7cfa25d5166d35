// The control of a cell: the same up to the leave, then the client stays. What closes there closes by itself.
import { createHash } from 'node:crypto';
import type { Cell } from './cell.ts';
import { atLongest } from './draw.ts';

/** What a control depends on; cells with the same key share one control. */
export const controlKey = (cell: Cell): string =>
  createHash('sha256')
    .update(
      JSON.stringify({
        card: cell.card.key,
        runtime: cell.runtime,
        defects: cell.defects,
        settings: cell.settings,
        upstreams: cell.upstreams,
        behaviours: cell.behaviours,
        instances: cell.scenario.system.instances,
        clocks: cell.scenario.system.clocks,
        served: Object.fromEntries(Object.entries(cell.scenario.clients).map(([name, { instance }]) => [name, instance])),
        // Who pays decides what a system does: an account without money left would end the control early.
        accounts: Object.fromEntries(Object.entries(cell.scenario.clients).map(([name, { account }]) => [name, account])),
        scripts: Object.fromEntries(Object.entries(cell.scripts).map(([name, script]) => [name, beforeLeaving(script)])),
      }),
    )
    .digest('hex')
    .slice(0, 12);

/** A script up to its leave. */
export const beforeLeaving = (script: Cell['scripts'][string]): Cell['scripts'][string] => {
  const index = script.findIndex((step) => step.kind === 'disconnect');
  return index < 0 ? script : script.slice(0, index);
};

/** The control of a cell: the same up to the leave, then the client stays; nothing is stopped, nothing claimed. */
export const controlOf = (cell: Cell, staysMs: number): Cell => ({
  ...cell,
  id: `control/${controlKey(cell)}`,
  of: cell.id,
  claims: [],
  faults: [],
  // Whatever each of those that share it has drawn, it is not earlier with what may close by itself.
  scripts: Object.fromEntries(Object.entries(atLongest(cell).scripts).map(([name, script]) => [name, beforeLeaving(script)])),
  facts: { ...cell.facts, leaves: [], stopsAt: null },
  staysMs,
});
