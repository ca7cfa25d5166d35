// What the report of a night is made from: who had no turn, and what is known of it.
import { expect, test } from 'vitest';
import { createDisk } from './disk.ts';
import { nightReport } from './night-report.ts';
import { createTally, note } from './tally.ts';
import type { Tally, Told } from './tally.ts';

const tallyOf = (cell: string, ...runs: readonly Pick<Told, 'outcome' | 'status'>[]): Tally => {
  const tally = createTally(cell, 'router');
  for (const run of runs) note(tally, { cell, system: 'router', tookMs: 5, folder: null, seen: [], ...run });
  return tally;
};

const reportOf = (tallies: readonly Tally[], planned: readonly string[]) =>
  nightReport({
    end: { tallies, readings: { questions: () => [], notAsked: () => null }, outages: [], rounds: 1, tookMs: 1, endedEarly: null, fault: null, largestAtOnce: 0, lives: null } as never,
    planned, history: { nights: 0, of: () => null, has: () => false, note: null }, disk: createDisk(1), night: 'n', startedAt: '', budgetMs: 1, seed: 1, runtime: 'process', why: '', version: '', jobs: 1, doesNotApply: [], exitCode: 0,
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
