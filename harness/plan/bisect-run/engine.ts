// The door to the mathematics: what was recorded along one line in, what to run next and how sure it is out.
import type { Recorded } from '../bisect/answer.ts';
import { massBetween, observe, startPosterior } from '../bisect/posterior.ts';

export type Advice = {
  /** Versions to be run side by side now, one entry a run; none: nothing more is to be learnt. */
  readonly next: readonly number[];
  readonly verdict: 'ends' | 'searching' | 'found' | 'range' | 'no-difference';
  /** Of each version: how likely it is the first bad one. */
  readonly likely: readonly number[] | null;
  readonly lastGood: number | null;
  readonly firstBad: number | null;
  readonly confidence: number | null;
  readonly rates: { readonly good: number; readonly bad: number } | null;
};

export const advise = (recorded: readonly Recorded[], versions: number, confidence: number, count: number): Advice => {
  const dead = new Set(recorded.filter(({ answer }) => answer === 'untestable').map(({ version }) => version));
  const posterior = recorded.reduce((known, { version, answer }) => (answer === 'good' || answer === 'bad' ? observe(known, version, answer === 'bad') : known), startPosterior(versions));
  const likely = Array.from({ length: versions }, (_, version) => (version === 0 ? 0 : massBetween(posterior, version - 1, version)));
  const alive = Array.from({ length: versions }, (_, version) => version).filter((version) => !dead.has(version));
  const groups = alive.slice(1).map((version, index) => ({ from: alive[index]!, to: version, mass: massBetween(posterior, alive[index]!, version) }));
  const best = groups.toSorted((a, b) => b.mass - a.mass)[0];
  const base = { likely, lastGood: null, firstBad: null, confidence: null, rates: null };
  if (posterior.sameMass > confidence) return { ...base, next: [], verdict: 'no-difference', confidence: posterior.sameMass };
  if (best && best.mass > confidence)
    return { ...base, next: [], verdict: best.to - best.from === 1 ? 'found' : 'range', lastGood: best.from, firstBad: best.to, confidence: best.mass };
  const ends = recorded.filter(({ version }) => version === 0 || version === versions - 1).length;
  if (ends < 2) return { ...base, next: [0, versions - 1], verdict: 'ends' };
  const below = (version: number): number => massBetween(posterior, 0, version) / (1 - posterior.sameMass || 1);
  const inOrder = alive.toSorted((a, b) => Math.abs(below(a) - 0.5) - Math.abs(below(b) - 0.5));
  return { ...base, next: inOrder.slice(0, count), verdict: 'searching' };
};
