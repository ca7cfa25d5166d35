// What a night's exit code says, and in which order.
import { expect, test } from 'vitest';
import { nightCode } from './soak-code.ts';
import type { NightFound } from './soak-code.ts';

const PASSED = { outcome: 'passed' } as const;
const FAILED = { outcome: 'failed' } as const;
const CUT = { outcome: 'interrupted' } as const;
const GROWS = { of: 'router', outcome: 'grows' } as const;
const WE_GROW = { of: 'hangup', outcome: 'grows' } as const;

const code = (changed: Partial<NightFound>): number =>
  nightCode({ results: [PASSED], trends: [], notReached: 0, wasStopped: false, endedEarly: false, strict: false, ...changed });

test('a scenario that was selected and had no turn has not passed', () => {
  expect([code({}), code({ notReached: 1 }), code({ notReached: 1, wasStopped: true, endedEarly: true })]).toEqual([0, 2, 2]);
  expect([code({ results: [] }), code({ results: [], notReached: 1 })]).toEqual([5, 2]);
});

test('a night that could not go on is an error, one that was told to stop says what was found, and nothing hides a violation', () => {
  expect([code({ endedEarly: true }), code({ endedEarly: true, wasStopped: true }), code({ endedEarly: true, results: [FAILED] })]).toEqual([3, 0, 1]);
  expect([code({ trends: [GROWS] }), code({ trends: [WE_GROW] }), code({ trends: [WE_GROW], results: [FAILED] }), code({ trends: [WE_GROW], notReached: 1 })]).toEqual([1, 3, 1, 3]);
  expect([code({ results: [CUT], wasStopped: true, notReached: 1 }), code({ results: [CUT, PASSED], wasStopped: true })]).toEqual([130, 0]);
});
