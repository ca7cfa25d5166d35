import { describe, expect, test } from 'vitest';
import { verdictOf } from './fixtures/judging.ts';
import { LEAK, WALL_MS } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { LedgerValue } from '../model/samples.ts';

const OPTIONS = { client: 'alice' };
const noRows = (value: LedgerValue): LedgerValue => ({ ...value, reservations: [] });
const more =
  (reserved: number) =>
  (value: LedgerValue): LedgerValue => ({
    ...value,
    accounts: value.accounts.map((account) => ({ ...account, reserved: account.reserved + reserved })),
  });
const wrote = at(3_050, 'harness', { type: 'ledger-rows', reservations: ['orphan'], account: 'acc' });
/** A row that a fault wrote with a stale lease, until something sweeps it. */
const orphan = (untilMs: number): Partial<Knobs> => ({
  ledger: (value, ms) => {
    if (ms < 3_050) return value;
    const terminal = ms >= untilMs;
    const row = {
      id: 'orphan',
      account: 'acc',
      payer: 'acc',
      amount: 40,
      state: terminal ? 'released' : 'active',
      terminal,
      leaseAtMs: WALL_MS - 10_000,
    };
    return { ...more(terminal ? 0 : 40)(value), reservations: [...value.reservations, row] };
  },
  extra: [wrote],
});
const STOPPED = { stopsAt: 'gone' };
const stop = (exitMs: number | null, changes: Partial<Knobs> = {}) =>
  story({
    ...changes,
    refund: null,
    exit: exitMs === null ? null : { atMs: exitMs, code: 0, signal: null },
    extra: [at(3_010, 'harness', { type: 'signal-sent', process: 'router', signal: 'SIGTERM', purpose: 'fault' })],
  });

describe('held', () => {
  table('nothing-reserved', OPTIONS, [
    ['back to the baseline', { entries: story() }, 'held', 'account acc has 0 reserved, as before'],
    ['back to a baseline that was not zero', { entries: story({ ledger: more(30) }) }, 'held', 'account acc has 30 reserved, as before'],
    ['only an aggregate', { entries: story({ ledger: noRows }) }, 'held', '0 reserved'],
    [
      'seen only as a row that had ended',
      {
        entries: story({
          terminalMs: 3_020,
          ledger: (value, ms) =>
            ms < 3_020 ? { ...noRows(value), accounts: value.accounts.map((account) => ({ ...account, reserved: 0 })) } : value,
        }),
      },
      'held',
      '0 reserved',
    ],
    ['an orphan is swept', { entries: story(orphan(5_000)) }, 'held', '0 reserved'],
    ['after the exit, where the scenario stops the system', { entries: stop(4_000), facts: STOPPED }, 'held', '0 reserved'],
    ['fractions of a unit', { entries: story({ ledger: (value, ms) => (ms > 4_000 ? more(1e-9)(value) : value) }) }, 'held', 'as before'],
  ]);
});

describe('violated', () => {
  table('nothing-reserved', OPTIONS, [
    [
      'still reserved',
      { entries: story(LEAK) },
      'violated',
      'account acc has 100 reserved 7.0 s after the baseline, which had 0, in 1 live row',
    ],
    [
      'less than before',
      { entries: story({ ledger: (value, ms) => (ms > 5_000 ? more(-3)(value) : value) }) },
      'violated',
      'account acc has -3 reserved',
    ],
    ['an orphan is never swept', { entries: story(orphan(Infinity)) }, 'violated', 'account acc has 40 reserved'],
    ['the scenario stopped the system, and it never ended', { entries: stop(null, LEAK), facts: STOPPED }, 'violated', '100 reserved'],
    [
      'the scenario stopped the system, and it left the money held',
      { entries: stop(4_000, LEAK), facts: STOPPED },
      'violated',
      '100 reserved',
    ],
  ]);
  const classOf = (changes: Partial<Knobs>) => verdictOf('nothing-reserved', { entries: story(changes), options: OPTIONS }).class;
  test('class: renewing', () => expect(classOf(LEAK)).toBe('renewing'));
  test('class: renewing, though less often than the watch is long', () => {
    const entries = story({ ...LEAK, renewUntilMs: 5_800 });
    const facts = { periods: { renewalMs: 500, leaseMs: 3_000, sweepMs: 1_000 } };
    expect(verdictOf('nothing-reserved', { entries, options: OPTIONS, facts }).class).toBe('renewing');
  });
  test('class: stale but unswept', () => expect(classOf(orphan(Infinity))).toBe('stale but unswept'));
  test('class: aggregate without a row', () =>
    expect(classOf({ ledger: (value, ms) => (ms > 3_500 ? more(5)(value) : value) })).toBe('aggregate without a row'));
  test('class: drifted apart', () =>
    expect(classOf({ ledger: (value, ms) => (ms > 3_500 ? more(-5)(value) : value) })).toBe('aggregate and rows drifted apart'));
  test('evidence and interval', () => {
    const verdict = verdictOf('nothing-reserved', { entries: story(LEAK), options: OPTIONS });
    expect([verdict.evidence, verdict.interval]).toEqual([['probe.ledger#6', 'probe.ledger#76'], { fromMs: 6_000, toMs: 7_960 }]);
  });
});

