// Lengths in effect: a bound that is not tested is out of the way, one that is tested is as it was declared, and
// what is judged by is what the system was told.
import { describe, expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { cardWith, METERED, scenarioWith } from './fixture.ts';
import { boundsOf, periodsOf, plannedMs, resolveDurations, toMs } from './periods.ts';

const SETTINGS =
  'settings: { read: { env: READ_MS, unit: ms }, lifetime: { env: LIFETIME, unit: s }, ' +
  'shutdown: { env: SHUTDOWN_MS, unit: ms }, lease: { env: LEASE_MS, unit: ms } }';
const card = cardWith({ ...METERED, settings: SETTINGS, bounds: 'bounds: { read: 3s, lifetime: 6s, shutdown: 2s, send: 4s }' });

describe('durations', () => {
  test('are counted in the periods of the card, or fail by name', () => {
    expect(toMs({ ms: 5 }, {}, 'x')).toBe(5);
    expect(toMs({ count: 3, period: 'renewal' }, { renewalMs: 500 }, 'x')).toBe(1_500);
    // A timer of more than 2^31 - 1 ms ends at once: a watch that long would never have been.
    expect(() => toMs({ count: 1e9, period: 'lease' }, { leaseMs: 6_000 }, 'watch')).toThrow('watch: 1000000000 leases are');
    expect(() => toMs({ count: 1, period: 'lease' }, {}, 'watch')).toThrow(ProblemError);
    expect(() => toMs({ count: 1, period: 'lease' }, {}, 'watch')).toThrow('watch: the card declares no period "lease"');
  });

  test('become milliseconds wherever they stand, and nothing else changes', () => {
    expect(
      resolveDurations({ a: { ms: 1 }, b: [{ count: 2, period: 'sweep' }], c: { d: null, e: 'x', f: 3 } }, { sweepMs: 100 }, 'x'),
    ).toEqual({ a: 1, b: [200], c: { d: null, e: 'x', f: 3 } });
  });
});

describe('periods', () => {
  test('are those of the card, or of the scenario that sets them', () => {
    expect(periodsOf(card, scenarioWith())).toEqual({ renewalMs: 500, leaseMs: 1_500, sweepMs: 1_000 });
    expect(periodsOf(card, scenarioWith({ system: 'system: { card: small, settings: { lease: 3s } }' })).leaseMs).toBe(3_000);
    expect(periodsOf(card, scenarioWith({ system: 'system: { card: small, settings: { lease: 2500 } }' })).leaseMs).toBe(2_500);
    expect(periodsOf(cardWith(), scenarioWith())).toEqual({});
  });
});

describe('the planned length', () => {
  const CLIENTS =
    'clients: { alice: { account: { balance: 10 }, script: [ ' +
    'request: chat, wait: 4s, { wait: 2 renewals }, { disconnect: fin, mark: gone } ] } }';

  test('is what the script waits, the longest limit, the watch and the tested bound', () => {
    const base = plannedMs(card, scenarioWith());
    expect(plannedMs(card, scenarioWith({ clients: CLIENTS }))).toBe(base + 4_000 + 1_000);
    expect(plannedMs(card, scenarioWith({ watch: 'watch: 3s' }))).toBe(base + 2_000);
    expect(
      plannedMs(card, scenarioWith({ expect: 'expect: [ upstream-closed: { upstream: model, client: alice, after: gone, within: 9s } ]' })),
    ).toBe(base + 7_000);
    expect(plannedMs(card, scenarioWith({ tests: 'tests: read' }))).toBe(base + 3_000);
  });

  test('counts what is counted in periods that the card does not have as nothing', () => {
    expect(plannedMs(cardWith(), scenarioWith({ watch: 'watch: 3 renewals' }))).toBe(
      plannedMs(cardWith(), scenarioWith({ watch: 'watch: 0ms' })),
    );
  });
});

describe('bounds', () => {
  test('that are not tested are ten times the planned length; shutdown and what cannot be set stay', () => {
    const scenario = scenarioWith();
    const wide = 10 * plannedMs(card, scenario);
    const { bounds, told } = boundsOf(card, scenario);
    expect(bounds).toEqual({ read: wide, lifetime: Math.ceil(wide / 1_000) * 1_000, shutdown: 2_000, send: 4_000 });
    expect([...told].sort()).toEqual(['lifetime', 'read', 'shutdown']);
  });

  test('the tested one is as declared, whether by the card or by the scenario', () => {
    expect(boundsOf(card, scenarioWith({ tests: 'tests: read' })).bounds).toMatchObject({ read: 3_000, send: 4_000 });
    expect(boundsOf(card, scenarioWith({ tests: 'tests: read' })).bounds.lifetime).toBeGreaterThan(60_000);
    const set = boundsOf(card, scenarioWith({ tests: 'tests: read', system: 'system: { card: small, settings: { read: 1500ms } }' }));
    expect(set.bounds.read).toBe(1_500);
  });

  test('a scenario that sets one without testing it gets it', () => {
    expect(boundsOf(card, scenarioWith({ system: 'system: { card: small, settings: { read: 1s } }' })).bounds.read).toBe(1_000);
  });

  test('what is told in seconds is judged as told: rounded up', () => {
    const set = boundsOf(
      card,
      scenarioWith({ tests: 'tests: lifetime', system: 'system: { card: small, settings: { lifetime: 1500ms } }' }),
    );
    expect(set.bounds.lifetime).toBe(2_000);
  });

  test('a bound that the card does not declare is none', () => {
    expect(boundsOf(cardWith({ ...METERED, settings: SETTINGS }), scenarioWith()).bounds).toEqual({});
  });
});
