// Siblings keep their reservation, their lease and their stream, whatever becomes of the others.
import { describe, expect, test } from 'vitest';
import { crowd, CROWD } from './fixtures/crowd.ts';
import type { Crowd, Person } from './fixtures/crowd.ts';
import { FACTS } from './fixtures/facts.ts';
import { verdictOf } from './fixtures/judging.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { Facts } from '../model/facts.ts';

const tell = (changes: Partial<Crowd> = {}, facts: Partial<Facts> = {}): Row[1] => ({ entries: crowd(changes), facts: { ...CROWD, ...facts } });
const bob = (changes: Partial<Person>, more: Partial<Crowd> = {}): Row[1] => tell({ bob: changes, ...more });
const lag = (process: string, atMs: number) => at(atMs, `lag.${process}`, { type: 'scheduling-lag', process, lagMs: 400 });
const sent = (process: string, signal: string, purpose: 'fault' | 'stop' = 'fault', atMs = 4_000) => at(atMs, 'harness', { type: 'signal-sent', process, signal, purpose });
const TWO = {
  system: {
    ...FACTS.system,
    instances: [
      { process: 'router', address: '127.0.0.2', listen: '127.0.0.2:8000', clockAheadMs: 0 },
      { process: 'router.2', address: '127.0.0.3', listen: '127.0.0.3:8000', clockAheadMs: 3_600_000 },
    ],
  },
};
/** Stands still from one time to another, then goes on as before. */
const standing = (fromMs: number, toMs: number) => (ms: number) => (ms >= fromMs && ms < toMs ? fromMs : ms);

