// Scenarios without a system, by the real command: clients that only wait start nothing at all, clients of an upstream talk to it
// themselves, claims about a system do not apply, and who holds one lock never runs beside another who does.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bundle } from '../bundle/read.ts';
import { bundlesOf, claimsOf, nothingLeft, runCli, startCli, temporaryFolder } from './test-kit.ts';
import type { Finished } from './test-kit.ts';

const WAITS = `version: 1
name: a client waits
system: none
matrix: { number: [1, 2, 3] }
about: number ${'${number}'}
locks: [the-only-one]
clients: { alice: { script: [ { wait: 200ms } ] } }
expect: [ script-done, process-alive ]
`;
const TALKS = `version: 1
name: clients talk to the upstream
system: none
upstreams: { model: { finite: { events: 5, every: 10ms } } }
clients:
  alice: { script: [ { request: chat }, { receive: { until: end } } ] }
  bob: { script: [ { request: chat }, { receive: { events: 2 } }, { disconnect: { how: rst }, mark: gone } ] }
expect:
  - script-done
  - stream-complete: alice
  - no-foreign-bytes
  - request-count: { upstream: model, client: alice, equals: 1 }
  - upstream-closed: { upstream: model, after: gone, within: 2s }
`;

const folder = temporaryFolder(true);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
let ran: Finished;
let bundles: ReadonlyMap<string, Bundle>;

const bundle = (scenario: string): Bundle => [...bundles].find(([id]) => id.endsWith(scenario))![1];
const outcomesOf = (scenario: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(claimsOf(bundle(scenario).verdicts)).map(([id, { outcome, reason }]) => [id, outcome === 'held' ? outcome : `${outcome}: ${reason}`]));

beforeAll(async () => {
  writeFileSync(join(folder, 'waits.yaml'), WAITS);
  writeFileSync(join(folder, 'talks.yaml'), TALKS);
  ran = await runCli(['waits.yaml', 'talks.yaml'], { folder });
  bundles = await bundlesOf(folder);
});

test('they pass, and what is said of a system does not apply', () => {
  expect(ran.code, ran.output).toBe(0);
  const absent = 'does-not-apply: there is no system';
  expect(outcomesOf('waits[number=2]')).toEqual({ 'script-done': 'held', 'process-alive': absent });
  expect(outcomesOf('talks')).toEqual({
    'script-done': 'held', 'stream-complete': 'held', 'no-foreign-bytes': 'held', 'request-count': 'held', 'upstream-closed': absent,
  });
});

test('clients that only wait have no stage; clients of an upstream connect to it', () => {
  expect(bundle('waits[number=1]').timeline.of('stage-opened')).toEqual([]);
  const { timeline, resolved } = bundle('talks');
  expect(timeline.of('stage-opened')).toHaveLength(1);
  const { system, upstreams } = resolved.judged.facts;
  expect(system).toMatchObject({ absent: true, instances: [], listen: `${upstreams.model!.address}:9000` });
  expect(new Set(timeline.of('connected').map(({ peer }) => peer))).toEqual(new Set([system.listen]));
  expect(timeline.of('system-started')).toEqual([]);
});

test('a system that none of them would judge is refused, whether it is there or not', async () => {
  for (const system of ['./not-there.yaml', 'reference-router']) {
    const { code, output } = await runCli(['waits.yaml'], { folder }, ['--system', system]);
    expect(code, output).toBe(4);
    expect(output).toContain(`--system ${system} would judge nothing: these scenarios have no system`);
  }
});

test('who holds one lock waits for the other', () => {
  const spans = [1, 2, 3]
    .map((number) => bundle(`waits[number=${number}]`))
    .map(({ manifest, timeline }) => ({ fromMs: Date.parse(manifest.startedAt), forMs: timeline.phase('watch').endMs! }))
    .sort((a, b) => a.fromMs - b.fromMs);
  for (const [index, { fromMs, forMs }] of spans.slice(0, -1).entries()) expect(spans[index + 1]!.fromMs).toBeGreaterThanOrEqual(fromMs + forMs - 5);
});

test('its evidence is judged again to the same, and runs again', async () => {
  for (const scenario of ['waits[number=1]', 'talks']) {
    const judged = await startCli(['judge', bundle(scenario).folder], { folder }).finished;
    expect(judged.code, judged.output).toBe(0);
  }
  const again = temporaryFolder();
  const rerun = await startCli(['rerun', bundle('waits[number=1]').folder, '--output', join(again, 'evidence')], { folder: again }).finished;
  expect(rerun.code, rerun.output).toBe(0);
  await nothingLeft(again);
});

test('where nothing needs a stage no runtime is tried out', async () => {
  const empty = temporaryFolder();
  const words = ['run', join(folder, 'waits.yaml'), '--evidence', 'none'];
  const { code, output } = await startCli(words, { folder: empty, env: { DOCKER_HOST: 'tcp://127.0.0.1:1' } }).finished;
  expect(code, output).toBe(0);
  expect(output).toContain('no scenario needs a stage, so nothing is started');
  await nothingLeft(empty);
});
