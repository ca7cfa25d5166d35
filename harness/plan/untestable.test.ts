// A cell whose system cannot be had: its bundle has the log, is sealed and can be read; nothing was started, and it is told once.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import { createSecrets } from '../bundle/secrets.ts';
import { problem } from '../model/problem.ts';
import { cardWith, scenarioWith } from '../systems/fixture.ts';
import { toUntestable } from '../systems/untestable.ts';
import { createProvider } from '../cli/provide.ts';
import { loadedAt } from './axes.ts';
import type { CellResult } from './run-cell.ts';
import { runPlan } from './run-plan.ts';
import { createSchedule } from './schedule.ts';
import { selectCells } from './select.ts';
import type { Session } from './session.ts';

const CARD = { versions: 'versions: { from: npm, package: left, use: 1.2.3 }', install: 'install: { npm: [ "left@${version}" ] }' };
/** Nothing listens there: no registry is asked anything. */
const NOWHERE = { ...process.env, npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' };

/** A registry of the test's own that has nothing. */
const emptyRegistry = async (): Promise<string> => {
  const server = createServer((_, response) => void response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => { server.closeAllConnections(); server.close(); });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const secret = 'hush-hush-4711';

test('it is told once, whatever the repeats, with what the tools printed and no secret in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-untestable-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const loaded = loadedAt({ scenario: scenarioWith(), card: cardWith(CARD), isNamed: true }, { version: '2.0.0' });
  const cells = selectCells([loaded], { runtime: 'process', isolation: 'namespace', defects: [], tags: [], where: {}, secrets: {} });
  const hidden = createSecrets();
  hidden.give(secret, 'the secret "x"');
  const why = { reason: 'small: cannot install left@2.0.0', log: `$ npm install\n${secret}\nnpm error\n`, hint: null };
  const results: CellResult[] = [];
  const session: Session = {
    runId: 'r', output: folder, stages: join(folder, 'stages'), installed: new Map(), signal: new AbortController().signal, secrets: {}, hidden, timelines: new Set(),
    runtime: { kind: 'process', probe: () => Promise.reject(new Error('nothing is to be started')), openStage: () => Promise.reject(new Error('nothing is to be started')), describe: async () => ({}) },
    manifest: { argv: [], harness: { version: '0', commit: null, dirty: null }, versions: {} },
    onPhase: () => {}, untestable: () => why,
  };
  const ran = await runPlan({
    cells, repeat: 3, session, schedule: createSchedule({ jobs: 1 }), scenarioText: () => 'version: 1\n', report: async () => '# page\n', onResult: (result) => void results.push(result),
  });
  expect(ran.map(({ outcome, verdicts, problems }) => [outcome, verdicts.length, problems.map(({ code }) => code)])).toEqual([['untestable', 0, ['untestable']]]);
  expect(results).toHaveLength(1);
  const bundle = await readBundle(ran[0]!.folder);
  expect(bundle).toMatchObject({ isSealed: true, verdicts: { outcome: 'untestable' }, resolved: { run: { coordinates: { version: '2.0.0' } } } });
  expect(bundle.timeline.all).toEqual([]);
  expect(readFileSync(join(bundle.folder, 'logs', 'install.log'), 'utf8')).toBe('$ npm install\n[redacted]\nnpm error\n');
});

test('a failure at coordinates stops none of the others and is not tried again; of a card as it is it stops the command', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-untestable-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const told: string[] = [];
  const environment = { ...NOWHERE, npm_config_registry: await emptyRegistry(), npm_config_cache: join(folder, 'npm'), no_proxy: '127.0.0.1', NO_PROXY: '127.0.0.1', XDG_CACHE_HOME: folder };
  const provider = createProvider({ environment, progress: (line) => void told.push(line) });
  const at = (version: string) => loadedAt({ scenario: scenarioWith(), card: cardWith(CARD), isNamed: true }, { version }).card;
  const plain = cardWith({}, '/cards/plain/system.yaml');
  await provider.provide([at('2.0.0'), plain, at('2.0.0'), at('3.0.0')], 'process');
  expect(provider.untestable(at('2.0.0'), 'process')).toMatchObject({ reason: expect.stringContaining('cannot install left@2.0.0') as string, log: expect.stringMatching(/\$ (?:\S*setpriv --pdeathsig [A-Z]+ )?npm install[\s\S]*E404/) as string });
  expect(provider.untestable(plain, 'process')).toBeNull();
  expect(told.filter((line) => line.startsWith('untestable: '))).toHaveLength(2);
  const before = told.length;
  await provider.provide([at('2.0.0')], 'process');
  expect(told).toHaveLength(before);
  // Asked for twice at the same time, as by two runs of a search, it is made ready once.
  await Promise.all([provider.provide([at('4.0.0')], 'process'), provider.provide([at('4.0.0')], 'process')]);
  expect(told.filter((line) => line.startsWith('untestable: ') && line.includes('4.0.0'))).toHaveLength(1);
  await expect(provider.provide([cardWith(CARD)], 'process')).rejects.toMatchObject({ problems: [{ code: 'install-failed' }] });
});

test('a registry that cannot be reached stops the command, also at coordinates', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-untestable-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const provider = createProvider({ environment: { ...NOWHERE, XDG_CACHE_HOME: folder }, progress: () => {} });
  const { card } = loadedAt({ scenario: scenarioWith(), card: cardWith(CARD), isNamed: true }, { version: '2.0.0' });
  await expect(provider.provide([card], 'process')).rejects.toMatchObject({ problems: [{ code: 'registry-unreachable' }] });
  expect(provider.untestable(card, 'process')).toBeNull();
});

test('what is the machine\'s fault is nobody\'s version', () => {
  const elsewhere = { coordinates: { version: '2' } };
  expect(toUntestable(elsewhere, problem('environment', 'image-missing', 'the engine has no image x:2')).reason).toContain('x:2');
  expect(() => toUntestable(elsewhere, problem('environment', 'engine-unreachable', 'no engine'))).toThrow('no engine');
  expect(() => toUntestable({ coordinates: {} }, problem('environment', 'image-missing', 'no image'))).toThrow('no image');
});
