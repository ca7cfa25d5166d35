// The one word that formats for programs are made from says the same as the exit code.
import { expect, it } from 'vitest';
import { EXIT, exitCode } from '../model/exit-code.ts';
import type { ScenarioOutcome } from '../model/verdict.ts';
import { endOf, runOf, SET } from './fixtures/set.ts';
import { reportedCells } from './reported-cells.ts';
import { headline, statusOf } from './status.ts';
import type { Status } from './status.ts';

const CODES: Readonly<Record<Status, number>> = {
  passed: EXIT.passed,
  known: EXIT.passed,
  failed: EXIT.failed,
  inconclusive: EXIT.inconclusive,
  error: EXIT.error,
  interrupted: EXIT.interrupted,
  untestable: EXIT.inconclusive,
  'does-not-apply': EXIT.nothing,
};

const known = [{ violates: ['a'], issue: 'https://example.org/1' }];
const MORE = [
  runOf('known/and-unclear', { outcome: 'failed', claims: { a: 'violated', b: 'inconclusive' }, run: { known } }),
  runOf('known/alone', { outcome: 'failed', claims: { a: 'violated', b: 'does-not-apply' }, run: { known } }),
  runOf('known/and-new', { outcome: 'failed', claims: { a: 'violated', b: 'violated' }, run: { known } }),
  runOf('fixed/but-unclear', { outcome: 'inconclusive', claims: { a: 'held', b: 'inconclusive' }, run: { known } }),
  ...(['error', 'interrupted'] as const).map((outcome: ScenarioOutcome) => runOf(`broken/${outcome}`, { outcome, claims: {} })),
];

it.each([false, true])('is what the exit code of it alone says, strict: %s', (strict) => {
  for (const summary of [...SET, ...MORE]) {
    expect([summary.scenario, CODES[statusOf(summary, strict)]]).toEqual([summary.scenario, exitCode([summary], strict)]);
  }
});

it('has a line for each that is not empty and no longer than a line', () => {
  for (const summary of [...SET, ...MORE])
    expect(headline(summary, statusOf(summary))).toMatch(/^(passed|[a-z -]+: .{1,480}|interrupted before .*|error)$/);
});

it('takes the worst of several attempts, in whatever order they ended', () => {
  const cells = reportedCells(endOf(SET.toReversed()));
  expect(cells.find(({ cell }) => cell === 'drain/flaky')).toMatchObject({
    isFlaky: true,
    worst: { status: 'failed', summary: { attempt: 2 } },
    tookMs: 3_702,
  });
  expect(cells.map(({ cell }) => cell)).toEqual(cells.map(({ cell }) => cell).toSorted());
});
