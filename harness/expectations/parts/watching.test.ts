// Whether a record can be believed, fact by fact, and what the ledger was before, at the end and in between.
import { describe, expect, test } from 'vitest';
import { exited, ledger, marked, noted, phase, planned, process, row, signal, started, tiny } from '../fixtures/tiny.ts';
import type { Entry } from '../fixtures/timeline.ts';
import type { Facts } from '../../model/facts.ts';
import type { Finding } from '../../model/verdict.ts';
import { baselineOf, firstRefundMs, ledgerAtEnd, ledgerKeptUp, noLedger, payersFor, payersOf } from './ledger.ts';
import { pathShows } from './path.ts';
import {
  chargeIsVisible, clockIsExact, everyFaultFired, feedingWasSeen, nobodyLagged, ownDeath, pathWorks, systemLived, systemWasFed, watchersAreSound, worstLag,
} from './trust.ts';
import type { View } from './view.ts';

const viewOf = (entries: readonly Entry[], facts: Partial<Facts> = {}): View => tiny([planned(0), ...entries], facts).view;
type Doubt = readonly [name: string, entries: readonly Entry[], reason: string | null];
/** With words: the doubt, shown by one fact. */
const doubts = (check: (view: View) => Finding | null, shown: number, cases: readonly Doubt[]): void => {
  for (const [name, entries, reason] of cases)
    test(name, () => {
      const found = check(viewOf(entries));
      expect(found && [found.outcome, found.reason, found.evidence.length]).toEqual(reason && ['inconclusive', reason, shown]);
    });
};

const fault = (edge: 'fired' | 'failed'): Entry => noted(10, { type: 'fault', fault: 'kill', edge, detail: 'no such process' });
doubts(everyFaultFired, 1, [
  ['a fault fired', [fault('fired')], null],
  ['a fault did not', [fault('fired'), fault('failed')], 'fault kill did not fire: no such process'],
]);

const call = (ms: number, answered = false): Entry => noted(ms, { type: 'foreign-host', name: 'api.example', answered });
const unmet = (name: string, met = false): Entry => noted(20, { type: 'precondition', name, met, detail: 'status 500' });
describe('the path', () => {
  doubts(pathWorks, 1, [
    ['nothing to say', [], null],
    ['a plain exchange did not work', [unmet('path')], 'precondition path was not met: status 500'],
    ['it worked', [unmet('path', true)], null],
    ['something else was not met', [unmet('charge-visible')], null],
    ['a call outside', [...phase('drive', 30, 90), call(30)], 'the system called api.example at 30 ms, for which there is no stand-in'],
    ['a call outside before', [...phase('drive', 30, 90), call(29)], null],
    ['a call outside, before any phase is on record', [call(29)], 'the system called api.example at 29 ms, for which there is no stand-in'],
    ['a call that a stand-in answered', [call(50, true)], null],
  ]);
  doubts(chargeIsVisible, 1, [
    ['the first charge was not seen', [unmet('charge-visible')], 'precondition charge-visible was not met: status 500'],
    ['it was', [unmet('charge-visible', true)], null],
    ['something else was not', [unmet('path')], null],
  ]);
  const control = (how: 'fin' | 'rst', seen: boolean, leg: 'client' | 'upstream' = 'client'): Entry => noted(10, { type: 'path-control', leg, how, seen, tookMs: 1 });
  doubts((view) => pathShows(view.timeline, 'client', ['fin', 'rst']), 1, [
    ['both were seen', [control('fin', true), control('rst', true)], null],
    ['one was not', [control('fin', true), control('rst', false)], 'path hides closes: a direct RST on the client leg was not seen'],
    ['one was seen once, and once not', [control('fin', true), control('fin', false), control('rst', true)], 'path hides closes: a direct FIN on the client leg was not seen'],
  ]);
  doubts((view) => pathShows(view.timeline, 'client', ['fin']), 0, [['none was tried on that leg', [control('fin', true, 'upstream'), control('rst', true)], 'path hides closes, for all that is known: no FIN was tried on the client leg']]);
});

