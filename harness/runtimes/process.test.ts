// Stages of plain processes: real namespaces, real sockets, real deaths.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createScope } from '../model/scope.ts';
import type { Scope } from '../model/scope.ts';
import { eventually } from './fixtures/wait.ts';
import { REFUSALS, listenOutside } from './fixtures/outside.ts';
import { PEERS, newRunId, testPlan } from './fixtures/stage-plan.ts';
import { complaintOf, findIsolation } from './isolation.ts';
import { createProcessRuntime } from './process.ts';
import { livePids, pidsWithEnvironment } from './processes.ts';
import type { Stage, SystemPlan } from './runtime.ts';
import { runFileOf } from './run-files.ts';

const runtime = createProcessRuntime({ entries: PEERS });
const namespaces = findIsolation().kind === 'namespace';
const scopes: Scope[] = [];
const newScope = (): Scope => {
  const scope = createScope();
  scopes.push(scope);
  return scope;
};
afterEach(async () => {
  for (const scope of scopes.splice(0)) await scope.close();
});

const open = async (plan = testPlan()): Promise<Stage> => runtime.openStage(plan, newScope());
const listen = async (stage: Stage, port = 9000): Promise<string> => {
  const address = stage.addressOf('upstream.model');
  await stage.send('upstreams', { do: 'listen', address, port });
  return address;
};
/** A plan for a plain process in the stage's folder. */
const systemOf = (stage: Stage, name: string, command: readonly string[], env = {}): SystemPlan =>
  ({ name, process: { command, env, cwd: stage.systemFolder } });
const seenBy = async (stage: Stage): Promise<readonly string[]> => (await stage.send('upstreams', { do: 'seen' })) as string[];

describe.skipIf(!namespaces)('a stage in namespaces', () => {
  test('everybody has an address and reaches the others from it', async () => {
    const stage = await open();
    const address = await listen(stage);
    const from = stage.addressOf('client.alice');
    expect(await stage.send('clients', { do: 'reach', from, address, port: 9000 })).toBe('connected');
    // The client may know of its connection before the server has accepted it.
    await eventually('the connection from the client\'s address', async () => (await seenBy(stage)).includes(`from ${from}`));
    expect(await stage.send('clients', { do: 'reach', address, port: 9001 })).toBe('ECONNREFUSED');
    const script = `require('net').connect(9000, '${address}', () => process.exit(7))`;
    const system = await stage.startSystem(systemOf(stage, 'router', ['node', '-e', script]));
    expect(await system.exited).toMatchObject({ code: 7 });
    const own = `from ${stage.addressOf('system')}`;
    await eventually('the system coming from its own address without choosing it', async () => (await seenBy(stage)).includes(own));
    expect(stage.portFor(8000)).toBe(8000);
  });

  test('two stages use the same addresses and ports and do not meet', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const address = await listen(one);
    expect(other.addressOf('upstream.model')).toBe(address);
    expect(await other.send('clients', { do: 'reach', address, port: 9000 })).toBe('ECONNREFUSED');
    await listen(other);
    expect(await seenBy(one)).toEqual([]);
  });

  test('there is no way out: listeners of this machine cannot be reached', async () => {
    const { port, addresses, close } = await listenOutside();
    const stage = await open();
    expect(addresses).toContain('127.0.0.1');
    const direct = spawn(process.execPath, ['-e', `require('net').connect(${port}, '127.0.0.1', () => process.exit(7))`]);
    expect((await once(direct, 'exit'))[0], 'the listener can be reached from outside the stage').toBe(7);
    for (const address of addresses) {
      expect(REFUSALS, `${address} from inside`).toContain(await stage.send('clients', { do: 'reach', address, port }));
    }
    close();
  });

  test('an address that is removed leaves the peer without any sign', async () => {
    const stage = await open();
    const address = await listen(stage);
    await stage.send('clients', { do: 'reach', from: stage.addressOf('client.alice'), address, port: 9000 });
    await stage.removeAddress('client.alice');
    await stage.send('clients', { do: 'drop' });
    // A client whose address stays is the control: its FIN does arrive, after the drop of the other one.
    await stage.send('probes', { do: 'reach', from: stage.addressOf('system'), address, port: 9000 });
    await stage.send('probes', { do: 'drop' });
    await eventually('the FIN of the client that kept its address', async () => (await seenBy(stage)).includes('server end'));
    expect((await seenBy(stage)).filter((line) => line === 'server end')).toHaveLength(1);
  });

  test('a system starts, logs, is signalled, and its end is one value', async () => {
    const plan = testPlan();
    const stage = await open(plan);
    const command = ['node', '-e', 'console.log(process.env.WORD, process.env.HOME); setInterval(() => {}, 1000)'];
    const system = await stage.startSystem(systemOf(stage, 'router', command, { WORD: 'hello' }));
    await eventually('the first line of the log', async () => (await system.readLog()) === `hello ${join(plan.folder, 'home')}\n`);
    expect(await stage.systemProcesses()).toEqual([system.pid]);
    expect(system.hasExited()).toBe(false);
    await expect(system.signal('SIGNONSENSE')).rejects.toThrow(/signal/i);
    await system.signal('SIGTERM');
    expect(await system.exited).toMatchObject({ code: 143, signal: 'SIGTERM' });
    await system.signal('SIGTERM');
    expect(await stage.systemProcesses()).toEqual([]);
    const again = await stage.startSystem(systemOf(stage, 'router', ['sh', '-c', 'exit 3']));
    expect(await again.exited).toMatchObject({ code: 3, signal: null });
    expect(await again.readLog(), 'a restart goes on in the same log').toContain('hello');
  });

  test('a process that escapes its parent still belongs to the system', async () => {
    const stage = await open();
    const system = await stage.startSystem(systemOf(stage, 'daemon', ['sh', '-c', 'setsid -f sleep 100']));
    await system.exited;
    expect(await stage.systemProcesses()).toHaveLength(1);
  });

  test('thirty stages at once', async () => {
    const stages = await Promise.all(Array.from({ length: 30 }, () => open()));
    const answers = await Promise.all(stages.map(async (stage) => {
      const address = await listen(stage);
      return stage.send('clients', { do: 'reach', from: stage.addressOf('client.alice'), address, port: 9000 });
    }));
    expect(answers).toEqual(Array(30).fill('connected'));
  }, 60_000);
});

