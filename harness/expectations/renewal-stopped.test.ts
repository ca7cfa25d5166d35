import { describe, expect, test } from 'vitest';
import { verdictOf } from './fixtures/judging.ts';
import { LEAK, WALL_MS } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { LedgerValue, Reservation } from '../model/samples.ts';

const OPTIONS = { client: 'alice', after: 'gone' };
const other = (changes: Partial<Reservation>): Reservation => ({
  id: '9',
  account: 'acc',
  payer: 'acc',
  amount: 5,
  state: 'active',
  terminal: false,
  leaseAtMs: WALL_MS,
  ...changes,
});
/** Another row of the account, from a moment on, renewed every 500 ms. */
const beside = (fromMs: number, changes: Partial<Reservation> = {}) => ({
  ledger: (value: LedgerValue, ms: number): LedgerValue =>
    ms < fromMs
      ? value
      : { ...value, reservations: [...value.reservations, other({ leaseAtMs: WALL_MS + Math.floor(ms / 500) * 500, ...changes })] },
});
const planned = (marker: string, fromMs: number) =>
  at(fromMs, 'harness', {
    type: 'exchange-planned',
    marker,
    client: 'bob',
    account: 'acc',
    upstream: 'model',
    request: 'chat',
    purpose: 'drive',
  });

describe('held', () => {
  table('renewal-stopped', OPTIONS, [
    [
      'terminal, and nothing moves',
      { entries: story() },
      'held',
      "no lease of 1 reservation of alice moved from one renewal after alice's FIN to 5.0 s after it",
    ],
    [
      'live for ever, but renewed before and not after',
      { entries: story({ ...LEAK, renewUntilMs: 2_900 }) },
      'held',
      'no lease of 1 reservation',
    ],
    ['one renewal on its way', { entries: story({ ...LEAK, renewUntilMs: 3_200 }) }, 'held', 'no lease'],
    ['a renewal within the margin', { entries: story({ ...LEAK, renewUntilMs: 3_650 }) }, 'held', 'no lease'],
    [
      'a terminal row whose lease time is set once more',
      {
        entries: story({
          ledger: (value, ms) =>
            ms < 5_000 ? value : { ...value, reservations: value.reservations.map((row) => ({ ...row, leaseAtMs: WALL_MS + ms })) },
        }),
      },
      'held',
      'no lease',
    ],
    [
      'a lease that moves back',
      {
        entries: story({
          ...LEAK,
          renewUntilMs: 2_900,
          ledger: (value, ms) =>
            ms < 5_000 ? value : { ...value, reservations: value.reservations.map((row) => ({ ...row, leaseAtMs: WALL_MS - ms })) },
        }),
      },
      'held',
      'no lease',
    ],
    [
      "another exchange's row is renewed",
      { entries: story({ ...beside(1_500, { marker: 'hx.bob.1.00000002' }), extra: [planned('hx.bob.1.00000002', 1_400)] }) },
      'held',
      'no lease of 1 reservation',
    ],
    [
      "another exchange's row appears, without a marker",
      { entries: story({ ...beside(5_000), extra: [planned('hx.bob.1.00000002', 4_900)] }) },
      'held',
      'no lease',
    ],
    [
      "a fault's row",
      { entries: story({ ...beside(5_000), extra: [at(4_950, 'harness', { type: 'ledger-rows', reservations: ['9'], account: 'acc' })] }) },
      'held',
      'no lease',
    ],
    ['a row of another account', { entries: story(beside(5_000, { account: 'other', payer: 'other' })) }, 'held', 'no lease'],
    ['a row that appears terminal', { entries: story(beside(5_000, { terminal: true, state: 'charged' })) }, 'held', 'no lease'],
  ]);
});