describe('watchers', () => {
  const broke = (ms: number, process: string): Entry => noted(ms, { type: 'actor-failed', process, error: 'gone' });
  doubts((view) => watchersAreSound(view.timeline, ['clients'], 50), 1, [
    ['failed in the very moment', [broke(50, 'clients')], 'the watching process clients failed at 50 ms: gone'],
    ['failed later', [broke(51, 'clients')], null],
    ['another failed', [broke(40, 'upstreams')], null],
    ['lagged', [noted(40, { type: 'scheduling-lag', process: 'clients', lagMs: 999 })], null],
    ['the stage failed', [broke(40, 'stage')], 'the watching process stage failed at 40 ms: gone'],
    ['lost observations', [noted(40, { type: 'events-dropped', process: 'clients', count: 3 })], 'the watching process clients dropped 3 observations at 40 ms'],
    ['lost by the evidence, which is everybody\'s', [noted(40, { type: 'events-dropped', process: 'evidence', count: 2 })], 'the watching process evidence dropped 2 observations at 40 ms'],
  ]);
  const clock = (errorMs: number): Entry => noted(5, { type: 'clock', offsetMs: 0, errorMs });
  doubts(clockIsExact, 1, [
    ['the clocks agree as they must', [clock(250)], null],
    ['they do not', [clock(1), clock(251)], 'the clocks agree only to 251 ms, the margin is 250 ms'],
  ]);
  const lag = (ms: number, lagMs: number, process = 'clients'): Entry => noted(ms, { type: 'scheduling-lag', process, lagMs });
  const window = { fromMs: 1_000, toMs: 2_000 };
  doubts((view) => nobodyLagged(view.timeline, 250, window), 1, [
    ['as much as the margin', [lag(1_500, 250)], null],
    ['more', [lag(1_500, 251)], 'clients lagged 251 ms at 1.5 s, the margin is 250 ms'],
    ['the worst of several', [lag(1_400, 300), lag(1_500, 400), lag(1_600, 350)], 'clients lagged 400 ms at 1.5 s, the margin is 250 ms'],
    ['the first of two that are as bad', [lag(1_400, 300), lag(1_500, 300, 'upstreams')], 'clients lagged 300 ms at 1.4 s, the margin is 250 ms'],
    ['a report of the time before', [lag(999, 400)], null],
    ['the first that may speak of it', [lag(1_000, 400)], 'clients lagged 400 ms at 1.0 s, the margin is 250 ms'],
    ['the last that may speak of it', [lag(2_650, 400)], 'clients lagged 400 ms at 2.6 s, the margin is 250 ms'],
    ['a report of the time after', [lag(2_651, 400)], null],
  ]);
  test('nobody', () => expect(worstLag(viewOf([lag(1_500, 0)]).timeline, window)).toBeUndefined());
});