describe.each(namespaces ? ['namespace', 'loopback'] as const : ['loopback'] as const)('whatever the isolation: %s', (isolation) => {
  const chosen = isolation === 'loopback' ? createProcessRuntime({ entries: PEERS, isolation }) : runtime;

  test('closing the scope leaves no process and no folder', async () => {
    const plan = testPlan({ ownProcesses: ['client.alice'] });
    const scope = newScope();
    const stage = await chosen.openStage(plan, scope);
    await stage.startSystem(systemOf(stage, 'daemon', ['sh', '-c', 'setsid sleep 100 & trap "" TERM; sleep 100']));
    await eventually('the daemon beside the actors', () => pidsWithEnvironment({ HANGUP_RUN: plan.runId }).length > 4);
    const reports = await scope.close();
    expect(reports.map((report) => report.outcome)).toEqual(['closed', 'closed']);
    expect(pidsWithEnvironment({ HANGUP_RUN: plan.runId })).toEqual([]);
    expect(existsSync(plan.folder)).toBe(false);
    expect(plan.failures, 'an end that was asked for is no failure').toEqual([]);
    await expect(stage.send('clients', { do: 'ping' })).rejects.toThrow(/ended/);
  });

  test('a harness that is killed leaves nothing behind', async () => {
    const plan = testPlan();
    const runId = newRunId();
    const script = join(import.meta.dirname, 'fixtures/open-stage.ts');
    const harness = spawn(process.execPath, [script, runId, plan.folder, isolation], {
      stdio: ['ignore', 'pipe', 'inherit'], detached: true,
    });
    const said: string[] = [];
    harness.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString('utf8')));
    await eventually('the stage of the harness', () => said.join('').includes('up'));
    const word = `1000.${harness.pid}`;
    const sleepers = (): readonly number[] => livePids().filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')[1] === word;
      } catch {
        return false;
      }
    });
    await eventually('both children of the system', () => sleepers().length === 2);
    process.kill(-harness.pid!, 'SIGINT');
    await eventually('the actors\' answers after a Ctrl-C', () => said.join('').includes('all alive'));
    harness.kill('SIGKILL');
    const left = (): number => sleepers().length + pidsWithEnvironment({ HANGUP_RUN: runId }).length;
    await eventually('the end of every process of the run', () => left() === 0);
    await eventually('the removal of its folder and its note', () => !existsSync(plan.folder) && !existsSync(runFileOf(runId)));
  });

  test('an actor that ends unasked is reported with its last words', async () => {
    const plan = testPlan();
    const stage = await chosen.openStage(plan, newScope());
    const waiting = stage.send('clients', { do: 'wait' });
    const rejected = expect(waiting).rejects.toThrow(/clients: ended with code 1.*died as told/);
    await stage.send('clients', { do: 'die' }).catch(() => {});
    await rejected;
    expect(plan.failures).toEqual([expect.stringMatching(/^clients: ended with code 1: .*died as told/)]);
    await expect(stage.send('clients', { do: 'ping' })).rejects.toThrow('no actor clients is running');
    expect(await stage.send('upstreams', { do: 'ping' })).toHaveProperty('nowMs');
  });

  test('thousands of facts pass through the stage host whole and in order', async () => {
    const plan = testPlan();
    const stage = await chosen.openStage(plan, newScope());
    await Promise.all(['clients', 'upstreams'].map((actor) => stage.send(actor, { do: 'tell-many', times: 5_000 })));
    for (const actor of ['clients', 'upstreams']) {
      const numbers = plan.facts.filter((fact) => fact.actor === actor).map((fact) => fact.seq);
      expect(numbers).toEqual(Array.from({ length: 5_000 }, (_, index) => index + 1));
    }
  });

  test('a client with a process of its own is killed without being a failure', async () => {
    const plan = testPlan({ ownProcesses: ['client.alice'] });
    const stage = await chosen.openStage(plan, newScope());
    await stage.send('client.alice', { do: 'tell' });
    await eventually('the fact of that process', () => plan.facts.some((fact) => fact.actor === 'peer'));
    const waiting = expect(stage.send('client.alice', { do: 'wait' })).rejects.toThrow(/client.alice/);
    await stage.killActor('client.alice');
    await waiting;
    expect(plan.failures).toEqual([]);
  });

  test('a command that does not exist is a problem with a hint', async () => {
    const stage = await chosen.openStage(testPlan(), newScope());
    await expect(stage.startSystem(systemOf(stage, 'router', ['no-such-program']))).rejects.toMatchObject({
      problems: [{ family: 'environment', code: 'system-not-started', hint: expect.stringContaining('no-such-program') }],
    });
  });
});

