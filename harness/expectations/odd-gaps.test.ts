// Runs in which one thing is missing or there twice: an event, an account, an attempt, a watcher. What each claim then
// says, and that it says it for that reason.
import { describe } from 'vitest';
import { crowd, CROWD, markerOf, wroteTotal } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { FACTS } from './fixtures/facts.ts';
import { LEAK, MARKER, WALL_MS } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { at, every, isSample, watchedUntil, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';
import type { Facts } from '../model/facts.ts';

const fed: Partial<Knobs> = { runDelayMs: () => 0 };
const tell = (changes: Partial<Knobs> = {}, facts: Partial<Facts> = {}): Row[1] => ({ entries: story({ ...fed, ...changes }), facts });
const many = (changes: Partial<Crowd> = {}, facts: Partial<Facts> = {}): Row[1] => ({ entries: crowd(changes), facts: { ...CROWD, ...facts } });
const losing = (judged: Row[1], isLost: (entry: Entry) => boolean): Row[1] => ({ ...judged, entries: without(judged.entries, isLost) });
const unseenFrom = (ms: number) => (entry: Entry): boolean => isSample('process')(entry) && entry.atMs > ms;

/** Read to its end at 1.66 s: as many events as were written. */
const read = (events: number, changes: Partial<Knobs> = {}): Partial<Knobs> => ({
  goneMs: null, closedMs: null, ownsUntilMs: null, servesUntilMs: null, eventsUntilMs: 1_100 + events * 100, terminalMs: 1_720, charges: [],
  upstreamEnd: { atMs: 1_650, how: 'complete', by: 'script', usage: events }, toldMs: 1_660, told: { how: 'complete', endMark: true }, ...changes,
});
const DRAINS: Partial<Facts> = { policy: { ...FACTS.policy, onDisconnect: 'drain' } };

describe('charged-once', () => {
  const options = { client: 'alice' };
  const goneFrom = (ms: number): Partial<Knobs> => ({ ...LEAK, ledger: (value, at) => (at < ms ? value : { ...value, reservations: [] }) });
  table('charged-once', options, [
    ['a whole answer of nothing, and nothing was charged', tell(read(0)), 'held', "alice: nothing was charged; the upstream's usage was 0"],
    ['the same, where asking has a price', tell(read(0), { price: { perRequest: 1, perEvent: 1 } }), 'violated', 'nothing was charged'],
    ['a whole answer of something', tell(read(5)), 'violated', 'nothing was charged'],
    ['a whole answer, where parts cost nothing', tell(read(5), { policy: { ...FACTS.policy, partialBilling: 'nothing' } }), 'violated', 'nothing was charged'],
    ['a whole answer, where parts cost as much: its amount is judged', tell(read(5, { charges: [{ atMs: 1_720, amount: 4 }] }), { policy: { ...FACTS.policy, partialBilling: 'full' } }), 'violated', 'at least 5 is right'],
    ['still held: it is renewed', tell({ ...LEAK, goneMs: null }), 'violated', 'its reservation is still held', { class: 'renewing' }],
    ['never sent, and never asked of an upstream', losing(tell({ ...LEAK, goneMs: null }), ({ fact }) => fact.type === 'request-written' || fact.type === 'request-received'), 'inconclusive', "no upstream got alice's request"],
  ]);
  const left = { client: 'alice', after: 'gone' };
  const held = 'its reservation is still held';
  table('charged-once', left, [
    ['nothing, and its row is gone', tell(goneFrom(3_500)), 'violated', 'nothing was charged; the client had 18 events when it left, the upstream had written 25 until 500 ms later', { class: undefined }],
    ['still held soon after, by who cancels', { entries: watchedUntil(story({ ...fed, ...LEAK }), 4_000) }, 'violated', held],
    ['still held by who may still drain', { entries: watchedUntil(story({ ...fed, ...LEAK }), 4_200), facts: DRAINS }, 'inconclusive', 'it may still be drained'],
    ['still held by who may still drain, and asked again', { entries: watchedUntil(story({ ...fed, ...LEAK, extra: [at(3_500, 'harness', { type: 'exchange-planned', marker: MARKER, client: 'alice', account: 'acc', upstream: 'model', request: 'chat', purpose: 'drive', repeat: true }), at(3_505, 'client.alice', { type: 'request-written', connection: 1, marker: MARKER, bytes: 200 })] }), 4_200), facts: DRAINS }, 'inconclusive', 'it may still be drained'],
    ['still held by who may not any more', { entries: watchedUntil(story({ ...fed, ...LEAK }), 4_300), facts: DRAINS }, 'violated', held],
    ['drained to the bound, to the event', tell({ closedMs: 4_000, ownsUntilMs: 4_000, eventsUntilMs: 2_950, charges: [{ atMs: 4_020, amount: 18 }] }, DRAINS), 'held', 'the upstream had written 18 events by the end of the drain'],
    ['somebody lagged just after', tell({ extra: [at(3_550, 'lag.clients', { type: 'scheduling-lag', process: 'clients', lagMs: 260 })] }), 'inconclusive', 'clients lagged 260 ms'],
    ['nobody can say whose it would be, but there is none', tell({ charges: [], marked: false, ledger: ({ charges: _, ...value }) => value, extra: [at(1_050, 'harness', { type: 'exchange-planned', marker: 'm.bob', client: 'bob', account: 'acc', upstream: 'model', request: 'chat', purpose: 'drive' })] }), 'violated', 'nothing was charged'],
  ]);
});

describe('charged-once, of a request that was left twice', () => {
  const repeat: readonly Entry[] = [
    at(4_000, 'harness', { type: 'exchange-planned', marker: MARKER, client: 'alice', account: 'acc', upstream: 'model', request: 'chat', purpose: 'drive', repeat: true }),
    at(4_005, 'client.alice', { type: 'request-written', connection: 1, marker: MARKER, bytes: 200 }),
    at(4_010, 'upstream.model', { type: 'request-received', connection: 9, exchange: 9, marker: MARKER, method: 'POST', path: '/', bodyBytes: 1, behaviour: 'endless' }),
    at(4_020, 'upstream.model', { type: 'answer-progress', exchange: 9, bytes: 3, events: 3, comments: 0 }),
    at(4_030, 'client.alice', { type: 'received', marker: MARKER, bytes: 3, events: 3, comments: 0 }),
    at(5_000, 'client.alice', { type: 'mark', mark: 'later', client: 'alice' }),
    at(5_001, 'client.alice', { type: 'left', how: 'fin', wire: 'fin', marker: MARKER, unreadBytes: 0, socket: { before: 'established', after: 'fin-wait-2' } }),
    at(5_010, 'upstream.model', { type: 'peer-closed', connection: 9, exchange: 9, marker: MARKER, how: 'fin', bytes: 3, events: 3 }),
  ];
  const leaves = [...FACTS.leaves, { mark: 'later', client: 'alice', how: 'fin' }];
  const charged = (amount: number): Row[1] => tell({ goneMs: 1_500, closedMs: 3_000, ownsUntilMs: 3_000, terminalMs: 5_100, charges: [{ atMs: 5_100, amount }], extra: repeat }, { leaves });
  table('charged-once', { client: 'alice', after: 'later' }, [
    ['each part by its own leave', charged(9), 'held', '9 charged'],
    ['more than either was worth when it was left', charged(15), 'violated', 'at most 10 is right'],
  ]);
  const late: readonly Entry[] = [
    at(3_000, 'harness', { type: 'mark', mark: 'gone', client: 'alice' }),
    at(3_150, 'harness', { type: 'left', how: 'kill', wire: 'fin', marker: MARKER, unreadBytes: 0, socket: { before: 'established', after: 'established' } }),
    at(4_100, 'harness', { type: 'signal-sent', process: 'router', signal: 'SIGKILL', purpose: 'fault' }),
    at(4_105, 'system', { type: 'process-exited', process: 'router', code: null, signal: 'SIGKILL' }),
    at(4_200, 'harness', { type: 'system-started', process: 'router', pid: 901 }),
  ];
  table('charged-once', { client: 'alice', after: 'gone' }, [
    ['killed when it had had its time to settle, counted from the mark', tell({ goneMs: null, charges: [], terminalMs: 3_500, extra: late }), 'violated', 'nothing was charged'],
  ]);
});

describe('not-swept-while-live', () => {
  const quiet = losing(many({ bob: { terminalMs: 4_000 } }), ({ fact }) => (fact.type === 'received' || fact.type === 'answer-progress') && (fact.type !== 'received' || fact.marker === markerOf('bob')));
  const stopsAt = (ms: number): Row[1] => many({ bob: { terminalMs: 4_000, writesUntilMs: ms } });
  table('not-swept-while-live', { client: 'bob' }, [
    ['cut, where a bound is tested', many({ bob: { terminalMs: 4_000, closedMs: 4_100, toldMs: 4_101 } }, { tests: 'read', bounds: { read: 60_000 } }), 'inconclusive', 'as it may have had to by a bound'],
    ['cut, where none is', many({ bob: { terminalMs: 4_000, closedMs: 4_100, toldMs: 4_101 } }, { bounds: { read: 60_000 } }), 'violated', "the system cut bob's stream"],
    ['of whom nothing was ever seen to come', quiet, 'inconclusive', 'the window was too short'],
    ['nothing came after it, for all that is known', stopsAt(4_000), 'inconclusive', "reservation 8 was released at 4.1 s, while bob's stream was open; no data event was seen after that"],
    ['nothing had come for long', stopsAt(3_500), 'inconclusive', 'the window was too short'],
    ['the system was not seen', losing(many(), unseenFrom(6_000)), 'inconclusive', 'probe process too slow'],
  ]);
  table('not-swept-while-live', { client: 'zoe' }, [['who never asked', many({}, { clients: { ...CROWD.clients, zoe: { account: 'acc', address: '' } } }), 'inconclusive', 'zoe planned no exchange']]);
  const second: Crowd['ledger'] = (value, ms) => (ms < 5_000 ? value : { ...value, reservations: [...value.reservations, { ...value.reservations.find(({ id }) => id === '8')!, id: '8b' }] });
  table('not-swept-while-live', { client: 'bob' }, [['from the first of its rows on', many({ ledger: second }), 'held', 'was held for the 6.']]);
});

describe('refunds', () => {
  table('refund-refused', { client: 'bob' }, [
    ['asked twice, of which one says something', many({ refunds: [{ atMs: 8_105, verdict: 'unexpected' }, { atMs: 8_205, verdict: 'refused' }] }), 'held', 'was refused'],
  ]);
  const bobs: Entry = at(8_100, 'harness', { type: 'refund', account: 'other', attempt: 1, status: 200, answer: 'ok', verdict: 'accepted' });
  table('refundable', { client: 'bob' }, [['of an account that never asked, beside one that did', tell({ refund: null, extra: [bobs] }), 'inconclusive', 'no request of account other ever reached an upstream']]);
  table('refundable', { client: 'alice' }, [
    ['never asked', tell({ refund: null }), 'inconclusive', 'no refund was asked for account acc', { evidence: 0 }],
    ['of an account that is not there', tell({ refund: 'refused', ledger: (value) => ({ ...value, accounts: [] }) }), 'violated', 'account acc had 0 reserved', { class: undefined }],
  ]);
});

describe('reserved-kept', () => {
  const RECENT = WALL_MS + 7_960 - 1_500;
  const kept = (more: Partial<Crowd> = {}): Partial<Crowd> => ({ totals: [{ fromMs: 3_300, untilMs: Infinity, amount: 40 }], extra: [wroteTotal(3_310, 40, RECENT)], ...more });
  const without_ = (judged: Row[1], fromMs: number, untilMs: number): Row[1] => losing(judged, (entry) => isSample('ledger')(entry) && entry.atMs > fromMs && entry.atMs < untilMs);
  const unlisted: Crowd['ledger'] = (value, ms) => (ms < 5_000 ? value : { ...value, accounts: value.accounts.filter(({ id }) => id !== 'acc') });
  table('reserved-kept', { client: 'alice' }, [
    ['no baseline', without_(many(kept()), 0, 1_060.5), 'inconclusive', 'no sample of the baseline'],
    ['its account is gone', many(kept({ ledger: unlisted })), 'inconclusive', 'account acc is not in the ledger at the end', { evidence: 1 }],
    ['the system was not seen', losing(many(kept()), unseenFrom(6_000)), 'inconclusive', 'probe process too slow'],
    ['nobody came by, of a card without sweeps', many(kept(), { periods: { renewalMs: 500, leaseMs: 1_500 } }), 'inconclusive', 'no refund was asked, and the watch ended 4.7 s after the total was written: nobody came by'],
    ['cleared, and first seen in parts', many(kept({ totals: [{ fromMs: 3_300, untilMs: 5_000, amount: 40 }], extra: [wroteTotal(3_310, 40, WALL_MS + 3_600)], ledger: (value, ms) => ({ ...value, consistent: ms < 5_000 || ms > 5_200 }) })), 'inconclusive', 'old by then'],
    ['cleared before it was looked again', many(kept({ totals: [{ fromMs: 3_300, untilMs: 3_320, amount: 40 }] })), 'violated', '0 reserved beside', { interval: [3_360, 7_960] }],
  ]);
});

describe('process-alive', () => {
  const killed = (ms: number): readonly Entry[] => [at(ms, 'harness', { type: 'signal-sent', process: 'router', signal: 'SIGKILL', purpose: 'fault' }), at(ms + 5, 'system', { type: 'process-exited', process: 'router', code: null, signal: 'SIGKILL' })];
  table('process-alive', {}, [
    ['ended by a fault just before it was told to stop', tell({ extra: killed(8_400) }), 'held', 'until it was told to stop'],
    ['ended by a fault, and never told to stop', losing(tell({ extra: killed(8_400) }), ({ fact }) => fact.type === 'signal-sent' && fact.purpose === 'stop'), 'held', 'until a fault ended it'],
  ]);
});

describe('clean-shutdown', () => {
  const signal = (ms: number, name: string, purpose: 'stop' | 'fault' | 'cleanup'): Entry => at(ms, 'harness', { type: 'signal-sent', process: 'router', signal: name, purpose });
  table('clean-shutdown', {}, [
    ['told twice', tell({ extra: [signal(8_550, 'SIGTERM', 'cleanup')] }), 'held', 'ended with exit code 0'],
    ['told by SIGKILL, as its card has it', losing(tell({ exit: { atMs: 8_600, code: null, signal: 'SIGKILL' }, extra: [signal(8_505, 'SIGKILL', 'stop')] }, { stop: { signal: 'SIGKILL', graceMs: 2_000, exit: [137] } }), ({ fact }) => fact.type === 'signal-sent' && fact.signal === 'SIGTERM'), 'held', 'ended with signal SIGKILL'],
  ]);
});

describe('bounded-buffering', () => {
  const MIB = 1024 * 1024;
  const paused = at(1_500, 'client.alice', { type: 'paused', marker: MARKER, unreadBytes: 0 });
  const took = [at(1_600, 'upstream.model', { type: 'answer-progress', exchange: 3, bytes: 60 * MIB, events: 10, comments: 0 }), at(1_610, 'upstream.model', { type: 'write-blocked', exchange: 3, queuedBytes: 1 })] as const;
  const all = at(5_000, 'client.alice', { type: 'response-ended', marker: MARKER, how: 'truncated', endMark: false, errorEvent: null, bytes: 60 * MIB, events: 2, foreignMarkers: [] });
  const fault = (ms: number, name: string): Entry => at(ms, 'harness', { type: 'signal-sent', process: 'router', signal: name, purpose: 'fault' });
  const kill = (ms: number): readonly Entry[] => [fault(ms, 'SIGKILL'), at(ms, 'system', { type: 'process-exited', process: 'router', code: null, signal: 'SIGKILL' }), at(ms + 50, 'harness', { type: 'system-started', process: 'router', pid: 901 })];
  const resumed = at(3_000, 'client.alice', { type: 'resumed', marker: MARKER });
  const stalled = (...extra: readonly Entry[]): Row[1] => tell({ goneMs: null, closedMs: null, ownsUntilMs: null, servesUntilMs: null, terminalMs: null, eventsUntilMs: 1_250, refund: null, extra: [paused, ...extra] });
  table('bounded-buffering', { client: 'alice', 'at-most': 64 * MIB }, [
    ['what the end says that came is not kept', stalled(...took, all), 'held', 'took 0 B'],
    ['ended and started before she stopped reading', stalled(...kill(1_300), ...took, resumed), 'held', 'took 60.0 MiB'],
    ['ended when she read again', stalled(...took, resumed, ...kill(3_001)), 'held', 'took'],
    ['ended in that moment', stalled(...took, resumed, ...kill(3_000)), 'inconclusive', 'a fault had ended router by SIGKILL meanwhile', { evidence: 1 }],
    ['started in the moment that she stopped', stalled(...kill(1_450), ...took, resumed), 'inconclusive', 'a fault had ended router by SIGKILL meanwhile'],
    ['stopped when she read again', stalled(...took, resumed, fault(3_001, 'SIGSTOP')), 'held', 'took'],
    ['stopped in that moment', stalled(...took, resumed, fault(3_000, 'SIGSTOP')), 'inconclusive', 'a fault had stopped router', { evidence: 1 }],
    ['continued in that moment', stalled(fault(1_590, 'SIGSTOP'), ...took, fault(3_000, 'SIGCONT'), resumed), 'inconclusive', 'a fault had stopped router'],
    ['continued before', stalled(fault(1_590, 'SIGSTOP'), ...took, fault(2_999, 'SIGCONT'), resumed), 'held', 'took'],
  ]);
});

describe('siblings-untouched', () => {
  table('siblings-untouched', { clients: ['bob'] }, [['the system was not seen', losing(many(), unseenFrom(6_000)), 'inconclusive', 'probe process too slow']]);
});

describe('terminal-once', () => {
  const asked: Partial<Crowd> = {
    refunds: [{ atMs: 8_100, verdict: 'accepted' }, { atMs: 8_200, verdict: 'refused' }],
    extra: [at(8_300, 'harness', { type: 'let-finish', marker: null, count: 0 })], bob: { account: null }, carol: { account: null },
  };
  const writes = (ms: number): Partial<Crowd> => ({ ...asked, bob: { account: null, upstreamEndMs: 1_200, toldMs: 1_250 }, carol: { account: null, upstreamEndMs: 1_200, toldMs: 1_250 }, ledger: (value, at) => ({ ...value, writes: at < ms ? 5 : 9 }) });
  const unseen = 'the ledger was written 4 times';
  table('terminal-once', { client: 'alice' }, [
    ['written while it was watched', many(writes(5_000)), 'inconclusive', unseen],
    ['written before it was over', many(writes(2_000)), 'held', 'two sweeps'],
    ['written when it was asked', many(writes(8_150)), 'held', 'two sweeps'],
  ]);
});

describe('request-count', () => {
  const options = { upstream: 'model', client: 'alice', equals: 1 };
  const again = (isSent: boolean): readonly Entry[] => [
    at(4_000, 'harness', { type: 'exchange-planned', marker: MARKER, client: 'alice', account: 'acc', upstream: 'model', request: 'chat', purpose: 'drive', repeat: true }),
    ...(isSent ? [at(4_005, 'client.alice', { type: 'request-written', connection: 1, marker: MARKER, bytes: 200 } as const)] : []),
  ];
  const never = ({ fact, atMs }: Entry): boolean => fact.type === 'request-received' || (fact.type === 'request-written' && atMs < 4_000);
  table('request-count', options, [
    ['a repeat that came to no upstream is the same request', tell({ extra: again(true) }), 'held', "alice's request came 1 time to upstream model; 0 bare connections", { whole: true }],
    ['written only when it was repeated', losing(tell({ extra: again(true) }), never), 'violated', "alice's request came 0 times"],
    ['never written', losing(tell({ extra: again(false) }), never), 'inconclusive', 'no request was written'],
  ]);
});

describe('upstream-closed', () => {
  const stop = (ms: number): Entry => at(ms, 'harness', { type: 'signal-sent', process: 'router', signal: 'SIGTERM', purpose: 'fault' });
  const stays: Partial<Knobs> = { goneMs: null, closedMs: 3_005, ownsUntilMs: 3_005, servesUntilMs: null };
  const marked = at(2_990, 'harness', { type: 'mark', mark: 'cut', client: null });
  const options = { upstream: 'model', client: 'alice', within: 2_000 };
  table('upstream-closed', options, [
    ['by going down, which is what the bound is of', { ...tell({ ...stays, extra: [marked, stop(3_000)] }, { stopsAt: 'cut' }), options: { after: { bound: 'shutdown' } } }, 'held', 'was closed by FIN'],
    ['by going down, which the mark says', { ...tell({ ...stays, extra: [marked, stop(3_000)] }, { stopsAt: 'cut' }), options: { after: 'cut' } }, 'held', 'was closed by FIN'],
    ['by going down, and not by a time-out', { ...tell({ ...stays, closedMs: 4_000, ownsUntilMs: 4_000, extra: [marked, stop(3_000)] }, { stopsAt: 'cut' }), options: { after: { bound: 'lifetime' } } }, 'inconclusive', 'the system was told to stop by SIGTERM'],
  ]);
});

describe('bounded-wait', () => {
  const leaks = (upstream: string): readonly Entry[] => [
    at(1_112, `upstream.${upstream}`, { type: 'request-received', connection: 8, exchange: 8, marker: MARKER, method: 'POST', path: '/', bodyBytes: 1, behaviour: 'endless' }),
    ...every(500, 1_200, 7_900).map((ms, index) => at(ms, `upstream.${upstream}`, { type: 'answer-progress', exchange: 8, bytes: index + 1, events: index + 1, comments: 0 } as const)),
  ];
  const ends: Partial<Knobs> = { goneMs: null, closedMs: 4_110, ownsUntilMs: 4_110, servesUntilMs: 4_111, toldMs: 4_112, terminalMs: 4_115, charges: [] };
  const options = { bound: 'lifetime', client: 'alice' };
  table('bounded-wait', options, [
    ['at whichever upstream', tell({ ...ends, extra: leaks('other') }), 'violated', 'upstream exchange 8 was still open'],
    ['at the one that is asked about', { ...tell({ ...ends, extra: leaks('other') }), options: { upstream: 'model' } }, 'held', 'alice was told'],
    ['the system died when it was just due', tell({ ...ends, extra: [at(4_550, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null })] }), 'inconclusive', 'router died by itself'],
    ['the system died later', tell({ ...ends, extra: [at(4_650, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null })] }), 'held', 'alice was told'],
  ]);
});
