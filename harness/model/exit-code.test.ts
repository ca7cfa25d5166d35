// The order of mixed results, and what known violations do to it.
import { expect, it } from 'vitest';
import { exitCode, exitCodeOf } from './exit-code.ts';
import type { ScenarioOutcome } from './verdict.ts';

const codeOf = (...outcomes: ScenarioOutcome[]): number => exitCode(outcomes.map((outcome) => ({ outcome })));

it.each<[number, ScenarioOutcome[]]>([
  [0, ['passed']],
  [0, ['passed', 'does-not-apply']],
  [1, ['passed', 'failed', 'inconclusive', 'error']],
  [2, ['passed', 'inconclusive', 'does-not-apply']],
  [3, ['inconclusive', 'error', 'passed']],
  [5, []],
  [5, ['does-not-apply', 'does-not-apply']],
  [130, ['failed', 'interrupted', 'error']],
])('is %i for %j', (code, outcomes) => {
  expect(codeOf(...outcomes)).toBe(code);
  expect(codeOf(...outcomes.toReversed())).toBe(code);
});

it('is 0 where only known violations are left, and 1 under strict', () => {
  const known = { outcome: 'failed', beyondKnown: 'passed', hasListed: true } as const;
  expect(exitCode([known])).toBe(0);
  expect(exitCode([known], true)).toBe(1);
  expect(exitCode([{ outcome: 'failed', beyondKnown: 'does-not-apply', hasListed: true }])).toBe(0);
});

it('does not let a known violation hide what else was found', () => {
  expect(exitCode([{ outcome: 'failed', beyondKnown: 'failed', hasListed: true }])).toBe(1);
  expect(exitCode([{ outcome: 'failed', beyondKnown: 'inconclusive', hasListed: true }])).toBe(2);
});

it('is 1 under strict where a known violation has been fixed', () => {
  const fixed = { outcome: 'passed', beyondKnown: 'passed', hasListed: true } as const;
  expect(exitCode([fixed])).toBe(0);
  expect(exitCode([fixed], true)).toBe(1);
});

it('blames the user for scenario problems only', () => {
  expect(exitCodeOf([{ family: 'environment' }])).toBe(3);
  expect(exitCodeOf([{ family: 'harness' }])).toBe(3);
  expect(exitCodeOf([{ family: 'environment' }, { family: 'scenario' }])).toBe(4);
});
