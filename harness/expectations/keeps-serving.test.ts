// The last of many turns are served like the first, or it is told; what chance, load, a fault or a rightful refusal may have done is no
// accusation.
import { describe, expect, test } from 'vitest';
import type { Facts } from '../model/facts.ts';
import { verdictOf } from './fixtures/judging.ts';
import { story } from './fixtures/story.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';
import { beginsMs, times, turnsBy, turnsOf } from './fixtures/turns.ts';
import type { Turn } from './fixtures/turns.ts';

const judged = (turns: readonly Turn[], ...extra: readonly Entry[]) =>
  verdictOf('keeps-serving', { entries: story({ runDelayMs: () => 0, extra: [...turnsOf(...turns), ...extra] }) });

const lag = (atMs: number, lagMs: number): Entry => at(atMs, 'lag.clients', { type: 'scheduling-lag', process: 'clients', lagMs });

describe('held', () => {
  test.each<[string, readonly Turn[]]>([
    ['all', times(40, 'served')],
    ['all, but few', times(4, 'served')],
    ['one in ten, and by chance none at last', times(40, 'never-came').map((how, turn) => (turn === 3 ? 'served' : how))],
    ['one in two, from the beginning', times(40, 'served').map((how, turn) => (turn % 2 === 0 ? how : 'never-came'))],
    ['none, from the beginning', times(40, 'never-came')],
    ['none reaches an upstream, all are answered well', times(40, 'answered')],
    ['some in the middle are not', [...times(15, 'served'), ...times(10, 503), ...times(15, 'served')]],
    ['eight of ten, then five', times(40, 'served').map((how, turn) => ((turn < 20 && turn % 5 === 0) || (turn >= 20 && turn % 2 === 0) ? 503 : how))],
    ['a little more than half as many', [...times(30, 'served'), ...times(6, 'served'), ...times(4, 503)]],
  ])('%s', (_, turns) => {
    const { outcome, reason } = judged(turns);
    expect(outcome, reason).toBe('held');
  });
});

describe('violated', () => {
  test.each<[string, Turn, string]>([
    ['an error', 503, 'status 503'], ['silence', 'never-came', 'no answer'], ['a refused connection', 'no-connection', 'no connection'], ['a head and nothing more', 'head-alone', 'status 200'],
  ])('by %s, once there is nothing left', (_, how, words) => {
    const { outcome, reason, interval } = judged([...times(20, 'served'), ...times(20, how)]);
    expect(outcome, reason).toBe('violated');
    expect(reason).toBe(`of dora's last 10 turns 0 were served, of the first 10 10; the last of them had ${words}`);
    expect(interval?.fromMs).toBe(beginsMs(30));
  });

  test('where one in ten still gets through, and a lag that was over before says nothing', () => {
    const late = times(20, 503).map((how, turn) => (turn % 10 === 0 ? 'served' : how));
    expect(judged([...times(20, 'served'), ...late], lag(beginsMs(10), 900)).outcome).toBe('violated');
  });
});

const lifeOf = (facts: Partial<Facts>, ...extra: readonly (readonly Entry[])[]) => verdictOf('keeps-serving', { facts, entries: story({ runDelayMs: () => 0, extra: extra.flat() }) });

test('a client with copies is one: a turn of it counts once, and is served where half of them are', () => {
  const names = Array.from({ length: 10 }, (_, n) => `dora${n}`);
  const of = (served: number) => lifeOf({ copies: { dora: names } }, ...names.map((name, n) => turnsBy(name, ...times(20, 'served'), ...times(20, n < served ? 'served' : 503))));
  expect(of(5)).toMatchObject({ outcome: 'held', reason: "of dora's last 10 turns 10 were served, of the first 10 10" });
  expect(of(4)).toMatchObject({ outcome: 'violated', reason: "of dora's last 10 turns 0 were served, of the first 10 10; the last of them had status 503" });
});

test('clients are judged each by itself: one that never gets through beside one that asks less often is no change, and one that starves is', () => {
  const steady = lifeOf({}, turnsBy('erna1', ...times(60, 'never-came')), turnsBy('fritz2', ...times(20, 'served')));
  expect(steady.outcome, steady.reason).toBe('held');
  const starving = lifeOf({}, turnsBy('erna1', ...times(40, 'served')), turnsBy('fritz2', ...times(20, 'served'), ...times(20, 'never-came')));
  expect(starving).toMatchObject({ outcome: 'violated', reason: "of fritz2's last 10 turns 0 were served, of the first 10 10; the last of them had no answer" });
  // Of twenty clients one may look so by chance.
  const crowd = Array.from({ length: 20 }, (_, n) => turnsBy(`dora${n}`, ...times(16, 'served'), ...times(16, n === 3 ? 503 : 'served')));
  expect(lifeOf({}, ...crowd).outcome).toBe('inconclusive');
});

describe('inconclusive', () => {
  const lost = [...times(20, 'served'), ...times(20, 503)];
  test.each<[string, readonly Turn[], readonly Entry[], string]>([
    ['fewer than four requests', ['served', 'served'], [], 'nobody asked more than 2 times'],
    ['too few to tell', [...times(2, 'served'), ...times(6, 503)], [], 'too few to tell a change from chance'],
    ['seven of ten, then none', [...times(20, 'served').map((how, turn) => ([3, 6, 9].includes(turn % 10) ? 503 : how)), ...times(20, 503)], [], 'too few to tell a change from chance'],
    ['a refusal', [...times(20, 'served'), ...times(20, 429)], [], 'refused with status 429: whether it may refuse is not known'],
    ['a lag meanwhile', lost, [lag(beginsMs(35), 251)], 'somebody lagged, or the system was starved, during'],
    ['a fault', lost, [at(2_000, 'harness', { type: 'fault', fault: 'upstream-stop', edge: 'fired', detail: '' })], 'fault upstream-stop was fired'],
  ])('%s', (_, turns, extra, words) => {
    const { outcome, reason } = judged(turns, ...extra);
    expect(outcome, reason).toBe('inconclusive');
    expect(reason).toContain(words);
  });

  test('a system without a processor', () => {
    const { outcome, reason } = verdictOf('keeps-serving', { entries: story({ runDelayMs: (ms) => (ms > beginsMs(32) ? 600 : 0), extra: turnsOf(...lost) }) });
    expect(outcome, reason).toBe('inconclusive');
    expect(reason).toContain('the system was starved');
  });
});
