// When nothing more is begun.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ScenarioResult } from '../model/exit-code.ts';
import type { Kept } from '../run/keep.ts';
import { createKeeper } from './keep.ts';
import { codeWithout, createLimits } from './run-limits.ts';

const KEPT: Kept = { cell: 'a', violated: [], listen: '', addresses: {}, ways: [], ledger: null, folder: '/a', evidence: null, file: '/a/kept' };
const FAILED: ScenarioResult = { outcome: 'failed' };
const KNOWN: ScenarioResult = { outcome: 'failed', beyondKnown: 'passed', hasListed: true };
const OTHERS: readonly ScenarioResult[] = [{ outcome: 'passed' }, { outcome: 'inconclusive' }, { outcome: 'does-not-apply' }, KNOWN];

const asked = (wish: { maxFailures?: number; untilFailure?: boolean; strict?: boolean }) => {
  const results: ScenarioResult[] = [];
  const { whyNoMore: why } = createLimits({ maxFailures: null, untilFailure: false, strict: false, ...wish }, () => results);
  return { why, results };
};

test('without a limit nothing stops', () => {
  const { why, results } = asked({});
  results.push(FAILED, FAILED);
  expect(why()).toBeNull();
});

test('violations and errors count, and nothing else does', () => {
  const { why, results } = asked({ maxFailures: 2 });
  results.push(...OTHERS, FAILED);
  expect(why()).toBeNull();
  results.push({ outcome: 'error' });
  expect(why()).toBe('2 runs had failed (--max-failures 2)');
  expect(why()).toBe('2 runs had failed (--max-failures 2)');
});

test('known violations count where they are to fail', () => {
  const { why, results } = asked({ maxFailures: 1, strict: true });
  results.push(KNOWN);
  expect(why()).toBe('1 run had failed (--max-failures 1)');
});

test('until something fails: one is enough', () => {
  const { why, results } = asked({ untilFailure: true });
  results.push(...OTHERS);
  expect(why()).toBeNull();
  results.push(FAILED);
  expect(why()).toContain('--until-failure');
});

test.each([['passes', { outcome: 'passed' }, null], ['has only what is known', KNOWN, null], ['fails', FAILED, 'something has failed (--until-failure)']] as const)(
  'while one is kept the others are held back, not refused: it %s',
  async (_, result, why) => {
    const results: ScenarioResult[] = [];
    const keeper = createKeeper({ keep: 'always' }, { cwd: '/', writeError: () => {} })!;
    const limits = createLimits({ maxFailures: null, untilFailure: true, strict: false }, () => results, keeper);
    await limits.holdBack();
    keeper.keeping.take();
    keeper.keeping.show(KEPT);
    const told: (string | null)[] = [];
    const held = limits.holdBack().then(() => told.push(limits.whyNoMore()));
    // Another attempt of the same cell, which nobody waits for; then it is over, and has no result yet.
    keeper.ended(KEPT.cell);
    keeper.keeping.isOver();
    await setImmediate();
    expect([told, limits.whyNoMore()]).toEqual([[], null]);
    results.push(result);
    keeper.ended(KEPT.cell);
    await held;
    expect(told).toEqual([why]);
    await limits.holdBack();
  },
);

test('one that is kept holds nobody back where its failure would still be allowed', async () => {
  const keeper = { isUp: () => true, untilEnded: () => Promise.reject(new Error('it was waited for')) };
  const limitsOf = (maxFailures: number | null) => createLimits({ maxFailures, untilFailure: false, strict: false }, () => [], keeper);
  await limitsOf(null).holdBack();
  await limitsOf(2).holdBack();
  await expect(limitsOf(1).holdBack()).rejects.toThrow('waited for');
});

test('what was never begun is no pass, and takes nothing from what is worse', () => {
  expect([0, 5, 1, 3, 130].map((code) => codeWithout(1, code))).toEqual([2, 2, 1, 3, 130]);
  expect([0, 5].map((code) => codeWithout(0, code))).toEqual([0, 5]);
});
