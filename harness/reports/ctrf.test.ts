// CTRF against its published schema, as the reference implementation (npm ctrf) ships and applies it.
import { validate } from 'ctrf';
import { describe, expect, it } from 'vitest';
import { renderCtrf } from './ctrf.ts';
import { endOf, HOSTILE_SET, SET } from './fixtures/set.ts';

type Test = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly status: string;
  readonly steps: readonly Record<string, unknown>[];
};
type Report = { readonly results: { readonly summary: Readonly<Record<string, number>>; readonly tests: readonly Test[] } };

const ENDS = [
  ['one of each kind', endOf(SET)],
  ['hostile', endOf(HOSTILE_SET)],
  ['nothing', endOf([], { folder: null })],
  ['a single bundle', { summaries: SET.slice(0, 1), exitCode: 1, tookMs: 12.5, folder: null }],
] as const;

const report = (end: (typeof ENDS)[number][1]): Report => JSON.parse(renderCtrf(end, { cwd: '/', environment: {} })) as Report;

describe.each(ENDS)('a report of %s', (_, end) => {
  it('is valid', () => {
    expect(validate(report(end))).toMatchObject({ valid: true });
  });

  it('counts what is in it', () => {
    const { summary, tests } = report(end).results;
    const count = (status: string): number => tests.filter((test) => test.status === status).length;
    expect(summary).toMatchObject({
      tests: tests.length,
      pending: 0,
      ...Object.fromEntries(['passed', 'failed', 'skipped', 'other'].map((status) => [status, count(status)])),
    });
    expect(summary.flaky).toBe(tests.filter(({ flaky }) => flaky).length);
  });
});

it('would be told of a mistake: the check checks', () => {
  const { results, ...rest } = report(ENDS[0][1]);
  expect(validate({ ...rest, results: { ...results, tests: [{ ...results.tests[0], status: 'inconclusive' }] } })).toMatchObject({
    valid: false,
  });
});

it.each([
  ['disconnect/endless[how=rst]', 'passed', 'passed'],
  ['disconnect/endless[how=fin]', 'failed', 'failed'],
  ['disconnect/silent', 'skipped', 'known'],
  ['judges/wrongly', 'failed', 'failed'],
  ['drain/unclear', 'other', 'inconclusive'],
  ['start/broken', 'other', 'error'],
  ['start/elsewhere', 'skipped', 'does-not-apply'],
])('%s is %s, in our words %s', (cell, status, rawStatus) => {
  expect(report(ENDS[0][1]).results.tests.find(({ name }) => name === cell)).toMatchObject({ status, rawStatus, testId: cell });
});

it('keeps every attempt: the worst is the test, the others are its retries, and a flaky one stays failed', () => {
  const test = report(ENDS[0][1]).results.tests.find(({ name }) => name === 'drain/flaky')!;
  expect(test).toMatchObject({ status: 'failed', flaky: true, retries: 2, extra: { attempt: 2 } });
  expect(test.retryAttempts).toMatchObject([
    { attempt: 1, status: 'passed' },
    { attempt: 3, status: 'other', message: 'error: problem unexpected: out of ink', extra: { rawStatus: 'error' } },
  ]);
});

it('has claims as steps, known ones failed only where they count', () => {
  const known = SET.filter(({ cell }) => cell === 'disconnect/silent' || cell === 'disconnect/finite');
  const statuses = (strict: boolean): unknown =>
    report(endOf(known, { start: { scenarios: [], runtime: 'process', why: '', strict } })).results.tests.map(({ status, steps }) => [
      status,
      steps.map((step) => step.status),
    ]);
  expect(statuses(false)).toEqual([
    ['passed', ['passed']],
    ['skipped', ['skipped', 'passed']],
  ]);
  expect(statuses(true)).toEqual([
    ['failed', ['failed']],
    ['failed', ['failed', 'passed']],
  ]);
});
