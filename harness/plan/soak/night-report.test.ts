// What the report of a night is made from: who had no turn, and what is known of it.
import { expect, test } from 'vitest';
import { createDisk } from './disk.ts';
import { nightReport } from './night-report.ts';
import { createTally, note } from './tally.ts';
import type { Tally, Told } from './tally.ts';

const tallyOf = (cell: string, ...runs: readonly (Pick<Told, 'outcome' | 'status'> & Partial<Told>)[]): Tally => {
  const tally = createTally(cell, 'router');
  for (const run of runs) note(tally, { cell, system: 'router', tookMs: 5, folder: null, seen: [], fixed: [], ...run });
  return tally;
};

const reportOf = (tallies: readonly Tally[], planned: readonly string[], disk = createDisk(1)) =>
  nightReport({
    end: { tallies, readings: { questions: () => [], notAsked: () => null }, outages: [], rounds: 1, tookMs: 1, endedEarly: null, fault: null, largestAtOnce: 0, lives: null } as never,
    planned, history: { nights: 0, of: () => null, has: () => false, note: null }, disk, night: 'n', startedAt: '', budgetMs: 1, seed: 1, runtime: 'process', why: '', version: '', jobs: 1, doesNotApply: [], exitCode: 0,
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
