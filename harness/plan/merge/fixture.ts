// Shards that nobody has run: plans, bundles written and sealed by the real writer, and shard.json as a run leaves it.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILES, JUDGE_VERSION } from '../../bundle/format.ts';
import type { Resolved, Verdicts } from '../../bundle/format.ts';
import { createRedactor } from '../../bundle/redact.ts';
import { createBundleWriter } from '../../bundle/write.ts';
import type { Observation } from '../../model/observation.ts';
import type { ScenarioOutcome } from '../../model/verdict.ts';
import { DURATIONS_FILE, writeDurations } from '../durations.ts';
import { planHash } from '../shard/plan.ts';
import type { ShardPlan } from '../shard/plan.ts';
import { writeShard } from '../shard/shard-file.ts';
import type { SealedFolder, ShardResult } from '../shard/shard-file.ts';

const CLAIMS = ['upstream-closed', 'billing-terminal', 'renewal-stopped', 'nothing-reserved', 'charged-once', 'no-late-charge', 'accounting-valid', 'refundable', 'process-alive', 'clean-shutdown'];

const resolvedOf = (scenario: string): Resolved => ({
  judged: {
    facts: {
      scenario, runtime: 'process', tests: null, clients: { alice: { account: '1', address: '127.0.0.3' } }, upstreams: { model: { address: '127.0.0.4' } },
      system: { listen: '127.0.0.2:8000', address: '127.0.0.2', main: 'router' }, periods: { renewalMs: 500, leaseMs: 1500 }, bounds: { shutdown: 2000 },
      price: { perRequest: 0, perEvent: 1 }, policy: { onDisconnect: 'cancel', halfClose: 'abort', partialBilling: 'delivered' },
      ledger: { hasReservations: true, hasCharges: true }, stop: { signal: 'SIGTERM', graceMs: 5000, exit: [0, 143] },
      sampling: { ledgerMs: 50, socketsMs: 50, processMs: 100 }, leaves: [{ mark: 'gone', client: 'alice', how: 'fin' }], stopsAt: null, watchMs: 2000, marginMs: 250,
    },
    claims: CLAIMS.map((kind) => ({ kind, id: kind, options: { after: 'gone', within: 1000 }, notApplicable: null })),
  },
  run: { card: 'reference-router', defects: [], settings: {}, matrix: { how: 'fin' }, catches: {}, saw: {}, about: 'Made up.', source: 'none', file: 'scenarios/made/up.yaml' },
});

const verdictsOf = (scenario: string, outcome: ScenarioOutcome): Verdicts => ({
  judge: JUDGE_VERSION, scenario, outcome, problems: [],
  verdicts: CLAIMS.map((claim, index) => ({
    claim, id: claim, options: { after: 'gone', within: 1000 }, evidence: [`upstream.model#${index}`],
    outcome: outcome === 'failed' && index === 0 ? 'violated' as const : 'held' as const, reason: `seen ${index * 10 + 3} ms after gone, the limit is 1000 ms`,
  })),
});

const observations = (lines: number): readonly Observation[] =>
  Array.from({ length: lines }, (_, index): Observation => ({ atMs: index * 10, actor: 'client.alice', seq: index + 1, type: 'received', marker: 'hx.alice.1.00c0ffee', bytes: 70, events: 1, comments: 0 }));

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

export type BundleContent = { readonly lines: number; readonly html: string; readonly versions?: Readonly<Record<string, string>> };

