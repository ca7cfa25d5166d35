import { describe, expect, test } from 'vitest';
import { definition } from './billing-terminal.ts';
import { FACTS } from './fixtures/facts.ts';
import { verdictOf } from './fixtures/judging.ts';
import { LEAK, WALL_MS } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, isSample, timelineOf, without } from './fixtures/timeline.ts';
import type { LedgerValue } from '../model/samples.ts';

const OPTIONS = { client: 'alice', after: 'gone', within: 2_000 };
const AGGREGATE = { ledger: { hasReservations: false, hasCharges: true } };
const noRows = (value: LedgerValue): LedgerValue => ({ ...value, reservations: [] });
/** The row is terminal from one moment to another only. */
const terminalBetween = (fromMs: number, toMs: number) => ({
  terminalMs: null,
  ledger: (value: LedgerValue, ms: number): LedgerValue => ({
    ...value,
    reservations: value.reservations.map((row) => (ms >= fromMs && ms < toMs ? { ...row, state: 'released', terminal: true } : row)),
  }),
});

describe('held', () => {
  table('billing-terminal', OPTIONS, [
    ['terminal at once', { entries: story() }, 'held', "reservation 7 was charged 60 ms after alice's FIN"],
    ['terminal between limit and margin', { entries: story({ terminalMs: 5_150 }) }, 'held', 'reservation 7 was charged 2.2 s after'],
    [
      'the row is gone',
      {
        entries: story({ terminalMs: null, ledger: (value, ms) => (ms > 3_500 ? noRows(value) : value) }),
      },
      'held',
      'reservation 7 was gone 560 ms after',
    ],
    [
      'only an aggregate, back where it was',
      { entries: story({ ledger: noRows }), facts: AGGREGATE },
      'held',
      "the reserved total of alice's account was 0 60 ms after",
    ],
    ['the ledger has no markers', { entries: story({ marked: false }) }, 'held', 'reservation 7 was charged'],
    [
      'after a bound',
      { entries: story({ goneMs: null, terminalMs: 4_105 }), options: { after: { bound: 'lifetime' } } },
      'held',
      'after the lifetime bound of 3.0 s',
    ],
    [
      'after a bound, a moment early',
      { entries: story({ goneMs: null, terminalMs: 4_050 }), options: { after: { bound: 'lifetime' } } },
      'held',
      '40 ms before the lifetime bound of 3.0 s',
    ],
  ]);
});

