// Stages of containers: the same promises as plain processes give, kept by a real engine.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createScope } from '../model/scope.ts';
import type { Scope } from '../model/scope.ts';
import { connectEngine, createDockerRuntime } from './docker.ts';
import type { Engine } from './docker.ts';
import { labelsOf, volumeMount } from './docker-labels.ts';
import { eventually } from './fixtures/wait.ts';
import { REFUSALS, listenOutside } from './fixtures/outside.ts';
import { PEER, PEERS, newRunId, testPlan } from './fixtures/stage-plan.ts';
import { ensureRuntimeImage } from './images-runtime.ts';
import { readRunFile, readRunFiles, runFileOf } from './run-files.ts';
import type { Stage, SystemPlan } from './runtime.ts';
import { sweepDead } from './sweep-dead.ts';

const runtime = createDockerRuntime({ entries: PEERS, extra: [PEER] });
const { available, why } = await runtime.probe();
if (!available && process.env['CI'] === 'true') throw new Error(`these tests need the engine: ${why}`);

let engine: Engine;
let image = '';
const scopes: Scope[] = [];
const newScope = (): Scope => {
  const scope = createScope();
  scopes.push(scope);
  return scope;
};
const open = (plan = testPlan(), scope = newScope()): Promise<Stage> => runtime.openStage(plan, scope);
const systemOf = (command: readonly string[], extra: Partial<NonNullable<SystemPlan['docker']>> = {}): SystemPlan =>
  ({ name: 'router', docker: { image, command, env: {}, init: true, ...extra } });
const forever = ['node', '-e', 'console.log("hello", process.env.WORD); setInterval(() => {}, 1000)'];

/** Names of everything that the engine has of a run. */
const remains = async (runId: string): Promise<readonly string[]> => {
  const filters = { label: [`hangup.run=${runId}`] };
  const containers = await engine.listContainers({ all: true, filters });
  const volumes = (await engine.listVolumes({ filters })).Volumes ?? [];
  const networks = await engine.listNetworks({ filters });
  return [...containers.map((one) => one.Names.join()), ...volumes.map((one) => one.Name), ...networks.map((one) => one.Name)];
};
const nothingRemains = (runId: string, folder: string): Promise<unknown> => {
  const gone = async (): Promise<boolean> => (await remains(runId)).length === 0 && !existsSync(folder) && !existsSync(runFileOf(runId));
  return eventually(`the removal of all of ${runId}`, gone);
};

