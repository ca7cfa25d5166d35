// Snapshots around leaves: which are taken, when, and for whom; a crowd costs one, and none comes after the end.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ProbeName } from '../model/samples.ts';
import { createLeaveSnapshots, dueAfterLeave } from './leave-snapshots.ts';

const PERIODS = { renewalMs: 500, leaseMs: 1_500, sweepMs: 1_000 };
const ALL: readonly ProbeName[] = ['ledger', 'sockets', 'process'];

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const watched = (periods = PERIODS as Parameters<typeof dueAfterLeave>[0], probes = ALL) => {
  const taken: string[] = [];
  const leaves = createLeaveSnapshots(periods, probes, async (probe, mark) => void taken.push(`${probe} ${mark ?? '-'}`));
  return { ...leaves, taken };
};

test('before a leave every probe looks, the sockets first; a lease later again, and when a sweep has followed', async () => {
  const { beforeLeave, taken } = watched();
  await beforeLeave('gone');
  const atOnce = ['sockets gone', 'ledger gone', 'process gone'];
  expect(taken).toEqual(atOnce);
  vi.advanceTimersByTime(1_499);
  expect(taken).toEqual(atOnce);
  vi.advanceTimersByTime(1);
  expect(taken.slice(3)).toEqual(['ledger gone+lease', 'sockets gone+lease', 'process gone+lease']);
  vi.advanceTimersByTime(1_000);
  expect(taken.slice(6)).toEqual(['ledger gone+sweep', 'sockets gone+sweep', 'process gone+sweep']);
  vi.advanceTimersByTime(60_000);
  expect(taken).toHaveLength(9);
});

test('only the later looks may be left out where they could do harm', async () => {
  const harmless: string[] = [];
  const { beforeLeave } = createLeaveSnapshots(PERIODS, ALL, async (_, mark, onlyHarmless = false) => void (onlyHarmless && harmless.push(mark!)));
  await beforeLeave('gone');
  expect(harmless).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(harmless).toEqual([...Array(3).fill('gone+lease'), ...Array(3).fill('gone+sweep')]);
});

test('nobody waits for a ledger that is locked', async () => {
  const taken: string[] = [];
  const { beforeLeave } = createLeaveSnapshots({}, ALL, (probe) => {
    taken.push(probe);
    return probe === 'sockets' ? Promise.resolve() : new Promise(() => {});
  });
  await beforeLeave('gone');
  expect(taken).toEqual(ALL.toSorted((a, b) => Number(b === 'sockets') - Number(a === 'sockets')));
});

test('a hundred that leave at one moment are one snapshot, under whatever marks', async () => {
  const { beforeLeave, taken } = watched({});
  await Promise.all(Array.from({ length: 100 }, (_, index) => beforeLeave(index % 2 === 0 ? 'gone' : 'gone-too')));
  expect(taken).toEqual(['sockets gone', 'ledger gone', 'process gone']);
});

test('of copies that leave one by one only the first is a snapshot; the sockets are looked at before each', async () => {
  const { beforeLeave, taken } = watched();
  for (let index = 0; index < 3; index += 1) await beforeLeave('gone');
  expect(taken).toEqual(['sockets gone', 'ledger gone', 'process gone', 'sockets -', 'sockets -']);
  vi.advanceTimersByTime(60_000);
  expect(taken).toHaveLength(5 + 6);
});

test('a leave without a mark has no snapshot', async () => {
  const { beforeLeave, taken } = watched();
  await beforeLeave(null);
  vi.advanceTimersByTime(60_000);
  expect(taken).toEqual(['sockets -']);
});

test('what is due after the end is not taken, nor planned then', async () => {
  const { beforeLeave, taken, halt } = watched();
  await beforeLeave('gone');
  vi.advanceTimersByTime(1_500);
  halt();
  await beforeLeave('late');
  vi.advanceTimersByTime(60_000);
  const marks = taken.map((each) => each.split(' ')[1]);
  expect(marks).toEqual(['gone', 'gone+lease', 'late'].flatMap((mark) => Array<string>(3).fill(mark)));
});

test.each([
  [{ leaseMs: 1_500, sweepMs: 1_000 }, { lease: 1_500, sweep: 2_500 }],
  [{ leaseMs: 1_500 }, { lease: 1_500 }],
  [{ sweepMs: 1_000 }, { sweep: 1_000 }],
  [{ renewalMs: 500 }, {}],
])('with the periods %j it is due at %j', (periods, due) => {
  expect(dueAfterLeave(periods)).toEqual(due);
});