describe('violated', () => {
  table('billing-terminal', OPTIONS, [
    [
      'never',
      { entries: story(LEAK) },
      'violated',
      "reservation 7 was still active 5.0 s after alice's FIN; lease of reservation 7 moved 10 times",
    ],
    [
      'too late',
      { entries: story({ terminalMs: 5_500 }) },
      'violated',
      "reservation 7 was still active 2.5 s after alice's FIN; lease of reservation 7 moved 5 times",
    ],
    [
      'terminal, but not for good',
      { entries: story(terminalBetween(3_020, 4_000)) },
      'violated',
      'reservation 7 was released, and active again 1.0 s later',
    ],
    [
      'only an aggregate that stays',
      { entries: story({ ...LEAK, ledger: noRows }), facts: AGGREGATE },
      'violated',
      "the reserved total of alice's account was still 100 5.0 s after alice's FIN",
    ],
    [
      'though the ledger was lost later',
      { entries: without(story(LEAK), (entry) => isSample('ledger')(entry) && entry.atMs > 5_600) },
      'violated',
      'still active 2.6 s after',
    ],
  ]);

  const classOf = (changes: Parameters<typeof story>[0], facts = {}) =>
    verdictOf('billing-terminal', { entries: story({ ...LEAK, ...changes }), options: OPTIONS, facts }).class;
  const withRow =
    (leaseAgeMs: number) =>
    (value: LedgerValue, ms: number): LedgerValue => ({
      ...value,
      accounts: value.accounts.map((account) => (account.id === 'acc' ? { ...account, reserved: account.reserved + 50 } : account)),
      reservations: [
        ...value.reservations,
        { id: '8', account: 'acc', payer: 'acc', amount: 50, state: 'active', terminal: false, leaseAtMs: WALL_MS + ms - leaseAgeMs },
      ],
    });
  test('class: renewing', () => expect(classOf({})).toBe('renewing'));
  test('class: stale but unswept', () => expect(classOf({ renewUntilMs: 2_900 })).toBe('stale but unswept'));
  test('class: future lease', () =>
    expect(
      classOf({
        ledger: (value, ms) => ({ ...value, reservations: value.reservations.map((row) => ({ ...row, leaseAtMs: WALL_MS + ms + 1_600 })) }),
      }),
    ).toBe('future lease'));
  test('class: a lease that expires in time is not a future one', () =>
    expect(
      classOf({
        ledger: (value) => ({ ...value, reservations: value.reservations.map((row) => ({ ...row, leaseAtMs: row.leaseAtMs! + 1_500 })) }),
      }),
    ).toBe('renewing'));
  test('class: some stale, some fresh', () => expect(classOf({ ledger: withRow(2_000) })).toBe('some stale, some fresh'));
  test('class: aggregate without a row', () => expect(classOf({ ledger: noRows }, AGGREGATE)).toBe('aggregate without a row'));
  test('class: aggregate and rows drifted apart', () =>
    expect(
      classOf({
        renewUntilMs: 2_900,
        ledger: (value) => ({
          ...value,
          accounts: value.accounts.map((account) => ({ ...account, reserved: account.reserved + 7 })),
          reservations: value.reservations
            .map((row) => ({ ...row, leaseAtMs: value.wallMs - 100 - (value.wallMs % 2) }))
            .map(({ leaseAtMs: _, ...row }) => row),
        }),
      }),
    ).toBe('aggregate and rows drifted apart'));
  test('class: none where none fits', () =>
    expect(
      classOf({
        ledger: (value) => ({ ...value, reservations: value.reservations.map(({ leaseAtMs: _, ...row }) => row) }),
      }),
    ).toBeUndefined());
  test('evidence and interval', () => {
    const verdict = verdictOf('billing-terminal', { entries: story(LEAK), options: OPTIONS });
    expect(verdict.interval).toEqual({ fromMs: 5_250, toMs: 7_960 });
    expect(verdict.evidence).toEqual(['probe.ledger#49', 'probe.ledger#76']);
  });
});

