// What is said before a run and of what was seen, and how much of a record is looked at.
import { describe, expect, test } from 'vitest';
import { FACTS } from '../fixtures/facts.ts';
import { asked, ended, finished, ledger, left, marked, noted, phase, planned, row, tiny } from '../fixtures/tiny.ts';
import type { Entry } from '../fixtures/timeline.ts';
import { timelineOf } from '../fixtures/timeline.ts';
import { limitWords, openWords, starvedDoubts } from './explaining.ts';
import { held, inconclusive, isFinding, stillWaiting } from './finding.ts';
import { judgeRows } from './sibling-rows.ts';
import { judgeStreams } from './streams.ts';
import { isWhole, viewOf } from './view.ts';
import { formatBytes } from './words.ts';
import { expectations } from '../registry.ts';

describe('before a run', () => {
  const leaving = (...names: readonly string[]) => ({ ...FACTS, leaves: [{ mark: 'other', client: 'zoe', how: 'rst' }, ...names.map((client) => ({ mark: 'gone', client, how: 'fin' }))] });
  test.each<[readonly string[], string]>([
    [[], 'at mark gone'],
    [['a'], 'at mark gone, at which a leaves by fin'],
    [['a', 'b', 'c'], 'at mark gone, at which a leaves by fin and b leaves by fin and c leaves by fin'],
    [['a', 'b', 'c', 'd'], 'at mark gone, at which 4 clients leave by fin'],
  ])('%j leave', (names, words) => expect(openWords(leaving(...names), 'gone')).toBe(words));
  test('limits', () => {
    expect(limitWords(FACTS, 'gone', 2_000)).toBe('2.0 s after mark gone, and 250 ms for measuring');
    expect(limitWords(FACTS, 'gone', 0, 100)).toBe('mark gone, and 100 ms for measuring');
    expect(limitWords(FACTS, 'gone', '2s')).toBe('mark gone, and 250 ms for measuring');
  });
  test('a lease, where there is one', () => {
    expect(starvedDoubts(FACTS)).toEqual(['the system waits for a processor for more than 500 ms within a lease']);
    expect(starvedDoubts({ ...FACTS, periods: {} })).toEqual([]);
  });
});

test('a control, for leaves alone', () => {
  const doubts = (after: unknown, how = 'fin'): string => expectations.get('upstream-closed')!.explain!({ ...FACTS, leaves: [{ mark: 'gone', client: 'alice', how }] }, { upstream: 'model', after, within: 1 }).inconclusiveIf.join();
  expect(doubts('gone')).toContain('the control');
  expect(doubts('other')).not.toContain('the control');
  expect(doubts('gone', 'vanish')).not.toContain('the control');
  expect(doubts({ bound: 'read' })).not.toContain('the control');
});

test('what is waited for', () => {
  expect(stillWaiting(inconclusive('x'), 5, 5)).toBe('x');
  expect(stillWaiting(inconclusive('x'), 6, 5)).toBeNull();
  expect(stillWaiting(held('x', []), 5, 5)).toBeNull();
  expect([isFinding({ outcome: 'held' }), isFinding({ reason: '' }), isFinding(held('', []))]).toEqual([false, false, true]);
});

test('bytes', () => expect([1_023, 1_024, 1_048_575, 1_048_576].map(formatBytes)).toEqual(['1023 B', '1.0 KiB', '1024.0 KiB', '1.0 MiB']));

describe('how much of a record', () => {
  const view = (entries: readonly Entry[], stopsAt: string | null = null) => viewOf({ timeline: timelineOf(...entries), facts: { ...FACTS, stopsAt }, options: {} }, 'ask');
  const phases = [...phase('watch', 10, 20), ...phase('ask', 30, 40), marked(41, 'later')];
  test('to the end of its phase, that included', () => {
    expect(view(phases).timeline.all.map(({ atMs }) => atMs)).toEqual([10, 20, 30, 40]);
    expect(isWhole(view(phases))).toBeNull();
    expect(view(phases, 'gone').timeline.all.map(({ atMs }) => atMs)).toEqual([10, 20]);
  });
  test('all that there is', () => {
    expect(isWhole(view(phases.slice(0, 3)))?.reason).toBe('the record breaks off at 30 ms, before the end of the questions after the watch');
    expect(view([]).endMs).toBe(0);
  });
});

