// Releases and siblings to the sample: what was live in the very sample in which it was over, rows that were never
// live, an account that is gone; and what the verdict then points at.
import { describe } from 'vitest';
import { crowd, CROWD } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const ALICE = { client: 'alice' };
const tell = (changes: Partial<Crowd> = {}, edit: (entries: readonly Entry[]) => readonly Entry[] = (entries) => entries): Row[1] => ({ entries: edit(crowd(changes)), facts: CROWD });
const never = (entries: readonly Entry[]): readonly Entry[] => without(entries, (entry) => entry.fact.type === 'exchange-planned' || isSample('ledger')(entry));
/** Bob gets an event every 1.43 s, the third at 4.06 s: in the very sample in which his row is over. */
const slow = (writesUntilMs: number): Partial<Crowd> => ({ bob: { everyMs: 1_430, writesUntilMs, terminalMs: 4_000 } });

describe('only-mine-released', () => {
  table('only-mine-released', ALICE, [
    ['released, and nothing more', tell(), 'held', "alice's exchange was released: account acc has 100 reserved, 1 live row of others hold 100", { whole: true }],
    ['nobody asked, and nothing was seen', tell({}, never), 'inconclusive', 'alice planned no exchange'],
    ['a row that was over when it was first seen', tell({ alice: { terminalMs: 1_110 } }), 'inconclusive', "no reservation of alice's exchange was ever seen active"],
    ['whose a row is cannot be told', tell({ marked: false }), 'inconclusive', 'reservation 7 may belong to another exchange', { evidence: 1 }],
    ['still held', tell({ alice: { terminalMs: null } }), 'violated', 'was still active at the end', { interval: [6_000, 7_960], evidence: 1 }],
    ['the account is gone', tell({ ledger: (value, ms) => (ms < 7_000 ? value : { ...value, accounts: [] }) }), 'inconclusive', 'account acc is not in the ledger at the end', { evidence: 1 }],
    ['a sibling that was live until the sample in which it was over', tell(slow(4_060)), 'held', 'account acc has 0 reserved'],
    ['a sibling that was live after it', tell(slow(5_490)), 'violated', 'reservation 8 of bob was released at 4.1 s', { interval: [4_060, 5_490], evidence: 2, class: 'aggregate and rows drifted apart' }],
  ]);
});

describe('siblings-untouched', () => {
  const alone: Partial<Crowd> = { bob: { account: null, reservedMs: null }, carol: { account: null, reservedMs: null } };
  const rarely = (entries: readonly Entry[]) => without(entries, (entry) => isSample('ledger')(entry) && entry.atMs > 4_000 && entry.atMs < 6_500);
  const stopped = at(4_000, 'harness', { type: 'signal-sent', process: 'router', signal: 'SIGSTOP', purpose: 'fault' });
  const broke = at(5_000, 'harness', { type: 'actor-failed', process: 'upstreams', error: 'out of memory' });
  table('siblings-untouched', { client: 'alice' }, [
    ["another one's copies are siblings as well", { ...tell({ bob: { terminalMs: 4_000 } }), facts: { ...CROWD, copies: { many: ['bob'] } } }, 'violated', 'reservation 8 of bob was released'],
    ['its own copies are not', { ...tell({ bob: { terminalMs: 4_000 } }), facts: { ...CROWD, copies: { many: ['alice', 'bob'] } } }, 'held', 'of carol'],
    ['an upstream that broke saw nothing', tell({ extra: [broke] }), 'inconclusive', 'the watching process upstreams failed'],
    ['whoever has no account need no ledger', tell(alone, rarely), 'held', 'bob'],
    ['whoever has one does', tell({}, rarely), 'inconclusive', 'lease of reservation 8'],
    ['a system that was starved before the watch only', tell({ runDelayMs: (ms) => (ms < 4_000 ? 0 : 600) }), 'held', 'reservation 8 of bob was held'],
    ['and in it', tell({ runDelayMs: (ms) => (ms < 7_000 ? 0 : 600) }), 'inconclusive', 'waited 600 ms for a processor'],
    ['one that is named, of an instance that a fault stopped', { ...tell({ extra: [stopped] }), options: { clients: ['bob'] } }, 'inconclusive', 'to which a fault sent SIGSTOP', { evidence: 1 }],
  ]);
});

