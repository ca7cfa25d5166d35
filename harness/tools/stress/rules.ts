// What a run under stress may say: never a claim held that its defect must violate, never one violated on the clean
// system. Saying nothing is allowed, and counted.
import type { CellResult } from '../../plan/run-cell.ts';

/** Of each scenario: the claims held on a clean run (`docs/held-claims.json`). */
export type Held = Readonly<Record<string, readonly string[]>>;

export type Outcomes = { readonly runs: number; readonly inconclusive: number; readonly wrong: readonly string[] };

/** @param defect the one that was planted, or null */
export const wrongVerdicts = ({ cell, verdicts, problems }: CellResult, defect: string | null): readonly string[] => {
  const name = `${defect ?? 'clean'}, ${cell.id}`;
  const broken = problems.map(({ message }) => `${name}: ${message}`);
  if (defect === null)
    return [
      ...broken,
      ...verdicts.filter(({ outcome }) => outcome === 'violated').map(({ id, reason }) => `${name}: ${id} is violated: ${reason}`),
    ];
  const must = cell.scenario.catches[defect] ?? [];
  const isHeld = (claim: string): boolean => {
    const own = verdicts.filter((verdict) => verdict.claim === claim);
    return own.length > 0 && own.every(({ outcome }) => outcome === 'held');
  };
  return [...broken, ...must.filter(isHeld).map((claim) => `${name}: ${claim} is held`)];
};

/** Claims of a clean run on a quiet machine that are not exactly those of the list. */
export const heldOtherwise = ({ cell, verdicts }: CellResult, listed: Held): readonly string[] => {
  const held = verdicts.filter(({ outcome }) => outcome === 'held').map(({ id }) => id);
  const wanted = listed[cell.id] ?? [];
  return [
    ...wanted.filter((id) => !held.includes(id)).map((id) => `${cell.id}: ${id} was not held`),
    ...held.filter((id) => !wanted.includes(id)).map((id) => `${cell.id}: ${id} was held, and is not in the list`),
  ];
};
