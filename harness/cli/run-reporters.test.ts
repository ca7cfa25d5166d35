// Reporters beside each other: all are told the same, and one that breaks is alone with it.
import { expect, onTestFinished, test } from 'vitest';
import type { CellResult } from '../plan/run-cell.ts';
import { definition as json } from '../reports/json.ts';
import { cellWith } from '../systems/fixture.ts';
import { controlOf } from '../systems/control-cell.ts';
import type { RunEnd } from '../reports/reporter.ts';
import { openReporters } from './run-reporters.ts';
import { testTerminal } from './test-terminal.ts';

const CELL = cellWith();
const result = (outcome: CellResult['outcome'], attempt = 1): CellResult => ({
  cell: CELL,
  attempt,
  folder: `e/${attempt}`,
  outcome,
  verdicts: [],
  problems: [],
  tookMs: 5,
});
const START = { scenarios: [CELL.id], runtime: 'process', why: 'asked for' };

test('one that is not known is refused with the nearest', () => {
  expect(() => openReporters(['jsno'], testTerminal().terminal)).toThrow('there is no reporter "jsno"');
});

test('each is told once, also when it was asked for twice', () => {
  const { terminal, out } = testTerminal();
  const reporters = openReporters(['json', 'json'], terminal);
  reporters.begin(START);
  reporters.result(result('passed'));
  reporters.end(0, 10, 'e');
  expect(JSON.parse(out())).toMatchObject({
    exitCode: 0,
    folder: 'e',
    flaky: [],
    summaries: [{ scenario: 'disconnect/small', outcome: 'passed' }],
  });
});

test('every attempt is shown as one, and one that passed after another failed makes the scenario flaky', () => {
  const { terminal, out } = testTerminal();
  const reporters = openReporters(['terminal'], terminal, 10);
  reporters.begin(START);
  reporters.phase(CELL, 'prepare', 2);
  reporters.phase(CELL, 'prepare', 1);
  reporters.result(result('passed', 2));
  reporters.result(result('failed', 1));
  reporters.end(1, 10, 'e');
  expect(reporters.results().map(({ outcome }) => outcome)).toEqual(['passed', 'failed']);
  expect(out()).toContain('started  disconnect/small (attempt 02 of 10)\n');
  expect(out()).toContain('failed  disconnect/small (attempt 01 of 10)  5 ms\n');
  expect(out()).toContain('\nFlaky:\n  disconnect/small: failed, passed\n');
});

test('a control is shown by the cell that it was made from, and leaves the running lines when it is over', () => {
  const { terminal, out } = testTerminal({ isTerminal: true });
  const reporters = openReporters(['terminal'], terminal, 2);
  const control = controlOf(CELL, 1_000);
  reporters.begin(START);
  reporters.phase(control, 'drive', 1);
  expect(out()).toContain('  drive        control of disconnect/small\n');
  const before = out().length;
  reporters.control(control);
  expect(out().slice(before)).toBe('\u001b[1A\u001b[0J');
  expect(reporters.results()).toEqual([]);
});

test('one that throws is said once, and keeps nobody from theirs', () => {
  const { terminal, out, err } = testTerminal();
  const { open } = json;
  const broken = {
    ...json,
    open: (output: Parameters<typeof open>[0]) => ({
      begin: () => {
        throw new Error('out of ink');
      },
      end: (end: RunEnd) => open(output).end(end),
    }),
  };
  Object.assign(json, { open: broken.open });
  onTestFinished(() => void Object.assign(json, { open }));
  const reporters = openReporters(['json', 'terminal'], terminal);
  reporters.begin(START);
  reporters.begin(START);
  expect(err()).toBe('hangup: a reporter failed: out of ink\n');
  expect(out()).toContain('1 scenario on runtime process: asked for');
  expect(reporters.hasFailed()).toBe(true);
});