describe('with nobody named', () => {
  table('siblings-untouched', {}, [
    ['all of it goes on', tell(), 'held', 'reservation 8 of bob was held for 6.8 s'],
    ["bob's row was released", bob({ terminalMs: 4_000 }), 'violated', 'reservation 8 of bob was released at 4.1 s, while it was being served'],
    ["bob's row was released in the last sample", bob({ terminalMs: 7_960 }), 'violated', 'reservation 8 of bob was released at 8.0 s'],
    ['after the watch is another time', bob({ terminalMs: 8_001 }), 'held', 'held for'],
    ["bob's row is gone", bob({ terminalMs: 4_000, isDeleted: true }), 'violated', 'reservation 8 of bob was gone'],
    ["carol's row was released", tell({ carol: { terminalMs: 4_000 } }), 'violated', 'reservation 9 of carol'],
    ['a lease that moves back', bob({ lease: (ms) => (ms < 4_000 ? ms : ms - 1) }, {}), 'held', 'held for'],
    ['a lease that moves back by more than it had gained', bob({ lease: (ms) => (ms < 4_000 ? ms : ms - 101) }), 'violated', 'lease of reservation 8 of bob moved back by 1 ms'],
    ['a lease that stands still', bob({ lease: () => 1_100 }), 'violated', 'lease of reservation 8 of bob did not move for 6.8 s from 1.2 s on; it lasts 1.5 s'],
    ['a lease that may have stood for as long as it lasts', bob({ lease: standing(2_960, 4_200) }), 'held', 'its lease never stood still for longer than 1.2 s'],
    ['a lease that may have stood for longer', bob({ lease: standing(2_960, 4_500) }), 'inconclusive', 'may have stood still for 1.7 s from 3.0 s on'],
    ['a lease that stands for longer', bob({ lease: standing(2_960, 4_600) }), 'violated', 'did not move for 1.6 s'],
    ['leases of a wrong clock that move are none', bob({ lease: (ms) => ms + 3_600_000 }), 'held', 'held for'],
    ['leases long past that move are none', bob({ lease: (ms) => ms - 3_600_000 }), 'held', 'held for'],
    ['no column for the lease', bob({ lease: () => undefined }), 'inconclusive', 'the ledger shows no lease of reservation 8 of bob'],
    ["bob's stream was cut at its upstream", bob({ closedMs: 5_000 }), 'violated', "bob's stream was cut: the system closed it at its upstream at 5.0 s"],
    ["bob was told of an end", bob({ toldMs: 5_000 }), 'violated', "bob's stream was cut: the system ended it for bob (truncated)"],
    ['nothing more comes to bob', bob({ readsUntilMs: 7_500 }), 'violated', 'bob receives nothing more: bob got 63 events, the last 598 ms before the end of the watch'],
    ['a pause within the margin is none', bob({ readsUntilMs: 7_810 }), 'held', 'held for'],
    ['one that is longer is one', bob({ readsUntilMs: 7_800 }), 'violated', 'the last 298 ms before the end'],
    ['twice the longest pause so far is none', bob({ everyMs: 2_266, readsUntilMs: 3_500 }), 'held', 'held for'],
    ['more than twice is one', bob({ everyMs: 2_265, readsUntilMs: 3_500 }), 'violated', 'bob got 2 events, the last 4.5 s before'],
    ['a second event in the moment that the watch began', bob({ everyMs: 4_798 }), 'held', 'held for'],
    ['ended by its own upstream when it was released', bob({ upstreamEndMs: 4_060, terminalMs: 4_060 }), 'inconclusive', 'no sibling to the end'],
    ['ended by its own upstream after that', bob({ upstreamEndMs: 4_061, terminalMs: 4_060 }), 'violated', 'was released at 4.1 s'],
    ['leases that are shown now and then', bob({ lease: (ms) => (ms < 3_000 ? undefined : ms) }), 'inconclusive', 'the ledger shows no lease'],
    ['a slow stream has longer pauses', bob({ everyMs: 900, readsUntilMs: 7_000 }), 'held', 'held for'],
    ['bob was ended by its own upstream', bob({ upstreamEndMs: 5_000, toldMs: 5_010, terminalMs: 5_020 }), 'inconclusive', 'bob was no sibling to the end: its upstream ended it (complete, by its own script)'],
    ['bob left', bob({ leftMs: 5_000, closedMs: 5_010, terminalMs: 5_020 }), 'inconclusive', 'bob was no sibling to the end: bob left'],
    ['bob had received one event when the watch began', bob({ everyMs: 6_000 }), 'inconclusive', 'bob had not received two data events'],
    ['two are enough', bob({ everyMs: 4_500 }), 'held', 'held for'],
    ['bob had no reservation', bob({ reservedMs: null }), 'inconclusive', 'no reservation of bob was ever seen active'],
    ['its reservation came with the watch', bob({ reservedMs: 6_010 }), 'inconclusive', 'reservation 8 of bob was not seen active before the watch'],
    ['bob never asked', { ...tell(), entries: without(crowd(), ({ fact }) => fact.type === 'exchange-planned' && fact.client === 'bob') }, 'inconclusive', 'bob planned no exchange'],
    ['bob does not read', tell({ extra: [at(5_000, 'client.bob', { type: 'paused', marker: 'hx.bob.1.0000000a', unreadBytes: 0 })] }), 'inconclusive', 'bob does not read'],
    ['whose row it is cannot be told', tell({ marked: false }), 'inconclusive', 'the ledger has no markers'],
    ['the watchers lagged when nothing came', bob({ readsUntilMs: 7_500 }, { extra: [lag('clients', 7_900)] }), 'inconclusive', 'clients lagged 400 ms'],
    ['the watchers lagged long before', bob({ readsUntilMs: 7_500 }, { extra: [lag('clients', 3_000)] }), 'violated', 'nothing more'],
    ['the system was starved before the release', bob({ terminalMs: 4_000 }, { runDelayMs: (ms) => (ms > 3_000 ? 600 : 0) }), 'inconclusive', 'the system waited 600 ms'],
    ['the system was starved long before', bob({ terminalMs: 6_500 }, { runDelayMs: (ms) => (ms > 2_000 ? 600 : 0) }), 'violated', 'was released'],
    ['a starved system is not cleared either', tell({ runDelayMs: (ms) => (ms > 7_000 ? 600 : 0) }), 'inconclusive', 'the system waited 600 ms'],
    ['the ledger was seen too rarely', { ...tell(), entries: without(crowd(), (entry) => isSample('ledger')(entry) && entry.atMs > 3_000 && entry.atMs < 4_700) }, 'inconclusive', 'the ledger was seen too rarely'],
    ['the ledger was seen too late', { ...tell(), entries: without(crowd(), (entry) => isSample('ledger')(entry) && entry.atMs > 1_060 && entry.atMs < 2_700) }, 'inconclusive', 'probe ledger too slow'],
    ['the ledger was lost', { ...tell(), entries: without(crowd(), (entry) => isSample('ledger')(entry) && entry.atMs > 7_000) }, 'inconclusive', 'probe ledger'],
    ['a client process broke', tell({ extra: [at(5_000, 'harness', { type: 'actor-failed', process: 'clients', error: 'x' })] }), 'inconclusive', 'clients failed'],
    ['a fault did not fire', bob({ terminalMs: 4_000 }, { extra: [at(3_050, 'harness', { type: 'fault', fault: 'x', edge: 'failed', detail: 'no' })] }), 'inconclusive', 'fault x'],
    ['the system died', bob({ terminalMs: 4_000 }, { extra: [at(7_000, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null })] }), 'inconclusive', 'router died'],
    ['the record breaks off', { ...tell(), entries: without(crowd(), ({ atMs }) => atMs > 7_500) }, 'inconclusive', 'the record breaks off'],
    ['a sibling without an account has a stream', tell({ bob: { account: null } }), 'held', ''],
    ['and that can be cut', tell({ bob: { account: null, closedMs: 5_000 } }), 'violated', "bob's stream was cut"],
  ]);
});

