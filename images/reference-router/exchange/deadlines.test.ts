// Which bounds count in which phase, and that the nearest one wins.
import { expect, test } from 'vitest';
import { BOUNDS, deadlinesOf, nextDeadline } from './deadlines.ts';
import type { Limits } from './deadlines.ts';
import { createFacts, phaseOf } from './facts.ts';
import type { Facts } from './facts.ts';

const limits = Object.fromEntries(BOUNDS.map((bound, index) => [bound, 100 * (index + 1)])) as Limits;
const waiting: Facts = { ...createFacts(1_000, 1_010), sentAtMs: 1_020 };
const streaming: Facts = { ...waiting, headAtMs: 2_000, lastByteAtMs: 2_500, progressAtMs: 2_200 };
const bounds = (facts: Facts): readonly string[] => deadlinesOf(facts, limits).map((deadline) => deadline.bound).sort();

test.for<[string, Facts, readonly string[]]>([
  ['queued', createFacts(1_000, 1_010), ['age', 'header', 'lifetime']],
  ['header-wait', waiting, ['age', 'header', 'lifetime']],
  ['streaming', streaming, ['age', 'lifetime', 'progress', 'read']],
  ['blocked', { ...streaming, blockedSinceMs: 2_600 }, ['age', 'lifetime', 'send']],
  ['draining', { ...streaming, leftAtMs: 2_600 }, ['age', 'drain', 'lifetime', 'progress', 'read']],
  ['flushing', { ...streaming, upstreamEnded: true, blockedSinceMs: 2_600 }, ['age', 'lifetime', 'send']],
])('%s', ([phase, facts, expected]) => {
  expect(phaseOf(facts)).toBe(phase);
  expect(bounds(facts)).toEqual(expected);
});

test('each counts from its own origin', () => {
  const at = Object.fromEntries(deadlinesOf({ ...streaming, leftAtMs: 2_600 }, limits).map(({ bound, atMs }) => [bound, atMs]));
  expect(at).toEqual({
    lifetime: 1_000 + limits.lifetime,
    age: 1_010 + limits.age,
    read: 2_500 + limits.read,
    progress: 2_200 + limits.progress,
    drain: 2_600 + limits.drain,
  });
});

test('the nearest comes first; none is none', () => {
  const nearest = { bound: 'age', atMs: 3 } as const;
  expect(nextDeadline([{ bound: 'read', atMs: 5 }, nearest, { bound: 'send', atMs: 4 }])).toBe(nearest);
  expect(nextDeadline([])).toBeNull();
});