describe('terminal-once', () => {
  const finished = at(8_300, 'harness', { type: 'let-finish', marker: null, count: 0 });
  const charge = (atMs: number, amount: number) => ({ atMs, amount, client: 'alice' });
  const asked = (changes: Partial<Crowd> = {}): Partial<Crowd> => ({
    refunds: [{ atMs: 8_100, verdict: 'accepted' }, { atMs: 8_200, verdict: 'refused' }], extra: [finished], charges: [charge(3_020, 19)], ...changes,
  });
  /** Another row of alice's exchange, over at 5 s. */
  const second: Partial<Crowd> = {
    ledger: (value, ms) => ({
      ...value,
      reservations: value.reservations.flatMap((row) => (row.id === '7' && ms >= 3_000 ? [row, { ...row, id: '7b', state: ms < 5_000 ? 'active' : 'released', terminal: ms >= 5_000 }] : [row])),
    }),
  };
  table('terminal-once', ALICE, [
    ['charged when one was over and the other was not', tell(asked({ ...second, charges: [charge(3_020, 19), charge(4_000, 4)] })), 'held', 'reservation 7 stayed released'],
    ['the same, where the first is over last', tell(asked({ ...second, alice: { terminalMs: 6_000 }, charges: [charge(3_020, 19), charge(5_500, 4)] })), 'held', 'reservation 7 stayed released'],
    ['charged when both were', tell(asked({ ...second, charges: [charge(3_020, 19), charge(5_500, 4)] })), 'violated', '19 was charged when it was over, and 19 and 4 500 ms later'],
    ['a third refund, just before the end', tell(asked({ refunds: [{ atMs: 8_100, verdict: 'accepted' }, { atMs: 8_200, verdict: 'refused' }, { atMs: 10_500, verdict: 'refused' }] })), 'held', 'through two refunds'],
    ['a second one, just before the end', tell(asked({ refunds: [{ atMs: 8_100, verdict: 'accepted' }, { atMs: 10_500, verdict: 'refused' }] })), 'inconclusive', 'two sweeps take 2.0 s', { evidence: 1 }],
    ['nobody asked', tell(asked(), never), 'inconclusive', 'alice planned no exchange'],
    ['no baseline', tell(asked(), (entries) => without(entries, (entry) => isSample('ledger')(entry) && entry.atMs < 1_100)), 'inconclusive', 'no sample of the baseline'],
  ]);
});

describe('request-count', () => {
  const bobs = 'hx.bob.1.00000002';
  const plan = at(1_300, 'harness', { type: 'exchange-planned', marker: bobs, client: 'bob', account: 'other', upstream: 'model', request: 'chat', purpose: 'drive' });
  const written = at(2_000, 'client.bob', { type: 'request-written', connection: 1, marker: bobs, bytes: 1 });
  const opened = (atMs: number) => at(atMs, 'upstream.model', { type: 'connection-opened', connection: 9, local: '127.0.0.20:9000', peer: '127.0.0.2:50009' });
  const elsewhere = at(2_100, 'upstream.backup', { type: 'request-received', connection: 9, exchange: 1, marker: bobs, method: 'POST', path: '/', bodyBytes: 1, behaviour: 'endless' });
  const bound = { 'bare-connections': 0, after: { bound: 'lifetime' } };
  const two = (...extra: readonly Entry[]) => ({ entries: story({ runDelayMs: () => 0, extra: [plan, ...extra] }) });
  table('request-count', { upstream: 'model' }, [
    ['a connection of that number carried a request elsewhere', { ...two(written, opened(2_050), elsewhere), options: { 'bare-connections': 0 } }, 'violated', '1 connection to upstream model never carried a request', { evidence: 1 }],
    ['one for whom nothing can be counted', { ...two(), options: { 'at-most': 5, after: { bound: 'lifetime' } } }, 'inconclusive', 'bob'],
    ['what comes between the one bound and the other counts', { ...two(written, opened(5_000)), options: bound }, 'violated', 'never carried a request'],
    ['what comes before both does not', { ...two(written, opened(4_300)), options: bound }, 'held', '0 bare connections'],
    ['one who never wrote', { ...two(), options: { 'at-most': 1 } }, 'held', "alice's request came 1 time to upstream model; bob's request came 0 times to upstream model; 0 bare connections", { whole: true }],
    ['too few', { ...two(written), options: { equals: 1 } }, 'violated', "bob's request came 0 times to upstream model, 1 is right", { evidence: 1 }],
  ]);
});
