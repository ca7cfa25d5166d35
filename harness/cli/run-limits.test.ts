// When nothing more is begun.
import { expect, test } from 'vitest';
import type { ScenarioResult } from '../model/exit-code.ts';
import { createLimits } from './run-limits.ts';

const FAILED: ScenarioResult = { outcome: 'failed' };
const KNOWN: ScenarioResult = { outcome: 'failed', beyondKnown: 'passed', hasListed: true };
const OTHERS: readonly ScenarioResult[] = [{ outcome: 'passed' }, { outcome: 'inconclusive' }, { outcome: 'does-not-apply' }, KNOWN];

const asked = (wish: { maxFailures?: number; untilFailure?: boolean; strict?: boolean }, isKept = false) => {
  const results: ScenarioResult[] = [];
  const why = createLimits({ maxFailures: null, untilFailure: false, strict: false, ...wish }, () => results, () => isKept);
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

test('until something fails: one is enough, also one that is still up', () => {
  const { why, results } = asked({ untilFailure: true });
  results.push(...OTHERS);
  expect(why()).toBeNull();
  results.push(FAILED);
  expect(why()).toContain('--until-failure');
  expect(asked({ untilFailure: true }, true).why()).toContain('--until-failure');
});
