// A cell: what a scenario becomes on a card, and which cells share a control.
import { describe, expect, test } from 'vitest';
import { cellWith, METERED } from './fixture.ts';
import { controlKey, controlOf } from './control-cell.ts';
import { titleOf } from './cell.ts';

const leaving = (how: string): Readonly<Record<string, string>> => ({
  clients: `clients: { alice: { account: { balance: 10 }, script: [ request: chat, ` +
    `receive: { events: 3 }, await: { renewals: 1, within: 2 renewals }, { disconnect: ${how}, mark: gone }, wait: 1s ] } }`,
});
const kinds = (cell: ReturnType<typeof cellWith>): readonly string[] => cell.scripts.alice!.map(({ kind }) => kind);
const reasons = (cell: ReturnType<typeof cellWith>): readonly (string | null)[] => cell.claims.map(({ notApplicable }) => notApplicable);

describe('resolved to numbers', () => {
  test('claims are numbered by kind, durations are milliseconds', () => {
    const one = 'upstream-closed: { upstream: model, client: alice, after: gone, within: 2s }';
    const cell = cellWith({ expect: `expect: [ ${one}, process-alive, ${one}, ${one} ]` });
    expect(cell.claims.map(({ id }) => id)).toEqual(['upstream-closed', 'process-alive', 'upstream-closed#2', 'upstream-closed#3']);
    expect(cell.claims[0]!.options.within).toBe(2_000);
    expect(cell.facts.watchMs).toBe(1_000);
  });

  test('leaves are those with a mark, quiet where the upstream then writes nothing', () => {
    expect(cellWith(leaving('rst')).facts.leaves).toEqual([{ mark: 'gone', client: 'alice', how: 'rst', quiet: false }]);
    expect(cellWith({ ...leaving('fin'), upstreams: 'upstreams: { model: silent }' }).facts.leaves[0]).toMatchObject({ quiet: true });
  });

  test('settings become environment variables, in their unit', () => {
    const settings = 'settings: { reserve: { env: RESERVE }, lease: { env: LEASE_S, unit: s }, read: { env: READ_MS, unit: ms } }';
    const cell = cellWith(
      { system: 'system: { card: small, settings: { reserve: 7, read: 1s } }' },
      { ...METERED, settings, bounds: 'bounds: { read: 3s }' },
    );
    expect(cell.settings).toEqual({ RESERVE: '7', LEASE_S: '2', READ_MS: '1000' });
    expect(cell.facts.periods.leaseMs).toBe(2_000);
  });

  test('a setting overrides the policy of its name', () => {
    const settings = 'settings: { on-disconnect: { env: ON_DISCONNECT } }';
    const system = (value: string) => ({ system: `system: { card: small, settings: { on-disconnect: ${value} } }` });
    const cell = cellWith(system('drain'), { ...METERED, settings });
    expect(cell.settings).toEqual({ ON_DISCONNECT: 'drain' });
    expect(cell.facts.policy).toMatchObject({ onDisconnect: 'drain', halfClose: 'abort' });
    expect(cellWith({}, { ...METERED, settings }).facts.policy.onDisconnect).toBe('cancel');
    expect(cellWith(system('sideways'), { ...METERED, settings }).facts.policy.onDisconnect).toBe('cancel');
  });

  test('a fault that stops the system says when the scenario itself stops it', () => {
    expect(cellWith({ faults: 'faults: [ { after: gone, signal: SIGTERM } ]' }).facts.stopsAt).toBe('gone');
    expect(cellWith({ faults: 'faults: [ { after: gone, signal: SIGUSR1 } ]' }).facts.stopsAt).toBeNull();
  });
});

describe('what a scenario plants', () => {
  const system = { system: 'system: { card: small, planted: [leaks] }' };
  const defects = 'defects: { env: DEFECTS, presets: {} }';
  test('is planted in every run of it, beside what is asked for', () => {
    expect(cellWith(system, { ...METERED, defects }).defects).toEqual(['leaks']);
    expect(cellWith(system, { ...METERED, defects }).presets).toEqual([]);
    expect(cellWith(system, { ...METERED, defects }, { defects: ['x', 'leaks'] }).defects).toEqual(['leaks', 'x']);
    expect(cellWith({}, { ...METERED, defects }).defects).toEqual([]);
  });
  test('needs a system that has defects', () => {
    expect(reasons(cellWith(system, METERED))[0]).toBe('small has no defects to plant');
    expect(reasons(cellWith({}, METERED))[0]).toBeNull();
  });
});

