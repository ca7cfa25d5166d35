// Table D where it can be provoked for real: what a run must refuse to conclude, and why it says so.
// One command runs all of it side by side; what has to be done to its processes is done from here.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bundle } from '../bundle/read.ts';
import { DEATHS, expectOwnDeath } from './fixtures/own-death.ts';
import { bundlesOf, claimsOf, FIXTURES, recorded, routerCard, runWords, stageProcesses, startCli, temporaryFolder } from './test-kit.ts';
import type { Finished, Judged, Started } from './test-kit.ts';

const RUN_LIMIT_MS = 110_000;
const STOPPED_MS = 1_500;
const BURNT_MS = 5_000;

const ROUTER = /reference-router\/(start|main)/;

let folder: string;
let starvedFolder: string;

/** The one process of a stage that runs this entry. */
const processOf = async (started: Started, cell: string, mark: string, entry: RegExp): Promise<number> => {
  const runId = await recorded(started, cell, `"mark":"${mark}"`);
  const pids = stageProcesses(runId, cell, entry).filter((pid) => stageProcesses(runId, cell, /stage-host/).every((host) => host !== pid));
  expect(pids).toHaveLength(1);
  return pids[0]!;
};

const killProbes = async (started: Started): Promise<void> => {
  process.kill(await processOf(started, 'refusals-probe-dies', 'gone', /probes\/main/), 'SIGKILL');
};

const killRouter = async (started: Started): Promise<void> => {
  process.kill(await processOf(started, 'refusals-killed', 'streaming', ROUTER), 'SIGKILL');
};

const stopUpstreams = async (started: Started): Promise<void> => {
  const pid = await processOf(started, 'refusals-watcher-stopped', 'streaming', /upstreams\/main/);
  process.kill(pid, 'SIGSTOP');
  setTimeout(() => process.kill(pid, 'SIGCONT'), STOPPED_MS);
};

/** A processor that this process may use. */
const processor = (): string => /Cpus_allowed_list:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]!;

/** Kernels that share processors between sessions first look at this weight; others at the policy of the process. */
const yieldSession = (pid: number): void => {
  const path = `/proc/${pid}/autogroup`;
  if (existsSync(path)) writeFileSync(path, '19');
};

/** The router gets only what nobody else wants of one processor, and then somebody wants all of it. */
const starve = async (): Promise<Finished> => {
  const card = join(starvedFolder, 'starved.yaml');
  writeFileSync(card, routerCard([['command: [node, "', `command: [chrt, --idle, "0", taskset, --cpu-list, "${processor()}", node, "`]]));
  const started = startCli(runWords([join(FIXTURES, 'starved.yaml')], starvedFolder, ['--system', card]), { folder: starvedFolder });
  const runId = await recorded(started, 'fixtures-starved', '"mark":"gone"');
  const [router] = stageProcesses(runId, 'fixtures-starved', ROUTER);
  yieldSession(router!);
  const hog = spawn('taskset', ['--cpu-list', processor(), 'sh', '-c', 'while :; do :; done'], { stdio: 'ignore', detached: true });
  setTimeout(() => hog.kill('SIGKILL'), BURNT_MS);
  await once(hog, 'exit');
  return started.finished;
};

let finished: Finished;
let starved: Finished;
let bundles: ReadonlyMap<string, Bundle>;

beforeAll(async () => {
  folder = temporaryFolder(true);
  starvedFolder = temporaryFolder(true);
  const started = startCli(runWords([join(FIXTURES, 'refusals')], folder), { folder });
  [finished, starved] = await Promise.all([started.finished, starve(), killProbes(started), killRouter(started), stopUpstreams(started)]);
  bundles = new Map([...(await bundlesOf(folder)), ...(await bundlesOf(starvedFolder))]);
}, RUN_LIMIT_MS + 10_000);