describe('inconclusive', () => {
  table('nothing-reserved', OPTIONS, [
    [
      'no baseline',
      { entries: without(story(), ({ fact, atMs }) => fact.type === 'sample' && atMs > 900 && atMs < 1_100) },
      'inconclusive',
      'probe ledger has no sample of the baseline',
    ],
    [
      'no baseline phase',
      { entries: without(story(), ({ fact }) => fact.type === 'phase' && fact.phase === 'baseline') },
      'inconclusive',
      'no sample of the baseline',
    ],
    [
      'the probe never saw it after the baseline',
      { entries: without(story(), (entry) => isSample('ledger')(entry) && entry.atMs > 1_060) },
      'inconclusive',
      'probe ledger lost the ledger at 1.1 s, 6.9 s before the end',
    ],
    [
      'nothing was ever reserved',
      {
        entries: story({
          ledger: (value) => ({ ...noRows(value), accounts: value.accounts.map((account) => ({ ...account, reserved: 0 })) }),
        }),
      },
      'inconclusive',
      'nothing was ever seen reserved for account acc after the baseline',
    ],
    [
      'the account is not there',
      { entries: story({ ledger: (value, ms) => (ms > 4_000 ? { ...value, accounts: [] } : value) }) },
      'inconclusive',
      'account acc is not in the ledger at the end',
    ],
    [
      'the account was not there',
      { entries: story({ ledger: (value, ms) => (ms < 1_060 ? { ...value, accounts: [] } : value) }) },
      'inconclusive',
      'account acc is not in the ledger at the baseline',
    ],
    [
      "a fault's row was never seen",
      { entries: story({ extra: [wrote] }) },
      'inconclusive',
      'reservation orphan, which a fault wrote, was never seen in the ledger',
    ],
    [
      'the system died',
      { entries: story({ extra: [at(7_000, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null })] }) },
      'inconclusive',
      'router died by itself',
    ],
    ['the record breaks off', { entries: without(story(), ({ atMs }) => atMs > 7_000) }, 'inconclusive', 'the record breaks off'],
    [
      'the path did not work',
      { entries: story({ extra: [at(800, 'harness', { type: 'precondition', name: 'path', met: false, detail: 'no' })] }) },
      'inconclusive',
      'precondition path',
    ],
    [
      'no sample after the exit',
      { entries: stop(7_990), facts: STOPPED },
      'inconclusive',
      "probe ledger has no sample after the system's exit",
    ],
  ]);
  test('a missing charge says nothing about what is reserved', () => {
    const entries = story({ extra: [at(800, 'harness', { type: 'precondition', name: 'charge-visible', met: false, detail: 'no' })] });
    expect(verdictOf('nothing-reserved', { entries, options: OPTIONS }).outcome).toBe('held');
  });
});

describe('does not apply', () => {
  table('nothing-reserved', OPTIONS, [
    ['without a ledger', { entries: story(), facts: { ledger: null } }, 'does-not-apply', 'the card has no ledger'],
  ]);
});