describe('violated', () => {
  table('renewal-stopped', OPTIONS, [
    [
      'goes on being renewed',
      { entries: story(LEAK) },
      'violated',
      "lease of reservation 7 moved 10 times after alice's FIN, last 4.7 s after it",
    ],
    [
      'once, much later',
      {
        entries: story({
          ...LEAK,
          renewUntilMs: 2_900,
          ledger: (value, ms) =>
            ms < 6_500 ? value : { ...value, reservations: value.reservations.map((row) => ({ ...row, leaseAtMs: WALL_MS + 6_500 })) },
        }),
      },
      'violated',
      "lease of reservation 7 moved 1 time after alice's FIN, last 3.6 s after it",
    ],
    [
      'a new row with its own marker',
      { entries: story(beside(5_000, { marker: 'hx.alice.1.00000001', leaseAtMs: 1 })) },
      'violated',
      "reservation 9 appeared 2.1 s after alice's FIN, and nobody else owns it",
    ],
    ['a new row of nobody', { entries: story(beside(5_000, { leaseAtMs: 1 })) }, 'violated', 'reservation 9 appeared 2.1 s after'],
    [
      'a new row with a marker that nobody sent',
      { entries: story(beside(5_000, { marker: 'hx.nobody.1.00000009', leaseAtMs: 1 })) },
      'violated',
      'reservation 9 appeared',
    ],
    [
      'though the ledger was lost later',
      { entries: without(story(LEAK), (entry) => isSample('ledger')(entry) && entry.atMs > 6_000) },
      'violated',
      'moved 6 times',
    ],
    [
      'though the system was starved later',
      { entries: story({ ...LEAK, runDelayMs: (ms) => (ms > 7_000 ? 900 : 0) }) },
      'violated',
      'moved 10 times',
    ],
  ]);
  test('class, evidence, interval', () => {
    const verdict = verdictOf('renewal-stopped', { entries: story(LEAK), options: OPTIONS });
    expect(verdict.class).toBe('renewing');
    expect(verdict.interval).toEqual({ fromMs: 4_060, toMs: 7_660 });
    expect(verdict.evidence).toEqual(['probe.ledger#37', 'probe.ledger#38', 'probe.ledger#73']);
  });
});

describe('inconclusive', () => {
  table('renewal-stopped', OPTIONS, [
    [
      'nobody asked',
      { entries: without(story(), ({ fact }) => fact.type === 'exchange-planned') },
      'inconclusive',
      'alice planned no exchange',
    ],
    ['the mark was never set', { entries: story({ goneMs: null }) }, 'inconclusive', 'mark gone was never set'],
    [
      'nothing was ever reserved',
      { entries: story({ ledger: (value) => ({ ...value, reservations: [] }) }) },
      'inconclusive',
      "no reservation of alice's exchange was seen active before alice's FIN",
    ],
    [
      'whose the row is cannot be told',
      { entries: story({ marked: false, extra: [planned('hx.bob.1.00000002', 1_050)] }) },
      'inconclusive',
      'reservation 7 may belong to another exchange of the same account',
    ],
    [
      'the path did not work',
      { entries: story({ extra: [at(800, 'harness', { type: 'precondition', name: 'path', met: false, detail: 'no' })] }) },
      'inconclusive',
      'precondition path',
    ],
    [
      'the clocks are apart',
      { entries: story({ extra: [at(101, 'harness', { type: 'clock', offsetMs: 0, errorMs: 300 })] }) },
      'inconclusive',
      'the clocks agree',
    ],
    ['the answer had ended before', { entries: story({ toldMs: 2_000 }) }, 'inconclusive', 'precondition stream'],
    [
      'the system died in the watch',
      { entries: story({ extra: [at(7_000, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null })] }) },
      'inconclusive',
      'router died by itself',
    ],
    ['the record breaks off', { entries: without(story(), ({ atMs }) => atMs > 7_000) }, 'inconclusive', 'the record breaks off'],
    [
      'a renewal that starving may have delayed',
      { entries: story({ ...LEAK, renewUntilMs: 4_650, runDelayMs: (ms) => Math.max(0, Math.min(ms, 3_700) - 3_000) * 1.5 }) },
      'inconclusive',
      'the system waited',
    ],
  ]);
});

describe('does not apply', () => {
  table('renewal-stopped', OPTIONS, [
    ['without a ledger', { entries: story(), facts: { ledger: null } }, 'does-not-apply', 'the card has no ledger'],
    [
      'with an aggregate only',
      { entries: story(), facts: { ledger: { hasReservations: false, hasCharges: true } } },
      'does-not-apply',
      'the ledger has no reservations, only an aggregate',
    ],
    [
      'without a renewal period',
      { entries: story(), facts: { periods: { leaseMs: 1 } } },
      'does-not-apply',
      'the card declares no period of renewal and lease',
    ],
    [
      'without a lease',
      { entries: story(), facts: { periods: { renewalMs: 1 } } },
      'does-not-apply',
      'the card declares no period of renewal and lease',
    ],
    [
      'to a client that vanishes',
      { entries: story(), facts: { leaves: [{ mark: 'gone', client: 'alice', how: 'vanish' }] } },
      'does-not-apply',
      'alice vanishes',
    ],
  ]);
});