describe('how long a lease lasts', () => {
  const lasting = (leaseMs: number, lease: Person['lease']): Row[1] => tell({ bob: { lease } }, { periods: { renewalMs: 500, leaseMs, sweepMs: 1_000 } });
  const first = { options: { clients: ['bob'] } };
  table('siblings-untouched', {}, [
    ['to stand still for just as long is no lapse', { ...lasting(1_499, standing(2_960, 4_500)), ...first }, 'inconclusive', 'may have stood still'],
    ['whether it did must be seen to the millisecond', { ...lasting(1_501, standing(2_960, 4_300)), ...first }, 'held', 'never stood still for longer than 1.3 s'],
    ['one less is too little', { ...lasting(1_500, standing(2_960, 4_300)), ...first }, 'inconclusive', 'may have stood still for 1.5 s'],
    ['to stand still for longer is one', { ...lasting(1_498, standing(2_960, 4_500)), ...first }, 'violated', 'did not move for 1.5 s from 3.0 s on'],
    ['one that was seen for no longer than that shows nothing', { ...lasting(6_799, (ms) => ms), ...first }, 'inconclusive', 'was seen for 6.8 s only, a lease lasts 6.8 s'],
    ['one that was seen for longer does', { ...lasting(6_798, (ms) => ms), ...first }, 'held', 'was held for 6.8 s'],
  ]);
  test('it lapses when it has lasted', () => {
    expect(verdictOf('siblings-untouched', bob({ lease: () => 1_100 })).interval).toEqual({ fromMs: 2_660, toMs: 7_960 });
  });
});

describe('who is a sibling', () => {
  const cut: Partial<Crowd> = { bob: { closedMs: 5_000 } };
  test('whoever leaves is none', () => {
    const leaves = [...CROWD.leaves, { mark: 'too', client: 'bob', how: 'fin' }];
    expect(verdictOf('siblings-untouched', tell(cut, { leaves })).outcome).toBe('held');
  });
  test('nor is the affected one, nor its copies', () => {
    expect(verdictOf('siblings-untouched', { ...tell(cut), options: { client: 'carol' } }).outcome).toBe('violated');
    const facts = { leaves: CROWD.leaves, copies: { many: ['bob', 'bob-2'] } };
    expect(verdictOf('siblings-untouched', { ...tell(cut, facts), options: { client: 'bob-2' } }).outcome).toBe('held');
    expect(verdictOf('siblings-untouched', { ...tell(cut), options: { client: 'bob' } }).outcome).toBe('held');
  });
  test('named ones are judged, and others are not', () => {
    expect(verdictOf('siblings-untouched', { ...tell(cut), options: { clients: ['carol'] } }).outcome).toBe('held');
    expect(verdictOf('siblings-untouched', { ...tell(cut, { copies: { many: ['bob'] } }), options: { clients: ['many'] } }).outcome).toBe('violated');
  });
  test('without any the claim does not apply', () => {
    const { alice } = CROWD.clients;
    const alone = verdictOf('siblings-untouched', tell({}, { clients: { alice } }));
    expect(`${alone.outcome}: ${alone.reason}`).toContain('does-not-apply: the scenario has no sibling');
    expect(verdictOf('siblings-untouched', tell({}, { periods: {} })).reason).toContain('no period of lease');
    expect(verdictOf('siblings-untouched', tell({}, { ledger: null })).reason).toContain('no ledger');
  });
});