const NOBODY = ['--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath];
/** Whether an unprivileged user could run this clone at all. */
const readableByNobody = process.getuid?.() === 0
  && complaintOf('setpriv', [...NOBODY, '-e', `fs.readFileSync('${import.meta.filename}')`]) === null;

test.skipIf(!namespaces || !readableByNobody)('a user without rights gets the same, in a user namespace', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hangup-test-'));
  chownSync(home, 65_534, 65_534);
  const runId = newRunId();
  const script = join(import.meta.dirname, 'fixtures/open-stage.ts');
  const harness = spawn('setpriv', [...NOBODY, script, runId, join(home, 'stage'), 'namespace'], {
    stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env['PATH'], HOME: home, TMPDIR: home },
  });
  const said: string[] = [];
  harness.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString('utf8')));
  await eventually('the stage of the harness', () => said.join('').includes('up'));
  expect(pidsWithEnvironment({ HANGUP_RUN: runId }).length).toBeGreaterThan(3);
  harness.kill('SIGKILL');
  await eventually('the end of every process of the run', () => pidsWithEnvironment({ HANGUP_RUN: runId }).length === 0);
  await eventually('the removal of its folder', () => !existsSync(join(home, 'stage')));
  rmSync(home, { recursive: true, force: true });
});

test('plain loopback: each stage has addresses of its own, and the system a free port', async () => {
  const loopback = createProcessRuntime({ entries: PEERS, isolation: 'loopback' });
  const [one, other] = await Promise.all([loopback.openStage(testPlan(), newScope()), loopback.openStage(testPlan(), newScope())]);
  expect(one.isolation).toBe('loopback');
  expect(one.addressOf('system')).not.toBe(other.addressOf('system'));
  expect(one.portFor(8000)).not.toBe(other.portFor(8000));
  expect(one.portFor(8000)).toBe(one.portFor(8000));
  expect(one.portFor(8000)).toBeLessThan(32_768);
  const address = await listen(one, 0).then(() => one.addressOf('upstream.model'));
  expect(address).toMatch(/^127\./);
});