describe('the end of a stream', () => {
  const judged = (entries: readonly Entry[], client: string | null = 'alice') => {
    const { view } = tiny([planned(0), ...entries, ...phase('watch', 900, 1_000)]);
    return judgeStreams({ ...view, options: client === null ? {} : { client } }, (ending) => held(ending.words, ending.evidence));
  };
  test('of which no upstream knows', () => expect(judged([ended(50)]).reason).toBe('alice got 0 of unknown events, the end mark, and the end (complete)'));
  test.each<[string, readonly Entry[], string, number]>([
    ['left', [asked(10), left(20)], 'alice left before the answer had ended', 1],
    ['that came to no upstream', [], "no upstream got alice's request: there was no stream", 1],
    ['that goes on', [asked(10)], 'the answer to alice has not ended, and neither had its upstream', 0],
    ['that ended too late to be told', [asked(10), finished(751)], 'and neither had its upstream', 0],
    ['that ended soon enough', [asked(10), finished(750)], 'alice was told nothing in 250 ms since', 1],
  ])('%s', (_, entries, reason, evidence) => {
    const found = judged(entries);
    expect(found.reason).toContain(reason);
    expect(found.evidence).toHaveLength(evidence);
  });
  test('of her latest exchange only', () => {
    const second = planned(500, 'alice', { marker: 'm.second' });
    expect(judged([asked(10), left(20), second]).reason).toContain('no upstream got');
    expect(judged([asked(10), left(20), second], null).reason).toContain('left before');
  });
});

/** A lease lasts 1,500 ms; the watch begins at 3,000. */
describe('rows of a sibling', () => {
  const rows = (leases: readonly (readonly [ms: number, leaseMs: number])[], more: readonly Entry[] = []) => {
    const { view, exchange } = tiny([planned(0), asked(10), ...phase('watch', 3_000, 6_000), ...leases.map(([ms, leaseAtMs]) => ledger(ms, leaseAtMs < 0 ? [row({ terminal: true })] : [row({ leaseAtMs })])), ...more]);
    return judgeRows(view, exchange);
  };
  test('released after the system had ended it', () => expect(rows([[1_000, 1], [2_000, -1]], [ended(1_500)]).outcome).toBe('violated'));
  test('released after she had left', () => expect(rows([[1_000, 1], [2_000, -1]], [left(1_500)]).outcome).toBe('inconclusive'));
  test('first seen when the watch began, and a moment later', () => {
    const moving = (fromMs: number) => [fromMs, 3_600, 4_200, 4_800, 5_400, 5_900].map((ms) => [ms, ms] as const);
    expect(rows(moving(3_000)).outcome).toBe('held');
    expect(rows(moving(3_001)).reason).toContain('was not seen active before the watch');
  });
  test('of several stands the first of the longest', () => expect(rows([[1_000, 1], [2_600, 1], [2_700, 2], [4_300, 2]])).toMatchObject({ outcome: 'violated', evidence: ['probe.ledger#1', 'probe.ledger#2'] }));
  test('a stand that may have been too long', () => expect(rows([[2_900, 1], [3_500, 1], [5_000, 2]])).toMatchObject({ reason: expect.stringContaining('may have stood still for'), evidence: ['probe.ledger#1', 'probe.ledger#2'] }));
  test('one that no fault wrote is no sibling', () => expect(rows([], [noted(50, { type: 'mark', mark: 'x', client: null })]).reason).toContain('was ever seen active'));
});