describe('several instances', () => {
  const second = { instance: '127.0.0.3:8000' };
  const killed = (process: string, signal: string) => tell({ bob: { ...second, closedMs: 4_010 }, extra: [sent(process, signal)] }, TWO);
  table('siblings-untouched', {}, [
    ['a sibling on one that a fault killed is out of it', killed('router.2', 'SIGKILL'), 'held', '1 more were served by an instance that a fault stopped'],
    ['so is one on an instance that was paused', killed('router.2', 'SIGSTOP'), 'held', 'reservation 9 of carol'],
    ['one that was stopped and started before anybody asked is like any other', tell({ bob: { ...second, closedMs: 4_010 }, extra: [sent('router.2', 'SIGTERM', 'fault', 1_089)] }, TWO), 'violated', "bob's stream was cut"],
    ['one that was stopped when bob was about to ask is not', tell({ bob: { ...second, closedMs: 4_010 }, extra: [sent('router.2', 'SIGTERM', 'fault', 1_090)] }, TWO), 'held', 'reservation 9 of carol'],
    ['nor does a stop that is no fault', tell({ bob: { ...second, closedMs: 4_010 }, extra: [sent('router.2', 'SIGTERM', 'stop')] }, TWO), 'violated', "bob's stream was cut"],
    ['what was done to it before is not excused', tell({ bob: { ...second, terminalMs: 3_500, closedMs: 4_010 }, extra: [sent('router.2', 'SIGKILL')] }, TWO), 'violated', 'reservation 8 of bob was released'],
    ['another signal explains nothing', killed('router.2', 'SIGUSR1'), 'violated', "bob's stream was cut"],
    ['nor does the death of the other instance', killed('router', 'SIGKILL'), 'violated', "bob's stream was cut"],
    [
      'all of them were',
      tell({ bob: second, carol: second, extra: [sent('router.2', 'SIGKILL')] }, TWO),
      'inconclusive',
      'every sibling was served by an instance that a fault stopped',
    ],
  ]);
  const started = (process: string, pid: number) => at(150, 'harness', { type: 'system-started', process, pid });
  const starved = (bobs: number, others: number) =>
    tell({ bob: { ...second, terminalMs: 4_000 }, runDelayMs: (ms) => (ms > 3_000 ? 600 : 0), extra: [started('router.2', bobs), started('router', others)] }, TWO);
  table('siblings-untouched', {}, [
    ['that the other one had no processor is no excuse', starved(901, 900), 'violated', 'reservation 8 of bob was released'],
    ['that its own had none is one', starved(900, 901), 'inconclusive', 'the system waited 600 ms'],
  ]);
  test('one that is named must have been left alone', () => {
    const found = verdictOf('siblings-untouched', { ...killed('router.2', 'SIGKILL'), options: { clients: ['bob'] } });
    expect(`${found.outcome}: ${found.reason}`).toBe('inconclusive: bob is served by router.2, to which a fault sent SIGKILL');
  });
});

test('evidence and interval', () => {
  expect(verdictOf('siblings-untouched', bob({ terminalMs: 4_000 }))).toMatchObject({
    evidence: ['probe.ledger#36', 'probe.ledger#37'],
    interval: { fromMs: 4_060, toMs: 8_000 },
  });
});
