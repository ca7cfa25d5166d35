// Each class of seed 003 from snapshots that show it, and what must not be taken for it.
import { describe, expect, test } from 'vitest';
import type { LedgerValue, Reservation } from '../model/samples.ts';
import { diagnose } from './diagnosis.ts';
import type { Snapshot } from './diagnosis.ts';

const LEASE_MS = 1_500;
const PERIODS = { leaseMs: LEASE_MS };
const NOW_MS = 1_000_000;

type Row = Partial<Reservation> & { readonly id: string; readonly leaseAgeMs: number };

/** One look at account `acme`; lease ages are by the clock of that look. */
const look = (atMs: number, reserved: number, rows: readonly Row[]): Snapshot => {
  const wallMs = NOW_MS + atMs;
  const value: LedgerValue = {
    accounts: [{ id: 'acme', balance: 900, reserved, spent: 0 }],
    reservations: rows.map(({ leaseAgeMs, ...row }) => ({
      account: 'acme', payer: 'acme', amount: 100, state: 'active', terminal: false, leaseAtMs: wallMs - leaseAgeMs, startedAtMs: NOW_MS, ...row,
    })),
    consistent: true,
    wallMs,
  };
  return { atMs, actor: 'probe.ledger', seq: atMs + 1, type: 'sample', probe: 'ledger', tookMs: 0, value };
};

/** Two looks, five seconds apart. */
const twice = (reserved: number, first: readonly Row[], second: readonly Row[]): readonly Snapshot[] => [
  look(0, reserved, first),
  look(5_000, reserved, second),
];

const CASES: readonly (readonly [string, readonly Snapshot[]])[] = [
  ['nothing reserved', twice(0, [], [])],
  ['renewing', twice(100, [{ id: 'r', leaseAgeMs: 200 }], [{ id: 'r', leaseAgeMs: 300 }])],
  ['stale but unswept', twice(100, [{ id: 'r', leaseAgeMs: 5_000 }], [{ id: 'r', leaseAgeMs: 10_000 }])],
  ['aggregate without a row', twice(100, [], [])],
  ['future lease', twice(100, [{ id: 'r', leaseAgeMs: -90_000 }], [{ id: 'r', leaseAgeMs: -85_000 }])],
  [
    'some stale, some fresh',
    twice(200, [{ id: 'r', leaseAgeMs: 9_000 }, { id: 's', leaseAgeMs: 100 }], [{ id: 'r', leaseAgeMs: 14_000 }, { id: 's', leaseAgeMs: 200 }]),
  ],
  ['aggregate and rows drifted apart', [look(0, 250, [{ id: 'r', leaseAgeMs: 100 }]), look(1_000, 250, [{ id: 'r', leaseAgeMs: 1_100 }])]],
  ['undecided', [look(0, 100, [{ id: 'r', leaseAgeMs: 100 }]), look(1_000, 100, [{ id: 'r', leaseAgeMs: 1_100 }])]],
];

describe('an account', () => {
  test.each(CASES)('%s', (expected, snapshots) => {
    const found = diagnose(snapshots, 'acme', PERIODS);
    expect(found?.class).toBe(expected);
    expect(found?.next.length).toBeGreaterThan(0);
  });

  test('that no snapshot has is none', () => {
    expect(diagnose(twice(0, [], []), 'nobody', PERIODS)).toBeNull();
    expect(diagnose([], 'acme', PERIODS)).toBeNull();
  });

  test('is reached through whoever pays too, and ended rows are only counted', () => {
    const rows = [
      { id: 'r', account: 'key-2', leaseAgeMs: 5_000 },
      { id: 'old', terminal: true, state: 'charged', leaseAgeMs: 9_000 },
      { id: 'foreign', account: 'x', payer: 'x', leaseAgeMs: 1 },
    ];
    const found = diagnose(twice(100, rows, rows), 'acme', PERIODS)!;
    expect(found.live.map(({ row }) => row.id)).toEqual(['r']);
    expect(found.terminal).toBe(1);
    expect(found.live[0]!.leaseAgeMs).toBe(5_000);
  });

  test('counts each renewal, and says over how long', () => {
    const snapshots = [0, 1_000, 2_000].map((atMs) => look(atMs, 100, [{ id: 'r', leaseAgeMs: 100 }]));
    const found = diagnose(snapshots, 'acme', PERIODS)!;
    expect(found.live[0]!.renewals).toBe(2);
    expect(found.seen).toBe('100 reserved in total; 1 live row holds 100, whose leases moved 2 times in 2.0 s');
  });

  test('of a system whose lease nobody declares is not called stale', () => {
    expect(diagnose(twice(100, [{ id: 'r', leaseAgeMs: 90_000 }], [{ id: 'r', leaseAgeMs: 95_000 }]), 'acme', {})?.class).toBe('undecided');
  });
});