/** @returns how shard.json names it */
const writeBundle = async (folder: string, name: string, scenario: string, outcome: ScenarioOutcome, { lines, html, versions = {} }: BundleContent, isControl = false): Promise<SealedFolder> => {
  const bundle = await createBundleWriter(join(folder, name), {
    manifest: {
      runId: 'r1', scenario, scenarioHash: 'sha256:00', runtime: 'process', argv: ['run'], startedAt: '2026-01-02T03:04:05.000Z',
      harness: { version: '0.1.0', commit: null, dirty: null }, versions: { node: 'v24', ...versions }, isControl,
    },
    scenarioText: 'version: 1\n', cardText: 'version: 1\n', resolved: resolvedOf(scenario), redactor: createRedactor(),
  });
  for (const each of observations(lines)) bundle.observe(each);
  bundle.log('router', 'listening\n');
  bundle.log('upstream.model', 'one exchange\n');
  await bundle.closeTimeline();
  await bundle.writeVerdicts(verdictsOf(scenario, outcome));
  await bundle.writeReport(`# ${scenario}\n`, html);
  await bundle.seal();
  return { folder: name, seal: sha256(join(folder, name, FILES.seal)) };
};

export type MadeUp = {
  readonly count: number;
  readonly perShard: number;
  readonly content?: BundleContent;
  /** Of the cell with that number, from 0. */
  readonly outcomeOf?: (number: number) => ScenarioOutcome;
  readonly hasControls?: boolean;
  /** Cells with these numbers are not begun. */
  readonly notRun?: readonly number[];
  /** Changes the plan before its hash is taken. */
  readonly change?: Partial<ShardPlan>;
};

const idOf = (number: number): string => `made/up-${String(number).padStart(5, '0')}[how=fin]`;

export const madeUpPlan = ({ count, perShard, change = {} }: MadeUp): ShardPlan => {
  const cells = Array.from({ length: count * perShard }, (_, number) => ({ id: idOf(number), shard: (number % count) + 1, weightMs: 4_000, digest: '00' }));
  const plan = { hash: '', count, seed: 7, repeat: 1, strict: false, mayEndEarly: false, harness: { version: '0.1.0', commit: null, dirty: null }, cells, ...change };
  return { ...plan, hash: planHash(plan) };
};

const CONTENT: BundleContent = { lines: 5, html: '<!doctype html><p>page</p>\n' };

/** Writes one shard of the plan into `folder`. */
export const writeMadeUpShard = async (folder: string, index: number, madeUp: MadeUp): Promise<void> => {
  const plan = madeUpPlan(madeUp);
  const { content = CONTENT, outcomeOf = () => 'passed', hasControls = false, notRun = [] } = madeUp;
  mkdirSync(folder, { recursive: true });
  const all = plan.cells.map(({ id, shard }, number) => ({ id, shard, number })).filter(({ shard }) => shard === index);
  const own = all.filter(({ number }) => !notRun.includes(number));
  const leftOut = all.filter(({ number }) => notRun.includes(number));
  const results: ShardResult[] = [];
  for (let from = 0; from < own.length; from += 16) {
    results.push(...(await Promise.all(own.slice(from, from + 16).map(async ({ id, number }): Promise<ShardResult> => {
      const outcome = outcomeOf(number);
      const shared = { id, attempt: 1, tookMs: 4_000 + number };
      if (outcome === 'does-not-apply') return { ...shared, bundle: null, kept: { verdicts: verdictsOf(id, outcome), run: resolvedOf(id).run } };
      return { ...shared, bundle: await writeBundle(folder, `made-up-${number}`, id, outcome, content), kept: null };
    }))));
  }
  const controls = hasControls ? [await writeBundle(folder, 'control-00', 'control/00', 'passed', content, true)] : [];
  await writeDurations(join(folder, DURATIONS_FILE), { cells: { process: Object.fromEntries(own.map(({ id, number }) => [id, 4_000 + number])) }, controls: {} });
  const ended = { startedAt: `2026-01-02T03:0${index % 10}:00.000Z`, tookMs: 60_000, exitCode: 0, results, notRun: leftOut.map(({ id }) => ({ id, attempt: 1, scenario: id, why: 'something else had failed' })), controls };
  await writeShard(folder, { plan, index, runtime: own.length === 0 ? '' : 'process', ended });
};
