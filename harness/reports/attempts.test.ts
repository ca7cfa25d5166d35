// Attempts beside each other: mixed outcomes are named, and stay what they were.
import { expect, test } from 'vitest';
import type { ScenarioOutcome } from '../model/verdict.ts';
import { flakyOf } from './attempts.ts';
import { definition as terminal } from './terminal.ts';

const attempts = (scenario: string, ...outcomes: readonly ScenarioOutcome[]) => outcomes.map((outcome, index) => ({ scenario, attempt: index + 1, outcome }));

test('passed after failed is flaky, and so is failed after passed, in the order of the attempts', () => {
  const all = [...attempts('a', 'failed', 'passed', 'passed').toReversed(), ...attempts('b', 'passed', 'failed')];
  expect(flakyOf(all)).toEqual([{ scenario: 'a', outcomes: ['failed', 'passed', 'passed'] }, { scenario: 'b', outcomes: ['passed', 'failed'] }]);
});

test('what always failed, always passed, or once concluded nothing is not', () => {
  expect(flakyOf([...attempts('a', 'failed', 'failed'), ...attempts('b', 'passed', 'passed'), ...attempts('c', 'passed', 'inconclusive', 'error'), ...attempts('d', 'failed')])).toEqual([]);
});

test('is said at the end', () => {
  let text = '';
  const output = { write: (more: string) => { text += more; }, isTerminal: false, columns: 100, hasColour: false };
  terminal.open(output).end({ summaries: [], flaky: [{ scenario: 'a[how=fin]', outcomes: ['failed', 'passed'] }], exitCode: 1, tookMs: 1, folder: null });
  expect(text).toContain('\nFlaky:\n  a[how=fin]: failed, passed\n');
});
