// What faults did to processes: whose death it was, from when to when one was out or stood still, and what that puts off.
import { describe, expect, test } from 'vitest';
import { FACTS } from '../fixtures/facts.ts';
import { ended, exited, ledger, left, marked, noted, planned, process, row, signal, started, tiny } from '../fixtures/tiny.ts';
import type { Entry } from '../fixtures/timeline.ts';
import type { Facts, Instance } from '../../model/facts.ts';
import { attendedFromMs, heldUpMs, lastAbsenceMs, ledgerOutagesOf, outagesOf, ownDeaths, pausedIn, pausesOf } from './outage.ts';
import { couldNotSettle } from './settling.ts';
import { ledgerSpanOf } from './span.ts';
import { keptFromLedger, unlessKeptFromLedger, unlessStarved } from './starved.ts';
import { stopSignal } from './stopping.ts';
import { violated } from './finding.ts';

const viewOf = (entries: readonly Entry[], facts: Partial<Facts> = {}) => tiny([planned(0), ...entries], facts).view;
const instance = (name: string): Instance => ({ process: name, address: '', listen: name, clockAheadMs: 0 });
/** We asked for it; what a process that ends of it ended of. */
const dumped = (ms: number, edge: 'begin' | 'end' = 'begin'): Entry => noted(ms, { type: 'dump', process: 'router', edge, by: 'SIGUSR2', detail: '' });
const TWO = { system: { ...FACTS.system, instances: [instance('router'), instance('router.2')] } };

describe('whose death it was', () => {
  test.each<[string, readonly Entry[], readonly number[]]>([
    ['its own', [exited(50)], [50]],
    ['that of a fault', [signal(40, 'SIGKILL'), exited(50)], []],
    ['that of a fault in the same moment', [signal(50, 'SIGKILL'), exited(50)], []],
    ['its own, before the signal', [exited(50), signal(60, 'SIGKILL')], [50]],
    ['its own, whatever stopped it where it stood', [signal(40, 'SIGSTOP'), exited(50)], [50]],
    ['ours', [signal(40, 'SIGHUP', { purpose: 'stop' }), exited(50)], []],
    ['its own, in its next life', [signal(40, 'SIGKILL'), exited(50), started(60), exited(70)], [70]],
    ['that of a fault, in its next life, in the moment of its start', [exited(50), started(60), signal(60, 'SIGKILL'), exited(70)], [50]],
    ['its own, though it was signalled while it was away', [exited(50), signal(55, 'SIGKILL'), started(60), exited(70)], [50, 70]],
    ['its own, in a next life that began unnoted', [signal(40, 'SIGKILL'), exited(50), exited(70)], [70]],
    ["its own, though another was signalled", [signal(40, 'SIGKILL', { process: 'router.2' }), exited(50)], [50]],
    ['its own, though another was started since', [signal(40, 'SIGKILL'), started(45, 'router.2'), exited(50)], []],
    ['of no instance', [exited(50, 'elsewhere')], []],
    ['ours, by a dump', [dumped(40), exited(50)], []],
    ['its own, in a life after the dump, of which only the end came late', [dumped(40), exited(50), started(60), dumped(65, 'end'), exited(70)], [70]],
  ])('%s', (_, entries, deaths) => expect(ownDeaths(viewOf(entries).timeline, { ...FACTS, ...TWO }).map(({ atMs }) => atMs)).toEqual(deaths));
});

