// Books that are odd and right, or wrong for a while: totals without rows, rows without totals, an account that
// comes later, two that are wrong at different times; and memory that shrinks or is seen rarely.
import { describe, expect, test } from 'vitest';
import { verdictOf } from './fixtures/judging.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';
import type { Account, LedgerValue, Reservation } from '../model/samples.ts';

type Change = (account: Account, ms: number) => Partial<Account>;
/** Account `acc` as told, without rows and charges. */
const bare = (change: Change, more: (value: LedgerValue, ms: number) => Partial<LedgerValue> = () => ({})): Partial<Knobs> => ({
  charges: [],
  ledger: (value, ms) => ({
    ...value,
    reservations: [],
    accounts: value.accounts.map((account) => (account.id === 'acc' ? { ...account, balance: 10_000, reserved: 0, ...change(account, ms) } : account)),
    ...more(value, ms),
  }),
});
const AGGREGATE = { ledger: { hasReservations: false, hasCharges: true } };
const NOTHING = 'no reservation or charge was ever seen';
const half = (ms: number): Partial<Account> => (ms < 2_000 ? {} : { balance: 9_990, reserved: 5, spent: 5 });
const fresh = (reserved: number) => bare(() => ({}), (value, ms) => ({
  accounts: [...value.accounts.map((account) => ({ ...account, balance: 10_000, reserved: 0 })), ...(ms < 2_000 ? [] : [{ id: 'new', balance: 5, reserved, spent: 0 }])],
}));
const row: Reservation = { id: '7', account: 'acc', payer: 'acc', amount: 5, state: 'released', terminal: true };

describe('something to add up', () => {
  table('accounting-valid', {}, [
    ['a total that was held and spent', { entries: story(bare((_, ms) => half(ms))), facts: AGGREGATE }, 'held', 'snapshots add up'],
    ['a row that was over at once', { entries: story(bare(() => ({}), (_, ms) => (ms < 2_000 ? {} : { reservations: [row] }))) }, 'held', 'snapshots add up'],
    ['only what was there before', { entries: story(bare(() => ({ balance: 9_994, reserved: 3, spent: 3 }))), facts: AGGREGATE }, 'inconclusive', NOTHING, { evidence: 1 }],
    ['an account that comes later, and is empty', { entries: story(fresh(0)) }, 'inconclusive', NOTHING],
    ['an account that comes later, and holds something', { entries: story(fresh(5)), facts: AGGREGATE }, 'held', 'snapshots add up'],
    ['never in one transaction', { entries: story({ ledger: (value) => ({ ...value, consistent: false }) }) }, 'inconclusive', 'in one transaction', { evidence: 1 }],
  ]);
});

describe('how long it was wrong', () => {
  const wrong = (id: string, fromMs: number, toMs: number) => (value: LedgerValue, ms: number): LedgerValue => ({
    ...value,
    accounts: value.accounts.map((account) => (account.id === id && ms >= fromMs && ms < toMs ? { ...account, balance: 3 } : account)),
  });
  const asked = at(8_060, 'harness', { type: 'refund', account: 'acc', attempt: 1, status: 200, answer: '', verdict: 'accepted' });
  const both: Partial<Knobs> = { ledger: (value, ms) => wrong('other', 5_000, 6_000)(wrong('acc', 4_000, 4_300)(value, ms), ms) };
  table('accounting-valid', {}, [
    ['another account that is wrong later is another matter', { entries: story(both) }, 'violated', 'account acc', { interval: [4_060, 4_260] }],
    ['in the last snapshot before the refund', { entries: story({ ledger: wrong('acc', 7_960, 9_000), extra: [asked] }) }, 'violated', 'account acc', { interval: [7_960, 7_960] }],
    ['in the moment of the refund', { entries: story({ ledger: wrong('acc', 8_060, 9_000), extra: [asked] }) }, 'held', 'add up'],
  ]);
  test('what adds up is shown by the first and the last snapshot', () =>
    expect(verdictOf('accounting-valid', { entries: story() }).evidence).toEqual(['probe.ledger#6', 'probe.ledger#77']));
});

describe('memory', () => {
  const MIB = 1024 * 1024;
  const rss = (of: (ms: number) => number): Partial<Knobs> => ({ rssBytes: (ms) => of(ms) * MIB });
  const once = (atMs: number): readonly Entry[] => [
    ...without(story(), (entry) => isSample('process')(entry) && entry.atMs >= 939 && entry.atMs <= 1_051),
    at(atMs, 'probe.process', { type: 'sample', probe: 'process', tookMs: 1, value: { alive: { router: true }, pids: [900], rssBytes: 50 * MIB, runDelayMs: 0, runDelays: {} } }),
  ];
  const request = (exchange: number): Entry =>
    at(1_400, 'upstream.model', { type: 'request-received', connection: 9, exchange, marker: 'hx.alice.1.00000001', method: 'POST', path: '/', bodyBytes: 1, behaviour: 'endless' });
  const planned = at(1_300, 'harness', { type: 'exchange-planned', marker: 'hx.bob.1.00000002', client: 'bob', account: 'other', upstream: 'model', request: 'chat', purpose: 'drive' });
  table('bounded-memory', { 'at-most': 2 * MIB }, [
    ['it shrank', { entries: story(rss((ms) => (ms < 1_100 ? 50 : 40))) }, 'held', 'memory grew by 0 B to 50.0 MiB'],
    ['all that is allowed, then more', { entries: story(rss((ms) => (ms < 3_000 ? 50 : ms < 4_000 ? 52 : 53))) }, 'violated', 'grew by 3.0 MiB', { interval: [4_100, 4_100] }],
    ['seen when the baseline began', { entries: once(941) }, 'held', 'memory grew by 0 B'],
    ['seen just before it', { entries: once(940.5) }, 'inconclusive', 'no sample of the baseline'],
    ['seen when the baseline was over', { entries: once(1_050) }, 'held', 'memory grew by 0 B'],
    ['seen just after it', { entries: once(1_050.5) }, 'inconclusive', 'no sample of the baseline'],
    ['the record breaks off within the baseline', { entries: without(story(), ({ atMs }) => atMs > 1_000) }, 'inconclusive', 'no sample of the baseline'],
    ['a client that was never answered shows nothing', { entries: story({ extra: [planned] }) }, 'held', 'memory grew by 0 B'],
    ['a request that was never answered neither', { entries: story({ extra: [request(9)] }) }, 'held', 'memory grew by 0 B'],
  ]);
});
