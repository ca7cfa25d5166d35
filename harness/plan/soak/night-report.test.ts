// What the report of a night is made from: who had no turn, and what is known of it.
import { expect, test } from 'vitest';
import { createDisk } from './disk.ts';
import type { History, Past } from './history.ts';
import { nightReport } from './night-report.ts';
import { createTally, note } from './tally.ts';
import type { Tally, Told } from './tally.ts';

const tallyOf = (cell: string, ...runs: readonly (Pick<Told, 'outcome' | 'status'> & Partial<Told>)[]): Tally => {
  const tally = createTally(cell, 'router');
  for (const run of runs) note(tally, { cell, system: 'router', tookMs: 5, folder: null, seen: [], fixed: [], ...run });
  return tally;
};

const NO_HISTORY: History = { nights: 0, of: () => null, has: () => false, note: null };

const reportOf = (tallies: readonly Tally[], planned: readonly string[], disk = createDisk(1), history = NO_HISTORY) =>
  nightReport({
    end: { tallies, readings: { questions: () => [], notAsked: () => null }, outages: [], rounds: 1, tookMs: 1, endedEarly: null, fault: null, largestAtOnce: 0, lives: null } as never,
    planned, history, disk, night: 'n', startedAt: '', budgetMs: 1, seed: 1, runtime: 'process', why: '', version: '', jobs: 1, doesNotApply: [], exitCode: 0,
  });

test('a scenario whose only run was cut had no turn; an error and a known violation are one', () => {
  const tallies = [
    tallyOf('cut', { outcome: 'interrupted', status: 'interrupted' }), tallyOf('broken', { outcome: 'error', status: 'error' }),
    tallyOf('listed', { outcome: 'failed', status: 'known' }, { outcome: 'interrupted', status: 'interrupted' }),
  ];
  const { notReached, cells } = reportOf(tallies, ['cut', 'broken', 'listed', 'late']);
  expect(notReached).toEqual(['cut', 'late']);
  expect(cells.find(({ cell }) => cell === 'listed')).toMatchObject({ known: 1, notPassed: { count: 0, of: 1 } });
});

test('what is listed as known counts as fixed where it held in every run that was judged, and only there', () => {
  const held = { outcome: 'passed', status: 'passed', fixed: ['upstream-closed'] } as const;
  const { cells } = reportOf([
    tallyOf('always', held, held, { outcome: 'interrupted', status: 'interrupted' }), tallyOf('once', held, { outcome: 'failed', status: 'known' }), tallyOf('never', { outcome: 'passed', status: 'passed' }),
  ], []);
  expect(Object.fromEntries(cells.map(({ cell, fixed }) => [cell, fixed]))).toEqual({ always: ['upstream-closed'], once: [], never: [] });
});

test('of a pass that is one but for known violations its words say so', () => {
  const disk = createDisk(1_000);
  const tally = createTally('listed', 'router');
  for (const [place, status] of (['known', 'passed'] as const).entries()) {
    const folder = `/n/runs/${place}/listed`;
    disk.keep({ folder, bytes: 1, worth: status, order: place });
    note(tally, { cell: 'listed', system: 'router', outcome: status === 'known' ? 'failed' : 'passed', status, tookMs: 1, folder, seen: [], fixed: [] });
  }
  expect(reportOf([tally], [], disk).cells[0]!.kept.map(({ because }) => because)).toEqual(['the first that passed but for known violations', 'the last that passed']);
});

test('each scenario is compared with its own past, and what is more often is told wherever it ends up in the order', () => {
  const times = (count: number, status: 'passed' | 'failed') => Array.from({ length: count }, () => ({ outcome: status, status }));
  const tallies = [tallyOf('worse', ...times(30, 'passed'), ...times(10, 'failed')), tallyOf('as-ever', ...times(20, 'failed'), ...times(20, 'passed')), tallyOf('first', ...times(9, 'failed'))];
  const past = (notPassed: number): Past => ({ nights: 5, judged: 200, notPassed, medianMs: null, since: new Map(), latest: [] });
  const history = { ...NO_HISTORY, nights: 5, of: (_system: string, _runtime: string, cell: string) => (cell === 'first' ? null : past(cell === 'worse' ? 0 : 100)) };
  const { cells } = reportOf(tallies, [], createDisk(1), history);
  expect(cells.map(({ cell, change }) => [cell, change])).toEqual([['first', null], ['as-ever', null], ['worse', 'more often']]);
});

test('what earlier nights saw is gone where a run was concluded without it, and not where none could be', () => {
  const past = { nights: 5, judged: 20, notPassed: 9, medianMs: null, since: new Map(), latest: [{ fingerprint: 'upstream-closed@1', words: 'still open' }] } as never;
  const history = { ...NO_HISTORY, nights: 5, of: () => past };
  const { cells } = reportOf([
    tallyOf('passes', { outcome: 'passed', status: 'passed' }, { outcome: 'inconclusive', status: 'inconclusive' }), tallyOf('blind', { outcome: 'inconclusive', status: 'inconclusive' }),
    tallyOf('broken', { outcome: 'error', status: 'error' }),
  ], [], createDisk(1), history);
  expect(Object.fromEntries(cells.map(({ cell, gone }) => [cell, gone]))).toEqual({ passes: ['still open'], blind: [], broken: [] });
});