/** A lease of 1,500 ms: a third of it is 500. */
describe('fed', () => {
  const window = { fromMs: 1_000, toMs: 3_000 };
  const fed = (name?: string) => (view: View): Finding | null => systemWasFed(view, window, 1_500, name);
  const waits = (main: number, other = 0): readonly Entry[] => [process(1_500, { '900:900': 0, '901:901': 0 }), process(1_600, { '900:900': main, '901:901': other })];
  const stop = (fromMs: number, toMs?: number, name = 'router'): readonly Entry[] => [signal(fromMs, 'SIGSTOP', { process: name }), ...(toMs === undefined ? [] : [signal(toMs, 'SIGCONT', { process: name })])];
  const starved = (ms: number): string => `the system waited ${ms} ms for a processor between 1.5 s and 1.6 s, more than a third of a lease of 1.5 s`;
  doubts(fed(), 0, [
    ['waited a third', waits(500), null],
    ['waited longer', waits(501), starved(501)],
    ['whichever waited', waits(0, 501), starved(501)],
    ['whichever waited, of those that are known', [started(5, 'router', 900), started(6, 'router.2', 901), ...waits(0, 501)], starved(501)],
    ['stood still for a third', stop(1_100, 1_600), null],
    ['stood still for longer', stop(1_100, 1_601), 'a fault had stopped the system from 1.1 s to 1.6 s, more than a third of a lease of 1.5 s'],
    ['stood still since before, for too little of it', stop(100, 1_500), null],
    ['stood still to the end', stop(1_100), 'a fault had stopped the system from 1.1 s to the end, more than a third of a lease of 1.5 s'],
    ['stood still until all was over', stop(1_100, 3_000), 'a fault had stopped the system from 1.1 s to the end, more than a third of a lease of 1.5 s'],
  ]);
  doubts(fed('router'), 0, [
    ['another instance waited', [started(5, 'router', 900), started(6, 'router.2', 901), ...waits(0, 501)], null],
    ['it waited itself', [started(5, 'router', 900), started(6, 'router.2', 901), ...waits(501)], starved(501)],
    ['another, whose pid nobody knows, has none', [started(6, 'router.2', null), ...waits(501)], starved(501)],
  ]);
  const seen = (...times: readonly number[]): readonly Entry[] => [...times.map((ms) => process(ms)), marked(4_000, 'last')];
  const slow = (ms: string, fromMs: string): string => `probe process too slow to know whether the system was starved: no sample for ${ms} from ${fromMs} on`;
  doubts((view) => feedingWasSeen(view, window, 1_500), 0, [
    ['seen all the while', seen(900, 2_000, 3_001), null],
    ['first seen a third of a lease late', seen(1_500, 2_900, 3_001), null],
    ['first seen later', seen(1_501, 2_900, 3_001), slow('501 ms', '1.0 s')],
    ['seen once in a lease', seen(1_001, 2_501, 3_001), null],
    ['seen less often', seen(1_001, 2_502, 3_001), slow('1.5 s', '1.0 s')],
    ['never seen', seen(), slow('2.0 s', '1.0 s')],
    ['seen only later', seen(3_500), slow('2.0 s', '1.0 s')],
    ['not seen again, where the record goes on', seen(900, 2_000, 2_990), slow('1.0 s', '3.0 s')],
  ]);
  const short = { fromMs: 1_000, toMs: 3_500 };
  doubts((view) => feedingWasSeen(view, short, 1_500), 0, [
    ['last seen a third of a lease before, where little more is on record', seen(900, 2_000, 3_001), null],
    ['last seen earlier', seen(900, 2_000, 3_000), slow('501 ms', '3.0 s')],
  ]);
});

describe('death', () => {
  doubts((view) => systemLived(view, 50), 1, [
    ['in the very moment', [exited(50)], 'router died by itself at 50 ms (signal SIGKILL)'],
    ['later', [exited(51)], null],
    ['of another', [exited(40, 'elsewhere')], null],
  ]);
  test('of the one that was asked about', () => {
    const two = { system: { listen: '', address: '', main: 'router', instances: ['router', 'router.2'].map((name) => ({ process: name, address: '', listen: '', clockAheadMs: 0 })) } };
    expect(ownDeath(viewOf([exited(40), exited(50, 'router.2')], two), 'router.2')?.atMs).toBe(50);
    expect(ownDeath(viewOf([exited(40), exited(50, 'router.2')], two))?.atMs).toBe(40);
  });
});

