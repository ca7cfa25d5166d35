// The last of many turns are served like the first, or it is told; what chance, load, a fault or a rightful refusal may have done is no
// accusation.
import { describe, expect, test } from 'vitest';
import type { Facts } from '../model/facts.ts';
import { verdictOf } from './fixtures/judging.ts';
import { story } from './fixtures/story.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
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
    ['fewer, and no fewer than chance makes', times(40, 'served').map((how, turn) => (turn === 31 || turn === 35 ? 503 : how))],
    ['more than at first', [...times(20, 'never-came'), ...times(20, 'served')]],
    ['all reach an upstream, soon after clients that leave at once', [...times(20, 'served'), ...times(20, 'passed-on-later')]],
    ['some are answered with something, from the beginning', times(40, 'served').map((how, turn) => (turn % 2 === 0 ? how : 'whole'))],
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

  test('by refused connections, whoever lagged long after the last of them', () => {
    const { outcome, reason } = judged([...times(20, 'served'), ...times(20, 'no-connection')], lag(beginsMs(40) + 1_000, 600));
    expect(outcome, reason).toBe('violated');
  });

  test.each<[string, readonly Turn[], string, number]>([
    ['five', [...times(5, 'served'), ...times(55, 'never-came')], "of dora's last 55 turns 0 were served, of the first 5 5; the last of them had no answer", 5],
    ['three', [...times(3, 'served'), ...times(57, 503)], "of dora's last 57 turns 0 were served, of the first 3 3; the last of them had status 503", 3],
    ['seven of ten that there were first', [...times(20, 'served').map((how, turn) => ([3, 6, 9].includes(turn % 10) ? 503 : how)), ...times(20, 503)], "of dora's last 21 turns 0 were served, of the first 19 14; the last of them had status 503", 19],
  ])('once there is nothing left of %s, which no quarter shows', (_, turns, words, from) => {
    const { outcome, reason, interval } = judged(turns);
    expect([outcome, reason, interval?.fromMs]).toEqual(['violated', words, beginsMs(from)]);
  });

  test('where upstreams are asked for those only who have left', () => {
    const { outcome, reason } = judged([...times(20, 'served'), ...times(20, 'late')]);
    expect([outcome, reason]).toEqual(['violated', "of dora's last 10 turns 0 were served, of the first 10 10; the last of them had no answer, and came to an upstream 850 ms after its client had left"]);
  });

  test('where all reach an upstream, and nobody is answered any more', () => {
    const { outcome, reason } = judged([...times(20, 'whole'), ...times(20, 'served')]);
    expect([outcome, reason]).toEqual(['violated', "of dora's last 10 turns 0 were answered, of the first 10 10; the last of them had no answer"]);
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
  // Of twenty clients one may look so by chance, where one alone would not.
  const crowd = (clients: number) => lifeOf({}, ...Array.from({ length: clients }, (_, n) => turnsBy(`dora${n}`, ...times(4, 'served'), ...times(16, n === 0 ? 503 : 'served'))));
  expect([crowd(20), crowd(1)].map(({ outcome }) => outcome)).toEqual(['inconclusive', 'violated']);
});

describe('inconclusive', () => {
  const lost = [...times(20, 'served'), ...times(20, 503)];
  test.each<[string, readonly Turn[], readonly Entry[], string]>([
    ['fewer than four requests', ['served', 'served'], [], 'nobody asked more than 2 times'],
    ['too few to tell', [...times(2, 'served'), ...times(6, 503)], [], 'too few to tell a change from chance'],
    ['too few to tell, where all but two are lost', [...times(2, 'served'), ...times(18, 503)], [], "of dora's last 18 turns 0 were served, of the first 2 2: too few to tell a change from chance"],
    ['none at last, for less than a quarter', [...times(50, 'served'), ...times(7, 503)], [], "of dora's last 7 turns 0 were served, of the first 50 50: too short a time to know that it stays so"],
    ['the last four of forty', [...times(36, 'served'), ...times(4, 503)], [], 'too short a time to know that it stays so'],
    ['fewer of the last quarter, but more than half', times(65, 'served').map((how, turn) => (turn >= 49 && turn % 2 === 0 && turn < 63 ? 503 : how)), [], 'too few to tell a change from chance'],
    ['clients that leave at once', [...times(20, 'served'), ...times(20, 'hasty')], [], 'but who asked left 10 of the other requests too soon to know whether they would have been'],
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

  test.each<[string, number, number]>([['before', 0, beginsMs(31)], ['after', beginsMs(39) + 200, Infinity], ['from soon after the start on', 2_000, Infinity], ['ever', 0, Infinity]])(
    'a system whose waits for a processor nobody saw %s', (_, fromMs, untilMs) => {
      const unseen = without(story({ runDelayMs: () => 0, extra: turnsOf(...lost) }), (entry) => isSample('process')(entry) && entry.atMs >= fromMs && entry.atMs < untilMs);
      const { outcome, reason } = verdictOf('keeps-serving', { entries: unseen });
      expect(outcome, reason).toBe('inconclusive');
      expect(reason).toContain('but whether the system had a processor meanwhile was not seen');
    });
});