describe('out', () => {
  test.each<[string, readonly Entry[], readonly (readonly [number, number])[]]>([
    ['for good', [signal(40, 'SIGKILL'), exited(50)], [[40, Infinity]]],
    ['until it was started', [signal(40, 'SIGKILL'), exited(50), started(60), started(80)], [[40, 60]]],
    ['not until another was', [signal(40, 'SIGKILL'), exited(50), started(60, 'router.2')], [[40, Infinity]]],
    ['not from when it had been started before', [started(10), signal(40, 'SIGKILL'), exited(50)], [[40, Infinity]]],
    ['by itself', [exited(50)], []],
    ['by us', [signal(40, 'SIGKILL', { purpose: 'stop' }), exited(50)], []],
    ['another', [signal(40, 'SIGKILL', { process: 'router.2' }), exited(50, 'router.2')], []],
    ['by a dump of ours', [dumped(40), exited(50), started(60)], [[40, 60]]],
    ['by our stop, after a dump', [dumped(30), signal(40, 'SIGTERM', { purpose: 'stop' }), exited(50)], []],
    ['by our cleaning up, after a dump', [dumped(30), signal(40, 'SIGKILL', { purpose: 'cleanup' }), exited(50)], []],
    ['by itself, after a signal that ends nothing', [signal(40, 'SIGUSR1'), exited(50)], []],
  ])('%s', (_, entries, gaps) => expect(outagesOf(viewOf(entries).timeline, 'router').map(({ sent, toMs }) => [sent.atMs, toMs])).toEqual(gaps));
});