describe('the ledger', () => {
  const failed = (ms: number): Entry => ({ atMs: ms, actor: 'probe.ledger', fact: { type: 'sample', probe: 'ledger', tookMs: 1, error: 'locked' } });
  test.each<[string, readonly Entry[], number | null]>([
    ['the last sample that lies within', [...phase('baseline', 99, 200), ledger(100), ledger(200), ledger(201)], 200],
    ['one that began with it', [...phase('baseline', 99, 200), ledger(99), ledger(100), ledger(300)], 100],
    ['none that began before', [...phase('baseline', 100, 200), ledger(100)], null],
    ['none in a phase that did not end', [noted(99, { type: 'phase', phase: 'baseline', edge: 'begin' }), ledger(150)], null],
    ['none without one', [ledger(150)], null],
  ])('baseline: %s', (_, entries, ms) => {
    const found = baselineOf(viewOf(entries));
    if (ms === null) expect(found).toEqual({ outcome: 'inconclusive', reason: 'probe ledger has no sample of the baseline', evidence: [] });
    else expect(found).toMatchObject({ atMs: ms });
  });
  /** Silence is 400 ms: four times the sampling. */
  test.each<[string, readonly Entry[], number, string | null]>([
    ['just seen', [ledger(900), ledger(1_000), ledger(1_100)], 1_000, null],
    ['seen as long ago as may be', [ledger(1_001)], 1_400, null],
    ['seen earlier', [ledger(1_000)], 1_400, 'probe ledger lost the ledger at 1.0 s, 400 ms before the end'],
    ['seen earlier, and then not', [failed(999), ledger(1_000), failed(1_100)], 1_400, 'probe ledger lost the ledger at 1.0 s, 400 ms before the end (locked, probe.ledger#3)'],
    ['never seen', [failed(10)], 1_400, 'probe ledger never saw the ledger (locked, probe.ledger#1)'],
    ['seen only later', [ledger(1_500)], 1_400, 'probe ledger never saw the ledger'],
  ])('at the end: %s', (_, entries, endMs, reason) => {
    const found = ledgerAtEnd(viewOf(entries), endMs);
    if (reason === null) expect(found).toMatchObject({ atMs: entries.findLast(({ atMs }) => atMs <= endMs)!.atMs });
    else expect(found).toMatchObject({ outcome: 'inconclusive', reason });
  });
  doubts((view) => ledgerKeptUp(view, { fromMs: 1_000, toMs: 4_000 }), 0, [
    ['seen once in a lease', [ledger(1_001), ledger(2_501), ledger(4_001)], null],
    ['seen less often', [ledger(1_001), ledger(2_502), ledger(4_001)], 'probe ledger too slow: no sample for 1.5 s from 1.0 s on, a lease lasts 1.5 s'],
  ]);
  test('never too seldom where nothing is said of leases', () => expect(ledgerKeptUp(viewOf([], { periods: {} }), { fromMs: 0, toMs: 9_000 })).toBeNull());
  const refund = (ms: number, tookMs?: number): Entry => noted(ms, { type: 'refund', account: 'acc', attempt: 1, status: 200, answer: '', verdict: 'accepted', ...(tookMs === undefined ? {} : { tookMs }) });
  test.each([[0, 15], [20, 15], [21, 40], [41, Infinity]])('first refund after %d', (fromMs, ms) => expect(firstRefundMs(viewOf([refund(20, 5), refund(40)]), fromMs)).toBe(ms));
  test('who pays', () => {
    const paid = viewOf([ledger(10, [row({ payer: 'sponsor' }), row({ id: '8', account: 'other', payer: 'boss', marker: 'm.x' })])]);
    expect(payersOf(paid, 'acc')).toEqual(['sponsor']);
    expect(payersOf(paid, 'nobody')).toEqual(['nobody']);
    const { view, exchange } = tiny([planned(0), ledger(10, [row({ payer: 'sponsor', marker: 'm.old' }), row({ id: '8', account: 'other', payer: 'boss', marker: 'm.x' })])]);
    expect(payersFor(view, exchange)).toEqual({ payers: new Set(['acc', 'sponsor']), isShown: true });
    const none = tiny([planned(0), ledger(10, [row({ account: 'other', payer: 'boss', marker: 'm.x' })])]);
    expect(payersFor(none.view, none.exchange)).toEqual({ payers: new Set(['acc']), isShown: false });
    const mine = tiny([planned(0), ledger(10, [row({ account: 'elsewhere', payer: 'friend' })])]);
    expect(payersFor(mine.view, mine.exchange)).toEqual({ payers: new Set(['acc', 'friend']), isShown: true });
  });
  test('does not apply to who is unknown', () => expect(noLedger(viewOf([]).facts, { client: 'zoe' })).toBe('zoe uses no account'));
});
