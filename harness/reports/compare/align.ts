// Two runs are laid over each other at a moment that both have: that of a mark. Without one they begin together, and that is said.
import { didYouMean } from '../../model/nearest.ts';
import { problem } from '../../model/problem.ts';
import type { Timeline } from '../../model/timeline.ts';
import type { CompareInput } from './comparison.ts';

/** `mark` null: both from their begin. */
export type Alignment = { readonly mark: string | null; readonly aMs: number; readonly bMs: number };

const namesOf = (timeline: Timeline): readonly string[] => [...new Set(timeline.of('mark').map(({ mark }) => mark))];

/** Leaves first, in the order in which they happened in the first run. */
const commonMark = (a: CompareInput, b: CompareInput): string | undefined => {
  const inB = new Set(namesOf(b.input.timeline));
  const both = namesOf(a.input.timeline).filter((mark) => inB.has(mark));
  const leaves = new Set(a.input.resolved.judged.facts.leaves.map(({ mark }) => mark));
  return both.find((mark) => leaves.has(mark)) ?? both[0];
};

const beginOf = ({ input: { timeline } }: CompareInput): number => timeline.phase('drive').beginMs ?? 0;

/**
 * @param at a mark's name; null: the first leave that both have
 * @throws ProblemError `unknown-mark`
 */
export const align = (a: CompareInput, b: CompareInput, at: string | null): Alignment => {
  const mark = at ?? commonMark(a, b);
  if (mark === undefined) return { mark: null, aMs: beginOf(a), bMs: beginOf(b) };
  const timeOf = ({ input: { timeline }, name }: CompareInput): number => {
    const found = timeline.mark(mark);
    if (found) return found.atMs;
    throw problem('scenario', 'unknown-mark', `${name} has no mark "${mark}"`, { hint: didYouMean(mark, namesOf(timeline), 'it has') });
  };
  return { mark, aMs: timeOf(a), bMs: timeOf(b) };
};