describe('stopped where it stood', () => {
  test.each<[string, readonly Entry[], readonly (readonly [number, number])[]]>([
    ['to the end', [signal(40, 'SIGSTOP')], [[40, Infinity]]],
    ['until it was continued', [signal(40, 'SIGSTOP'), signal(60, 'SIGCONT'), signal(80, 'SIGCONT')], [[40, 60]]],
    ['until it was continued in the very moment', [signal(40, 'SIGSTOP'), signal(40, 'SIGCONT')], [[40, 40]]],
    ['until it ended', [signal(40, 'SIGSTOP'), exited(55)], [[40, 55]]],
    ['not until another was continued', [signal(40, 'SIGSTOP'), signal(60, 'SIGCONT', { process: 'router.2' })], [[40, Infinity]]],
    ['not until another signal', [signal(40, 'SIGSTOP'), signal(60, 'SIGUSR1')], [[40, Infinity]]],
    ['not by what came before', [signal(30, 'SIGCONT'), signal(40, 'SIGSTOP')], [[40, Infinity]]],
    ['not by us', [signal(40, 'SIGSTOP', { purpose: 'stop' })], []],
    ['not by another signal', [signal(40, 'SIGUSR1')], []],
    ['another', [signal(40, 'SIGSTOP', { process: 'router.2' })], []],
  ])('%s', (_, entries, gaps) => expect(pausesOf(viewOf(entries).timeline, 'router').map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual(gaps));

  const both = [signal(40, 'SIGSTOP'), signal(60, 'SIGSTOP', { process: 'router.2' }), signal(80, 'SIGCONT'), signal(90, 'SIGCONT', { process: 'router.2' })];
  const window = { fromMs: 50, toMs: 200 };
  test.each<[string, string | undefined, object[]]>([
    ['one of two', 'router', [{ fromMs: 50, toMs: 80 }]],
    ['the other', 'router.2', [{ fromMs: 60, toMs: 90 }]],
    ['both of them', undefined, [{ fromMs: 60, toMs: 80 }]],
  ])('within a window: %s', (_, name, gaps) => expect(pausedIn({ ...viewOf(both, TWO), facts: { ...FACTS, ...TWO } }, window, name)).toEqual(gaps));
  test('both, but never at once', () => {
    const turns = [signal(60, 'SIGSTOP'), signal(70, 'SIGCONT'), signal(70, 'SIGSTOP', { process: 'router.2' })];
    expect(pausedIn(viewOf(turns, TWO), window)).toEqual([]);
  });
});

test.each<[number, readonly (readonly [number, number])[], number]>([
  [100, [], 0],
  [100, [[40, 60]], 20],
  [100, [[100, 160]], 0],
  [100, [[99, 160]], 61],
  [100, [[40, 90], [140, 160]], 70],
  [100, [[40, 50], [140, 160]], 10],
])('due at %d is put off', (dueMs, gaps, lateMs) => expect(heldUpMs(gaps.map(([fromMs, toMs]) => ({ fromMs, toMs })), dueMs)).toBe(lateMs));

test('when it was last ended or stopped', () => {
  expect(lastAbsenceMs(viewOf([]), 'router')).toBe(-Infinity);
  expect(lastAbsenceMs(viewOf([signal(40, 'SIGKILL'), exited(50), started(60), signal(70, 'SIGSTOP'), signal(99, 'SIGSTOP', { process: 'router.2' })]), 'router')).toBe(70);
  expect(lastAbsenceMs(viewOf([signal(40, 'SIGSTOP'), signal(50, 'SIGCONT'), signal(60, 'SIGKILL'), exited(61)]), 'router')).toBe(60);
});

test.each<[string, readonly Entry[], number]>([
  ['nobody was gone', [], 10],
  ['one of two was', [signal(20, 'SIGSTOP')], 10],
  ['both were, for a while', [signal(20, 'SIGSTOP'), signal(30, 'SIGKILL', { process: 'router.2' }), exited(31, 'router.2'), signal(50, 'SIGCONT')], 50],
  ['both were, to the end', [signal(20, 'SIGSTOP'), signal(30, 'SIGSTOP', { process: 'router.2' })], Infinity],
  ['both were until after it', [signal(20, 'SIGSTOP'), signal(30, 'SIGSTOP', { process: 'router.2' }), signal(100, 'SIGCONT')], Infinity],
])('attended since: %s', (_, entries, fromMs) => expect(attendedFromMs(viewOf(entries, TWO), { fromMs: 10, toMs: 100 })).toBe(fromMs));

const kept = (ms: number, edge: 'begin' | 'end', fault = 'ledger-lock'): Entry => noted(ms, { type: 'fault-held', fault, edge });

describe('the ledger', () => {
  test.each<[string, readonly Entry[], readonly object[]]>([
    ['locked', [kept(20, 'begin'), kept(30, 'end')], [{ fromMs: 20, toMs: 30 }]],
    ['locked to the end', [kept(20, 'begin')], [{ fromMs: 20, toMs: Infinity }]],
    ['gone, and locked meanwhile', [kept(20, 'begin', 'ledger-unavailable'), kept(25, 'begin'), kept(30, 'end'), kept(40, 'end', 'ledger-unavailable')], [{ fromMs: 20, toMs: 40 }, { fromMs: 25, toMs: 30 }]],
    ['locked twice', [kept(20, 'begin'), kept(30, 'end'), kept(50, 'begin'), kept(60, 'end')], [{ fromMs: 20, toMs: 30 }, { fromMs: 50, toMs: 60 }]],
    ['there, on a network that is not', [kept(20, 'begin', 'partition'), kept(30, 'end', 'partition')], []],
  ])('%s', (_, entries, gaps) => expect(ledgerOutagesOf(viewOf(entries).timeline)).toEqual(gaps));
  test('what is put off by it', () => {
    const span = { openAtMs: 100, atMs: 100, earlyMs: 0, dueMs: 200, lateMs: 250, words: '' };
    const late = (...entries: readonly Entry[]): number => ledgerSpanOf(viewOf(entries), span).lateMs;
    expect(late(kept(20, 'begin'), kept(90, 'end'))).toBe(250);
    expect(late(kept(20, 'begin'), kept(130, 'end'))).toBe(280);
    expect(late(kept(240, 'begin'), kept(300, 'end'))).toBe(310);
    expect(late(kept(250, 'begin'), kept(300, 'end'))).toBe(250);
  });
  test.each([[19, null], [20, /from 20 ms to the end/], [30, /from 20 ms/], [31, null]])('away at %d', (ms, reason) => {
    const found = keptFromLedger(viewOf([kept(20, 'begin'), kept(30, 'end')]), ms);
    if (reason === null) expect(found).toBeNull();
    else expect(found?.reason).toMatch(reason);
  });
  const wrong = violated('wrong', ['harness#1'], { interval: { fromMs: 5_000, toMs: 6_000 } });
  test.each<[string, number, number, boolean]>([
    ['for a third of a lease', 4_000, 4_500, false],
    ['for more', 4_000, 4_501, true],
    ['for more, of which enough came before', 4_499, 9_000, true],
    ['for more, of which too little came before', 4_500, 9_000, false],
    ['for more, of which enough was not two leases ago', 1_000, 2_501, true],
    ['for more, of which too much was', 1_000, 2_500, false],
  ])('away %s', (_, fromMs, toMs, excused) => expect(unlessKeptFromLedger(viewOf([kept(fromMs, 'begin'), kept(toMs, 'end')]), wrong).outcome).toBe(excused ? 'inconclusive' : 'violated'));
  test('away, where nothing is said of leases, or nothing is wrong', () => {
    const away = [kept(1_000, 'begin')];
    expect(unlessKeptFromLedger(viewOf(away, { periods: {} }), wrong)).toBe(wrong);
    const held = { outcome: 'held', reason: '', evidence: [] } as const;
    expect(unlessKeptFromLedger(viewOf([...away, marked(3_000)]), held)).toBe(held);
    expect(unlessKeptFromLedger(viewOf([kept(1_000, 'begin'), marked(3_000)]), violated('', [])).outcome).toBe('inconclusive');
  });
});

describe('starved', () => {
  const wrong = violated('wrong', ['harness#1'], { interval: { fromMs: 5_000, toMs: 6_000 } });
  /** 600 ms in one go, seen from that time on: what is seen at 5.9 s may have begun at 4.5 s, and be all that it needs. */
  const waited = (ms: number): readonly Entry[] => [1_500, 1_900, 2_000, 4_900, 5_000, 5_100, 5_900, 8_000].map((atMs) => process(atMs, { '900:900': atMs >= ms ? 600 : 0 }));
  test.each([[1_900, false], [2_000, true], [5_000, true], [5_900, true], [8_000, false]])('seen at %d', (ms, excused) =>
    expect(unlessStarved(viewOf(waited(ms)), wrong).outcome).toBe(excused ? 'inconclusive' : 'violated'),
  );
  test('until later, where it had longer', () => expect(unlessStarved(viewOf(waited(8_000)), wrong, undefined, 8_000).outcome).toBe('inconclusive'));
  test('where nothing is wrong, or nothing is said of leases', () => {
    const held = { outcome: 'held', reason: '', evidence: [] } as const;
    expect(unlessStarved(viewOf(waited(5_000)), held)).toBe(held);
    expect(unlessStarved(viewOf(waited(5_000), { periods: {} }), wrong)).toBe(wrong);
    expect(unlessStarved(viewOf(waited(8_000)), violated('', [])).outcome).toBe('inconclusive');
  });
});

describe('told to stop', () => {
  const stopped = (entries: readonly Entry[], stopsAt: string | null = null, name?: string) => {
    const view = viewOf(entries, { ...TWO, stopsAt });
    return (name === undefined ? stopSignal(view) : stopSignal(view, name))?.atMs;
  };
  test.each<[string, readonly Entry[], string | null, number | undefined]>([
    ['by us', [signal(40, 'SIGTERM', { purpose: 'stop' })], null, 40],
    ['by a fault, where the scenario does not stop it', [signal(40, 'SIGTERM'), marked(10, 'x')], null, undefined],
    ['by a fault, from its mark on', [marked(40, 'x'), signal(40, 'SIGTERM')], 'x', 40],
    ['by a fault before its mark', [signal(39, 'SIGTERM'), marked(40, 'x')], 'x', undefined],
    ['by a fault, whose mark was never set', [signal(40, 'SIGTERM')], 'x', undefined],
    ['not by our cleaning up', [marked(10, 'x'), signal(40, 'SIGKILL', { purpose: 'cleanup' })], 'x', undefined],
    ['not another', [marked(10, 'x'), signal(40, 'SIGTERM', { process: 'router.2' })], 'x', undefined],
  ])('%s', (_, entries, stopsAt, ms) => expect(stopped(entries, stopsAt)).toBe(ms));
  test('another, by us and not by a fault of the scenario', () => {
    const entries = [marked(10, 'x'), signal(40, 'SIGTERM', { process: 'router.2' }), signal(50, 'SIGTERM', { process: 'router.2', purpose: 'stop' })];
    expect(stopped(entries, 'x', 'router.2')).toBe(50);
  });
});

describe('could not settle', () => {
  const out = (ms: number, againMs = Infinity): readonly Entry[] => [signal(ms, 'SIGKILL'), exited(ms), ...(againMs === Infinity ? [] : [started(againMs)])];
  const asked = [planned(100), left(1_000), ended(1_200, 'alice', { how: 'truncated' }), ledger(9_000, [row()])];
  const settles = (entries: readonly Entry[], leftMs: number | null = null, facts: Partial<Facts> = {}) => {
    const { view, exchange } = tiny([...asked, ...entries], facts);
    return couldNotSettle(view, exchange, leftMs);
  };
  const DRAINS = { policy: { ...FACTS.policy, onDisconnect: 'drain' } } as const;
  test.each<[string, readonly Entry[], number | null, Partial<Facts>, string | null]>([
    ['nothing was done to it', [], null, {}, null],
    ['ended within the bound of settling', out(2_000), null, {}, 'a fault had ended router by SIGKILL, and perhaps before it had settled'],
    ['ended later', out(2_001), null, {}, null],
    ['ended within that bound of what is counted from', out(2_500), 1_500, {}, 'a fault had ended router'],
    ['ended within that of draining', out(4_000), null, { ...DRAINS, bounds: { settle: 1_000, drain: 3_000 } }, 'a fault had ended router'],
    ['ended after that of draining', out(4_001), null, { ...DRAINS, bounds: { settle: 1_000, drain: 3_000 } }, null],
    ['ended after that of settling, which does not drain', out(2_001), null, { bounds: { settle: 1_000, drain: 3_000 } }, null],
    ['ended and started before she asked', out(20, 99), null, {}, null],
    ['started in the moment that she asked', out(20, 100), null, {}, 'a fault had ended router'],
    ['ended, where nothing is said of bounds', out(1_000), null, { bounds: {} }, 'a fault had ended router'],
    ['ended a moment later, where nothing is', out(1_001), null, { bounds: {} }, null],
    ['stopped to the last look at the ledger', [signal(5_000, 'SIGSTOP'), signal(8_999, 'SIGCONT')], null, {}, 'a fault had stopped router from 5.0 s to the end'],
    ['continued before it', [signal(5_000, 'SIGSTOP'), signal(8_998, 'SIGCONT')], null, {}, null],
    ['kept from its ledger to the last look', [kept(5_000, 'begin')], null, {}, 'a fault kept the system from its ledger'],
  ])('%s', (_, entries, leftMs, facts, reason) => {
    const found = settles(entries, leftMs, facts);
    if (reason === null) expect(found).toBeNull();
    else expect([found?.reason, found?.evidence.length]).toEqual([expect.stringContaining(reason), reason.includes('ledger') ? 0 : 1]);
  });
  test('she was told the end, and stayed', () => {
    const { view, exchange } = tiny([planned(100), ended(500), ledger(9_000, [row()]), ...out(1_501, 1_600)]);
    expect(couldNotSettle(view, exchange, null)).toBeNull();
    expect(couldNotSettle(view, exchange, 600)).not.toBeNull();
  });
  test('nobody looked at the ledger: to the end of the record', () => {
    const { view, exchange } = tiny([planned(100), left(1_000), signal(5_000, 'SIGSTOP'), marked(9_000)]);
    expect(couldNotSettle(view, exchange, null)?.reason).toContain('had stopped router');
  });
});