afterAll(() => {
  for (const path of [folder, starvedFolder]) rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

const judged = (scenario: string): Judged => claimsOf(bundles.get(scenario)!.verdicts!);
const outcomeOf = (scenario: string): string => bundles.get(scenario)!.verdicts!.outcome;

test('D4 the exchange was not open at the mark', () => {
  expect(judged('refusals/not-open')['upstream-closed']).toEqual({
    outcome: 'inconclusive',
    reason: expect.stringMatching(/was not open at mark early: it came .* later/),
  });
});

test('D5 a fault that did not fire leaves nothing to conclude', () => {
  const claims = judged('refusals/fault-never-fires');
  for (const claim of ['upstream-closed', 'billing-terminal']) {
    expect(claims[claim]).toEqual({ outcome: 'inconclusive', reason: 'fault upstream-stop did not fire: its mark "never" was never set' });
  }
  expect(claims['process-alive']!.outcome).toBe('held');
});

test('D6 a watcher that was stopped saw nothing in time', () => {
  expect(judged('refusals/watcher-stopped')['upstream-closed']).toEqual({
    outcome: 'inconclusive',
    reason: expect.stringMatching(/^upstreams lagged .*, the margin is/),
  });
});

test('D6 a system that was kept from the processor is not judged on its leases', () => {
  expect(starved.code, starved.output).toBe(2);
  expect(judged('fixtures/starved')['renewal-stopped']).toEqual({
    outcome: 'inconclusive',
    reason: expect.stringMatching(/^the system waited .* for a processor between .*, more than a third of a lease of 1\.5 s$/),
  });
});

test.each(DEATHS)('D7 a system that dies by itself (%s) is accused of that, and credited with nothing', (end, words) => {
  expectOwnDeath(judged(`refusals/dies[end=${end}]`), words);
  expect(outcomeOf(`refusals/dies[end=${end}]`)).toBe('failed');
});

test('D7 a system that somebody else killed: nothing that a dead system no longer does is to its credit', () => {
  const claims = judged('refusals/killed');
  expect(claims['process-alive']).toEqual({
    outcome: 'violated',
    reason: expect.stringMatching(/^router died by itself .* with signal SIGKILL$/),
  });
  for (const [claim, { outcome, reason }] of Object.entries(claims)) expect(outcome, `${claim}: ${reason}`).not.toBe('held');
});

test('D8 an error instead of a stream: the precondition is named, nothing is held', () => {
  for (const [claim, { outcome, reason }] of Object.entries(judged('refusals/error-status'))) {
    expect(`${outcome}: ${reason}`, claim).toMatch(
      /^inconclusive: precondition stream was not met: the system answered alice with status 500/,
    );
  }
});

test('D9 a probe that died: nothing is concluded from then on', () => {
  const claims = judged('refusals/probe-dies');
  for (const claim of ['renewal-stopped', 'nothing-reserved', 'process-alive']) expect(claims[claim]!.outcome, claim).toBe('inconclusive');
  expect(claims['nothing-reserved']!.reason).toMatch(/probe ledger lost the ledger/);
  expect(outcomeOf('refusals/probe-dies')).toBe('inconclusive');
  expect(bundles.get('refusals/probe-dies')!.timeline.of('actor-failed')).toEqual([
    expect.objectContaining({ process: 'probes', error: expect.stringContaining('SIGKILL') }),
  ]);
});

test('D10 an upstream that came to its own end', () => {
  expect(judged('refusals/upstream-ends-first')['upstream-closed']).toEqual({
    outcome: 'inconclusive',
    reason: expect.stringMatching(/was ended by its own script .* before alice's RST, not by the system/),
  });
});

test("D11 the system's own time-out, with its length", () => {
  expect(judged('refusals/own-time-out')['upstream-closed']).toEqual({
    outcome: 'inconclusive',
    reason: expect.stringMatching(/^the system's own time-out: .* at the age of 3\.\d s/),
  });
});

test('D12 what a buffering system withheld is said, and claims about streaming are not made', () => {
  const claims = judged('refusals/withheld');
  expect(claims['upstream-closed']).toEqual({
    outcome: 'held',
    reason: expect.stringMatching(/the first chunk, .*never reached alice: the system buffers$/),
  });
  expect(claims['stream-truncated-visibly']).toEqual({
    outcome: 'inconclusive',
    reason: expect.stringMatching(/^claims about streaming do not apply; .*the system buffers$/),
  });
});

test('the command failed because a system died, and told each outcome', () => {
  expect(finished.code, finished.output).toBe(1);
  expect(finished.output).toMatch(/proxy died by itself .* with exit code 7/);
});