describe('what a card cannot show', () => {
  test('waits for a ledger are left out where there is none, and its claims do not apply', () => {
    expect(kinds(cellWith(leaving('fin')))).toEqual(['request', 'receive', 'await', 'disconnect', 'wait']);
    const bare = cellWith({ ...leaving('fin'), expect: 'expect: [ renewal-stopped: { client: alice, after: gone }, process-alive ]' }, {});
    expect(kinds(bare)).toEqual(['request', 'receive', 'disconnect', 'wait']);
    expect(reasons(bare)).toEqual([expect.stringMatching(/ledger|reservation/), null]);
    expect(bare.facts.clients.alice!.account).toBeNull();
  });

  test('nobody vanishes without a namespace, and no row is written without a statement for it', () => {
    expect(reasons(cellWith(leaving('vanish'), METERED, { isolation: 'loopback' }))).toEqual(
      Array(2).fill('no network namespace can be made here, so nothing can vanish'),
    );
    expect(reasons(cellWith(leaving('vanish')))).not.toContain('no network namespace can be made here, so nothing can vanish');
    const rows = { faults: 'faults: [ { after: gone, ledger-rows: { account: alice, amount: 5 } } ]' };
    expect(reasons(cellWith(rows, {}))).toEqual(Array(2).fill('the card has no ledger, which a fault needs'));
    const mute = { ...METERED, ledger: METERED.ledger!.replace(/, insert: \{.*\} \}/, ' }') };
    expect(reasons(cellWith(rows, mute))).toEqual(Array(2).fill('the card does not say how rows are written into its ledger'));
    expect(reasons(cellWith(rows))).not.toContain('the card does not say how rows are written into its ledger');
  });

  test('a card without an image does not apply on docker, by name', () => {
    expect(reasons(cellWith(leaving('fin'), METERED, { runtime: 'docker' }))).toEqual(
      Array(2).fill(expect.stringMatching(/^the card of \S+ has no image for \S+; --runtime process can run it$/)),
    );
  });
});

describe('controls', () => {
  const key = (scenario = {}, card = METERED, input = {}): string => controlKey(cellWith(scenario, card, input));

  test('are shared by cells that differ only in how their client leaves', () => {
    expect(key(leaving('fin'))).toBe(key(leaving('rst')));
    expect(key(leaving('fin'))).toBe(key({ ...leaving('kill'), about: 'about: another' }));
  });

  test('are not shared across what may decide when the exchange ends by itself', () => {
    const base = key(leaving('fin'));
    const balance = { clients: leaving('fin').clients!.replace('balance: 10', 'balance: 1') };
    for (const other of [
      key({ ...leaving('fin'), upstreams: 'upstreams: { model: silent }' }),
      key(balance),
      key(leaving('fin'), METERED, { defects: ['x'] }),
      key(leaving('fin'), METERED, { runtime: 'docker' }),
      key({ clients: leaving('fin').clients!.replace('events: 3', 'events: 4') }),
    ])
      expect(other).not.toBe(base);
  });

  test('do what the cell does up to the leave, and then stay: no claims, no faults, nobody leaves', () => {
    const cell = cellWith({ ...leaving('rst'), faults: 'faults: [ { after: gone, signal: SIGTERM } ]' });
    const control = controlOf(cell, 4_000);
    expect(kinds(control)).toEqual(['request', 'receive', 'await']);
    expect(control).toMatchObject({
      id: `control/${controlKey(cell)}`,
      claims: [],
      faults: [],
      staysMs: 4_000,
      facts: { leaves: [], stopsAt: null },
    });
    expect(titleOf(control)).toBe('control of disconnect/small');
    expect(titleOf(cell)).toBe('disconnect/small');
  });
});