describe.skipIf(!available)(`docker (${why})`, () => {
  beforeAll(async () => {
    engine = await connectEngine();
    image = await ensureRuntimeImage(engine, { extra: [PEER] });
  });
  afterEach(async () => {
    for (const scope of scopes.splice(0)) await scope.close();
  });

  test('everybody has an address and reaches the others from it', async () => {
    const stage = await open();
    const [address, from] = [stage.addressOf('upstream.model'), stage.addressOf('client.alice')];
    await stage.send('upstreams', { do: 'listen', address, port: 9000 });
    expect(await stage.send('clients', { do: 'reach', from, address, port: 9000 })).toBe('connected');
    const isSeen = (line: string) => async () => ((await stage.send('upstreams', { do: 'seen' })) as string[]).includes(line);
    // The client may know of its connection before the server has accepted it.
    await eventually('the connection from the client\'s address', isSeen(`from ${from}`));
    const script = `require('net').connect(9000, '${address}', () => process.exit(7))`;
    const system = await stage.startSystem(systemOf(['node', '-e', script]));
    expect(await system.exited).toMatchObject({ code: 7, signal: null });
    await eventually('the system coming from its own address', isSeen(`from ${stage.addressOf('system')}`));
  });

  test('there is no way out, neither for actors nor for the system, and no port is published', async () => {
    const { port, addresses, close } = await listenOutside();
    expect(addresses.length, 'this machine has an address beside its loopback').toBeGreaterThan(1);
    const plan = testPlan();
    const stage = await open(plan);
    for (const address of addresses) {
      expect(REFUSALS, `${address} from an actor`).toContain(await stage.send('clients', { do: 'reach', address, port }));
    }
    const attempt = `require('net').connect(${port}, host, () => console.log('out', host)).on('error', (e) => console.log(e.code))`;
    const script = `for (const host of ${JSON.stringify(addresses)}) ${attempt}`;
    const system = await stage.startSystem(systemOf(['node', '-e', script]));
    await system.exited;
    const lines = (await system.readLog()).trim().split('\n');
    expect(lines).toHaveLength(addresses.length);
    expect(lines.filter((line) => !REFUSALS.includes(line))).toEqual([]);
    const containers = await engine.listContainers({ all: true, filters: { label: [`hangup.run=${plan.runId}`] } });
    expect(containers.flatMap((one) => one.Ports)).toEqual([]);
    close();
  });

  test('no domain of this machine is searched for a name of one word', async () => {
    const stage = await open();
    const system = await stage.startSystem(systemOf(['node', '-e', "console.log(require('fs').readFileSync('/etc/resolv.conf', 'utf8'))"]));
    await system.exited;
    const lines = (await system.readLog()).split('\n').filter((line) => /^(?:search|domain|nameserver)\b/.test(line));
    expect(lines).toEqual(['nameserver 127.0.0.1']);
  });

  test('a volume that the engine makes anew for a mount carries the labels of its run', async () => {
    const plan = testPlan();
    const name = `hangup-test-${plan.runId}`;
    const container = await engine.createContainer({ Image: image, Labels: labelsOf(plan), HostConfig: { NetworkMode: 'none', Mounts: [volumeMount(name, '/stage', plan)] } });
    expect((await engine.getVolume(name).inspect()).Labels).toEqual(labelsOf(plan));
    await container.remove();
    await engine.getVolume(name).remove();
  });

  test('an address that is removed leaves the peer without any sign', async () => {
    const stage = await open();
    const address = stage.addressOf('upstream.model');
    await stage.send('upstreams', { do: 'listen', address, port: 9000 });
    await stage.send('clients', { do: 'reach', from: stage.addressOf('client.alice'), address, port: 9000 });
    await stage.removeAddress('client.alice');
    await stage.send('clients', { do: 'drop' });
    await stage.send('probes', { do: 'reach', from: stage.addressOf('system'), address, port: 9000 });
    await stage.send('probes', { do: 'drop' });
    const seen = async (): Promise<readonly string[]> =>
      ((await stage.send('upstreams', { do: 'seen' })) as string[]).filter((line) => line === 'server end');
    await eventually('the FIN of the client that kept its address', async () => (await seen()).length > 0);
    expect(await seen()).toHaveLength(1);
  });

  test('a system starts, logs, is signalled, and its end is one value', async () => {
    const stage = await open();
    const system = await stage.startSystem(systemOf(forever, { env: { WORD: 'world' } }));
    await eventually('the first line of the log', async () => (await system.readLog()) === 'hello world\n');
    expect(stage.processView).toBe('harness');
    expect(readFileSync(`/proc/${system.pid}/cmdline`, 'utf8')).toContain('console.log("hello"');
    expect(await stage.systemProcesses()).toEqual([system.pid]);
    await expect(system.signal('SIGNONSENSE')).rejects.toThrow(/signal/i);
    await system.signal('SIGTERM');
    expect(await system.exited).toMatchObject({ code: 143, signal: 'SIGTERM' });
    await system.signal('SIGTERM');
    expect(await stage.systemProcesses()).toEqual([]);
    expect(await (await stage.startSystem(systemOf(['sh', '-c', 'echo again; exit 3']))).exited).toMatchObject({ code: 3, signal: null });
  });

  test('without an init the system is as deployed: it does not hear SIGTERM', async () => {
    const stage = await open();
    const system = await stage.startSystem(systemOf(forever, { init: false }));
    await eventually('its start', async () => (await system.readLog()) !== '');
    await system.signal('SIGTERM');
    expect(await stage.systemProcesses()).toEqual([system.pid]);
    await system.signal('SIGKILL');
    expect(await system.exited).toMatchObject({ code: 137, signal: 'SIGKILL' });
  });

  test('the stage\'s folder is one for all containers, and survives a restart of the system', async () => {
    const stage = await open();
    const ledger = `${stage.systemFolder}/ledger`;
    const write = await stage.startSystem(systemOf(['sh', '-c', `echo kept > ${ledger} && chmod 600 ${ledger}`]));
    expect(await write.exited).toMatchObject({ code: 0 });
    const read = await stage.startSystem(systemOf(['cat', '/data/ledger'], { data: '/data' }));
    await read.exited;
    expect(await read.readLog()).toBe('kept\n');
  });

  test('what the engine refuses is a problem with a hint', async () => {
    const stage = await open();
    await expect(stage.startSystem(systemOf(forever, { image: 'hangup/no-such-image:1' }))).rejects.toMatchObject({
      problems: [{ family: 'environment', code: 'image-missing', hint: expect.stringContaining('docker pull hangup/no-such-image:1') }],
    });
    await expect(stage.startSystem(systemOf(['no-such-program'], { init: false }))).rejects.toMatchObject({
      problems: [{ family: 'environment', code: 'system-not-started', message: expect.stringContaining('no-such-program') }],
    });
    const underInit = await stage.startSystem(systemOf(['no-such-program']));
    expect(await underInit.exited, 'an init does start, and says that the program is not found').toMatchObject({ code: 127 });
    expect(await underInit.readLog()).toContain('no-such-program');
  });

  test('an actor that ends unasked is reported; one that is killed is not', async () => {
    const plan = testPlan({ ownProcesses: ['client.alice'] });
    const stage = await open(plan);
    await stage.killActor('client.alice');
    expect(plan.failures).toEqual([]);
    await stage.send('clients', { do: 'die' }).catch(() => {});
    await eventually('the report', () => plan.failures.length > 0);
    expect(plan.failures).toEqual([expect.stringMatching(/^clients: ended with code 1: .*died as told/)]);
  });

  test('closing the scope leaves nothing', async () => {
    const plan = testPlan();
    const scope = newScope();
    const stage = await open(plan, scope);
    await stage.startSystem(systemOf(forever));
    expect(await remains(plan.runId)).toHaveLength(3);
    const reports = await scope.close();
    expect(reports.map((report) => report.outcome)).toEqual(['closed', 'closed', 'closed', 'closed']);
    expect(await remains(plan.runId)).toEqual([]);
    expect(existsSync(plan.folder)).toBe(false);
    expect(plan.failures).toEqual([]);
  });

  test('ten stages at once', async () => {
    const stages = await Promise.all(Array.from({ length: 10 }, () => open()));
    const answers = await Promise.all(stages.map((stage) => stage.send('clients', { do: 'ping' })));
    expect(answers).toHaveLength(10);
  });

  const startHarness = async (runId: string, folder: string): Promise<{ readonly kill: () => void; readonly said: () => string }> => {
    const script = join(import.meta.dirname, 'fixtures/open-stage.ts');
    const child = spawn(process.execPath, [script, runId, folder, 'docker', image], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    return { kill: () => void child.kill('SIGKILL'), said: () => text };
  };

  test('a harness that is killed leaves nothing behind', async () => {
    const plan = testPlan();
    const runId = newRunId();
    const harness = await startHarness(runId, plan.folder);
    await eventually('the stage of the harness', () => harness.said().includes('up'));
    expect(await remains(runId)).toHaveLength(3);
    harness.kill();
    await nothingRemains(runId, plan.folder);
  });

  test.each([20, 90, 160, 240, 330])('nor does one that is killed %i ms after it began to open the stage', async (afterMs) => {
    const plan = testPlan();
    const runId = newRunId();
    const harness = await startHarness(runId, plan.folder);
    await eventually('the first word of the harness', () => harness.said().includes('opening'));
    // Not a wait for something: the moment of the kill is what the cases differ in.
    await pause(afterMs);
    harness.kill();
    // Where it was killed between its note of a container and the question for it, the guard cannot know that there was none: it waits on.
    const isOver = (): boolean => Object.keys(readRunFile(runId)?.making ?? {}).length > 0 || !existsSync(runFileOf(runId));
    await eventually('the guard\'s end, and nothing left', async () => isOver() && (await remains(runId)).length === 0);
    rmSync(plan.folder, { recursive: true, force: true });
  });

  test('the next start sweeps a run whose guard was killed too', async () => {
    const plan = testPlan();
    const runId = newRunId();
    const harness = await startHarness(runId, plan.folder);
    await eventually('the stage of the harness', () => harness.said().includes('up'));
    const file = readRunFiles().find((one) => one.runId === runId);
    process.kill(file!.pid, 'SIGKILL');
    harness.kill();
    expect(await remains(runId)).not.toEqual([]);
    await eventually('the guard\'s death', async () => (await sweepDead()).includes(runId));
    await nothingRemains(runId, plan.folder);
  });
});
