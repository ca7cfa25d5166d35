// For the tests of comparisons: a bad run and a good one of the same scenario, the good one begun later on its own clock.
import { MANIFEST, OBSERVATIONS, RESOLVED, VERDICTS } from '../../bundle/fixture.ts';
import type { Observation } from '../../model/observation.ts';
import { createTimeline } from '../../model/timeline.ts';
import type { ReportInput } from '../view/input.ts';

const LATER_MS = 250;
const PHASES = { prepare: 800, drive: 610 };
const MARKER = 'hx.alice.1.00c0ffee';

const PLANNED: Observation = {
  atMs: 950, actor: 'client.alice', seq: 900, type: 'exchange-planned', marker: MARKER, client: 'alice', account: '1', upstream: 'model', request: 'chat', purpose: 'drive',
};

export const BAD: ReportInput = {
  manifest: { ...MANIFEST, format: 1, phases: PHASES, versions: { ...MANIFEST.versions, router: '1.4.0' } },
  resolved: { ...RESOLVED, run: { ...RESOLVED.run, cardFiles: { 'start.mjs': 'a1b2c3d4e5f60718' } } }, timeline: createTimeline([...OBSERVATIONS, PLANNED]), control: null, verdicts: VERDICTS,
};

/** Closed 40 ms after the leave, and terminal; nothing renewed. */
const REPAIRED: readonly Observation[] = [
  ...[...OBSERVATIONS, PLANNED].filter(({ actor, atMs }) => !(actor.startsWith('probe.ledger') && atMs > 1500) && !(actor === 'upstream.model' && atMs > 1500)),
  { atMs: 1540, actor: 'upstream.model', seq: 50, type: 'peer-closed', connection: 1, exchange: 2, marker: MARKER, how: 'fin', bytes: 900, events: 4 },
  {
    atMs: 1600, actor: 'probe.ledger', seq: 50, type: 'sample', probe: 'ledger', tookMs: 0.5,
    value: {
      accounts: [{ id: '1', balance: 9997, reserved: 0, spent: 3 }], charges: [{ id: 'c1', account: '1', amount: 3, marker: MARKER }],
      reservations: [{ id: '7', account: '1', payer: '1', amount: 1000, state: 'settled', terminal: true, leaseAtMs: 1_700_000_001_500, marker: MARKER }],
      consistent: true, wallMs: 1_700_000_000_600,
    },
  },
];

export const GOOD: ReportInput = {
  ...BAD,
  manifest: { ...BAD.manifest, runId: 'r2', startedAt: '2026-01-03T03:04:05.000Z', versions: { ...MANIFEST.versions, router: '1.5.0' } },
  resolved: { ...BAD.resolved, run: { ...BAD.resolved.run, defects: [] } },
  timeline: createTimeline(REPAIRED.map((each) => ({ ...each, atMs: each.atMs + LATER_MS }))),
  verdicts: {
    ...VERDICTS, outcome: 'passed',
    verdicts: VERDICTS.verdicts.map((each) => (each.outcome === 'does-not-apply' ? each : { ...each, outcome: 'held', reason: `${each.id} as it should be`, interval: undefined, class: undefined } as typeof each)),
  },
};
