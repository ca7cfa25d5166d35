// Which cells need a control, and how long it must stay: one run per combination, shared by all
// cells that differ only in how their client leaves.
import { beforeLeaving, controlKey, controlOf } from '../systems/control-cell.ts';
import type { Cell } from '../systems/cell.ts';
import { registries } from '../scenario/registries.ts';

/** Slack for a control whose exchange began a little later in its run than the cell's did. */
const ALLOWANCE_MS = 1_500;

const claimsNeeding = (cell: Cell): Cell['claims'] =>
  cell.claims.filter(({ kind, notApplicable }) => notApplicable === null && registries.expectations.get(kind)?.usesControl === true);

/** Only a leave that puts something on the wire can be what closed the upstream. */
export const needsControl = (cell: Cell): boolean =>
  claimsNeeding(cell).length > 0 &&
  cell.facts.leaves.some(({ how }) => how !== 'vanish') &&
  Object.values(cell.scripts).some((script) => beforeLeaving(script).length < script.length);

const staysMs = (cell: Cell): number =>
  Math.max(0, ...claimsNeeding(cell).map(({ options }) => (typeof options.within === 'number' ? options.within : 0))) +
  2 * cell.facts.marginMs +
  ALLOWANCE_MS;

/** The controls of these cells, by key; each stays long enough for all that share it. */
export const controlsOf = (cells: readonly Cell[]): ReadonlyMap<string, Cell> => {
  const byKey = Map.groupBy(cells.filter(needsControl), controlKey);
  return new Map([...byKey].map(([key, sharing]) => [key, controlOf(sharing[0]!, Math.max(...sharing.map(staysMs)))]));
};