describe('inconclusive', () => {
  const bob = at(1_050, 'harness', {
    type: 'exchange-planned',
    marker: 'hx.bob.1.00000002',
    client: 'bob',
    account: 'acc',
    upstream: 'model',
    request: 'chat',
    purpose: 'drive',
  });
  table('billing-terminal', OPTIONS, [
    [
      'nobody asked',
      { entries: without(story(), ({ fact }) => fact.type === 'exchange-planned') },
      'inconclusive',
      'alice planned no exchange',
    ],
    ['the mark was never set', { entries: story({ goneMs: null }) }, 'inconclusive', 'mark gone was never set'],
    [
      'never seen active',
      { entries: story({ ledger: noRows }) },
      'inconclusive',
      "no reservation of alice's exchange was seen active before alice's FIN",
    ],
    [
      'active only after the mark',
      { entries: story({ ...LEAK, ledger: (value, ms) => (ms <= 3_000 ? noRows(value) : value) }) },
      'inconclusive',
      'was seen active before',
    ],
    [
      'whose it is cannot be told',
      { entries: story({ marked: false, extra: [bob] }) },
      'inconclusive',
      'reservation 7 may belong to another exchange of the same account',
    ],
    [
      'no sample around the limit',
      {
        entries: without(story({ terminalMs: 5_300 }), (entry) => isSample('ledger')(entry) && entry.atMs > 4_400 && entry.atMs < 5_600),
      },
      'inconclusive',
      'probe ledger has no sample that shows whether reservation 7 had ended in time',
    ],
    [
      'no baseline for an aggregate',
      {
        entries: without(story({ ledger: noRows }), (entry) => isSample('ledger')(entry) && entry.atMs < 1_060),
        facts: AGGREGATE,
      },
      'inconclusive',
      'probe ledger has no sample of the baseline',
    ],
    [
      'the record breaks off',
      { entries: without(story(), ({ atMs }) => atMs > 7_900) },
      'inconclusive',
      'breaks off at 7.9 s, before the end of the watch',
    ],
    [
      'the path did not work',
      { entries: story({ extra: [at(800, 'harness', { type: 'precondition', name: 'path', met: false, detail: 'no' })] }) },
      'inconclusive',
      'precondition path was not met',
    ],
    [
      'the clocks are apart',
      { entries: story({ extra: [at(101, 'harness', { type: 'clock', offsetMs: 0, errorMs: 251 })] }) },
      'inconclusive',
      'the clocks agree only to 251 ms',
    ],
    ['the answer had ended before the leave', { entries: story({ toldMs: 2_000 }) }, 'inconclusive', 'precondition stream was not met'],
    [
      'the system died before it was due',
      { entries: story({ ...LEAK, extra: [at(4_000, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null })] }) },
      'inconclusive',
      'router died by itself at 4.0 s (exit code 3)',
    ],
    [
      'the system died later: whether it stayed so is not known',
      { entries: story({ extra: [at(7_000, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null })] }) },
      'inconclusive',
      'router died by itself at 7.0 s',
    ],
  ]);
  test("another process's end is not the system's", () => {
    const entries = story({ extra: [at(4_000, 'system', { type: 'process-exited', process: 'store', code: 3, signal: null })] });
    expect(verdictOf('billing-terminal', { entries, options: OPTIONS }).outcome).toBe('held');
  });
  test('an end that a fault told it to make is none of its own', () => {
    const told = (signal: string) =>
      story({
        extra: [
          at(6_900, 'harness', { type: 'signal-sent', process: 'router', signal, purpose: 'fault' }),
          at(7_000, 'system', { type: 'process-exited', process: 'router', code: 0, signal: null }),
        ],
      });
    expect(verdictOf('billing-terminal', { entries: told('SIGTERM'), options: OPTIONS }).outcome).toBe('held');
    expect(verdictOf('billing-terminal', { entries: told('SIGHUP'), options: OPTIONS }).outcome).toBe('inconclusive');
  });
});

describe('does not apply', () => {
  table('billing-terminal', OPTIONS, [
    ['without a ledger', { entries: story(), facts: { ledger: null } }, 'does-not-apply', 'the card has no ledger'],
    [
      'without an account',
      { entries: story(), facts: { clients: { alice: { account: null, address: '' } } } },
      'does-not-apply',
      'alice uses no account',
    ],
    [
      'to a client that vanishes',
      { entries: story(), facts: { leaves: [{ mark: 'gone', client: 'alice', how: 'vanish' }] } },
      'does-not-apply',
      'alice vanishes',
    ],
  ]);
});

describe('pending', () => {
  const pendingAt = (ms: number, changes = {}) =>
    definition.pending!({ timeline: timelineOf(...without(story(changes), ({ atMs }) => atMs > ms)), facts: FACTS, options: OPTIONS });
  test('waits while it is active', () => expect(pendingAt(4_000, LEAK)).toContain('whether reservation 7 had ended in time'));
  test('is decided by the terminal state', () => expect(pendingAt(4_000)).toBeNull());
  test('is decided by the limit', () => expect(pendingAt(5_900, LEAK)).toBeNull());
  test('waits for the mark', () => expect(pendingAt(2_000)).toBe('mark gone was never set'));
});
