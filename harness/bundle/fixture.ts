// A small run for the tests of bundle and reports: a client that left an endless stream which went on.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Facts } from '../model/facts.ts';
import type { Fact, Observation } from '../model/observation.ts';
import type { Verdict } from '../model/verdict.ts';
import { JUDGE_VERSION } from './format.ts';
import type { Manifest, Resolved, Verdicts } from './format.ts';

export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-bundle-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** A copy of a failed run that is in the repository, without its seal. */
export const unsealedGolden = (): string => {
  const folder = join(temporaryFolder(), 'bundle');
  cpSync(join(import.meta.dirname, '..', '..', 'evidence', 'golden', 'failed'), folder, { recursive: true });
  rmSync(join(folder, 'seal.json'));
  return folder;
};

export const FACTS: Facts = {
  scenario: 'disconnect/endless[how=fin]',
  runtime: 'process',
  tests: null,
  clients: { alice: { account: '1', address: '127.0.0.3' } },
  upstreams: { model: { address: '127.0.0.4' } },
  system: { listen: '127.0.0.2:8000', address: '127.0.0.2', main: 'router' },
  periods: { renewalMs: 500, leaseMs: 1500 },
  bounds: { shutdown: 2000 },
  price: { perRequest: 0, perEvent: 1 },
  policy: { onDisconnect: 'cancel', halfClose: 'abort', partialBilling: 'delivered' },
  ledger: { hasReservations: true, hasCharges: true },
  stop: { signal: 'SIGTERM', graceMs: 5000, exit: [0, 143] },
  sampling: { ledgerMs: 50, socketsMs: 50, processMs: 100 },
  leaves: [{ mark: 'gone', client: 'alice', how: 'fin' }],
  stopsAt: null,
  watchMs: 2000,
  marginMs: 250,
};

export const RESOLVED: Resolved = {
  judged: {
    facts: FACTS,
    claims: [
      { kind: 'upstream-closed', id: 'upstream-closed', options: { after: 'gone', within: 1000 }, notApplicable: null },
      { kind: 'renewal-stopped', id: 'renewal-stopped', options: { after: 'gone' }, notApplicable: null },
    ],
  },
  run: {
    card: 'reference-router',
    defects: ['seed-main'],
    settings: {},
    matrix: { how: 'fin' },
    catches: { 'ignores-disconnect': ['upstream-closed', 'renewal-stopped'] },
    saw: { 'seed-main': { what: 'kept renewing; refund answered 400', violates: ['renewal-stopped', 'refundable'] } },
    about: 'A router that keeps reading after its client has gone keeps paying.',
    source: '003, current main reproduction',
  },
};

export const MANIFEST: Omit<Manifest, 'format' | 'phases'> = {
  runId: 'r1',
  scenario: FACTS.scenario,
  scenarioHash: 'sha256:00',
  runtime: 'process',
  argv: ['run', 'scenarios/disconnect/endless.yaml', '--defect', 'seed-main'],
  startedAt: '2026-01-02T03:04:05.000Z',
  harness: { version: '0.1.0', commit: 'abcdef0123456789', dirty: false },
  versions: { node: 'v24.21.0', kernel: '6.18.0' },
  isControl: false,
};

const SEQUENCE = new Map<string, number>();
const at = (atMs: number, actor: string, fact: Fact): Observation => {
  const seq = (SEQUENCE.get(actor) ?? 0) + 1;
  SEQUENCE.set(actor, seq);
  return { atMs, actor, seq, ...fact };
};

const MARKER = 'hx.alice.1.00c0ffee';

const row = (leaseAtMs: number): Fact => ({
  type: 'sample', probe: 'ledger', tookMs: 0.4,
  value: {
    accounts: [{ id: '1', balance: 9000, reserved: 1000, spent: 0 }],
    reservations: [{ id: '7', account: '1', payer: '1', amount: 1000, state: 'active', terminal: false, leaseAtMs, marker: MARKER }],
    consistent: true, wallMs: 1_700_000_000_000,
  },
});

export const OBSERVATIONS: readonly Observation[] = [
  at(0, 'harness', { type: 'phase', phase: 'prepare', edge: 'begin' }),
  at(800, 'harness', { type: 'phase', phase: 'prepare', edge: 'end' }),
  at(900, 'harness', { type: 'phase', phase: 'drive', edge: 'begin' }),
  at(1000, 'client.alice', { type: 'request-written', connection: 1, marker: MARKER, bytes: 210 }),
  at(1004, 'upstream.model', {
    type: 'request-received', connection: 1, exchange: 2, marker: MARKER, method: 'POST', path: '/v1/chat/completions',
    bodyBytes: 80, behaviour: 'endless',
  }),
  at(1006, 'client.alice', { type: 'response-head', marker: MARKER, status: 200, contentType: 'text/event-stream' }),
  at(1100, 'probe.ledger', row(1_700_000_001_500)),
  at(1400, 'client.alice', { type: 'received', marker: MARKER, bytes: 700, events: 3, comments: 0 }),
  at(1500, 'client.alice', { type: 'mark', mark: 'gone', client: 'alice' }),
  at(1501, 'client.alice', {
    type: 'left', how: 'fin', wire: 'fin', marker: MARKER, unreadBytes: 0, socket: { before: 'established', after: 'fin-wait-2' },
  }),
  at(1510, 'harness', { type: 'phase', phase: 'drive', edge: 'end' }),
  at(2100, 'probe.ledger', row(1_700_000_002_000)),
  at(2600, 'probe.ledger', row(1_700_000_002_500)),
  at(2700, 'upstream.model', { type: 'answer-progress', exchange: 2, bytes: 4000, events: 20, comments: 0 }),
  at(3000, 'probe.sockets', {
    type: 'sample', probe: 'sockets', tookMs: 3.6, mark: 'watched',
    value: {
      rows: [{ local: '127.0.0.2:41000', remote: '127.0.0.4:9000', state: 'established', sendQueue: 0, receiveQueue: 0, inode: 77 }],
    },
  }),
  at(3500, 'harness', { type: 'phase', phase: 'stop', edge: 'begin' }),
  at(3600, 'system', { type: 'process-exited', process: 'router', code: 0, signal: null }),
  at(3610, 'harness', { type: 'phase', phase: 'stop', edge: 'end' }),
];

const verdict = (claim: string, rest: Partial<Verdict>): Verdict => ({
  claim, id: claim, options: {}, outcome: 'held', reason: 'as it should be', evidence: [], ...rest,
});

export const VERDICTS: Verdicts = {
  judge: JUDGE_VERSION,
  scenario: FACTS.scenario,
  outcome: 'failed',
  verdicts: [
    verdict('upstream-closed', {
      outcome: 'violated', reason: "exchange 2 was still open 2.0 s after alice's FIN and took 17 more events",
      evidence: ['client.alice#4', 'upstream.model#2'], interval: { fromMs: 2500, toMs: 3500 },
    }),
    verdict('renewal-stopped', {
      outcome: 'violated', reason: 'the lease of reservation 7 moved 2 times after the leave', class: 'renewing',
      evidence: ['probe.ledger#2', 'probe.ledger#3'], interval: { fromMs: 2100, toMs: 2600 },
    }),
    verdict('billing-terminal', {
      outcome: 'inconclusive', reason: 'the ledger was sampled every 900 ms, too slowly for a lease of 1.5 s',
    }),
    verdict('clean-shutdown', { reason: 'router exited with 0 after 100 ms' }),
    verdict('refundable', { outcome: 'does-not-apply', reason: 'the card has no refund' }),
  ],
  problems: [],
};
