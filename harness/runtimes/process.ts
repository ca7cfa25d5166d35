// The runtime of plain processes, and the only door to execa: a stage is one process tree in
// namespaces of its own, which the kernel ends with us. It needs nothing but Linux.
import { rm } from 'node:fs/promises';
import { release } from 'node:os';
import type { Send } from '../model/protocol.ts';
import type { Scope } from '../model/scope.ts';
import { loopbackAddresses, namespaceAddresses, takeFreePort } from './addresses.ts';
import type { Addresses } from './addresses.ts';
import { actorEnvironment, marksOf } from './environment.ts';
import { countsIn, endWithWholePacket } from './capture.ts';
import type { Capture, CapturePlan } from './capture.ts';
import type { ExitWatch } from './exit-watch.ts';
import { guardOf } from './guard.ts';
import { findIsolation, stageCommand } from './isolation.ts';
import type { Isolation } from './isolation.ts';
import { createLink } from './link.ts';
import type { Link } from './link.ts';
import { startProcessSystem } from './process-system.ts';
import { killAll, pidsWithEnvironment } from './processes.ts';
import type { Runtime, Stage, StagePlan } from './runtime.ts';
import { makeStageFolder } from './stage-folder.ts';
import { startActors } from './stage-start.ts';
import type { ActorEntries } from './stage-start.ts';
import { createStageFacts } from './stage-facts.ts';
import { waysIntoProcesses } from './ways-in.ts';
import type { StageFacts } from './stage-facts.ts';

const STOP_LIMIT_MS = 3_000;
const LAST_WORDS_BYTES = 2_000;

export type ProcessOptions = {
  /** Tests: plain loopback although a namespace could be made. */
  readonly isolation?: 'loopback';
  /** Tests: other programs in the place of the actors. */
  readonly entries?: ActorEntries;
};

const isolationFor = (options: ProcessOptions): Isolation =>
  options.isolation === 'loopback' ? { kind: 'loopback', user: [], why: 'plain loopback: asked for' } : findIsolation();

/** Starts the stage host and owns its end: everything below it is gone when the closer resolves. */
const launch = async (plan: StagePlan, isolation: Isolation, scope: Scope, watches: Map<string, ExitWatch>): Promise<Link> => {
  const { execa } = await import('execa');
  const [program, ...args] = stageCommand(isolation, plan);
  let words = '';
  let stop = async (): Promise<void> => {};
  scope.own(`stage ${plan.stageId}`, () => stop());
  const child = execa(program, args, {
    cwd: plan.folder, extendEnv: false, env: actorEnvironment(plan.runId, plan.stageId),
    // A session of its own: a terminal's Ctrl-C is for the harness, which then ends the stage in order.
    detached: true,
    stdin: 'pipe', stdout: 'pipe', stderr: 'pipe', buffer: false, reject: false, forceKillAfterDelay: false,
  });
  const link: Link = createLink((line) => child.stdin.write(`${line}\n`), (fact) => facts.receive(fact), (line) => {
    words = `${words}\n${line}`.slice(-LAST_WORDS_BYTES);
  });
  const facts: StageFacts = createStageFacts(plan, watches, () => link, () => words.trim());
  child.stdin.on('error', () => {});
  child.stdout.on('data', (chunk: Buffer) => link.feed(chunk));
  child.stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString('utf8')).slice(-LAST_WORDS_BYTES);
  });
  const ended = child.then((result) => {
    facts.stageEnded(`ended with ${result.signal ?? `code ${result.exitCode ?? 'none'}`}`);
    if (isolation.kind === 'loopback') killAll(pidsWithEnvironment(marksOf(plan.runId, plan.stageId)));
  });
  stop = async () => {
    facts.closing();
    child.stdin.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(timer);
  };
  return link;
};

/** @throws Error saying why not */
const captureInStage = async ({ kind }: Isolation, send: Send, { file, limitBytes }: CapturePlan): Promise<Capture> => {
  if (kind === 'loopback') throw new Error('on plain loopback there would be packets of everybody else as well');
  await send('stage', { do: 'capture-start', file, limitBytes });
  return {
    stop: async () => {
      const { words, isCut } = (await send('stage', { do: 'capture-stop' })) as { readonly words: string; readonly isCut: boolean };
      return { bytes: await endWithWholePacket(file), isCut, words: countsIn(words) };
    },
  };
};

const stageOf = (plan: StagePlan, isolation: Isolation, addresses: Addresses, link: Link, watches: Map<string, ExitWatch>): Stage => {
  const { send } = link;
  const ports = new Map<number, number>();
  const portFor = (wanted: number): number => {
    if (isolation.kind === 'namespace') return wanted;
    const port = ports.get(wanted) ?? takeFreePort();
    ports.set(wanted, port);
    return port;
  };
  return {
    isolation: isolation.kind,
    addressOf: addresses.of,
    portFor,
    systemFolder: plan.folder,
    probesFolder: plan.folder,
    send,
    startSystem: (system) => startProcessSystem(system, plan, send, watches),
    removeAddress: async (name) => void (await send('stage', { do: 'address-remove', address: addresses.of(name) })),
    cutAddress: async (name) => void (await send('stage', { do: 'address-cut', address: addresses.of(name) })),
    healAddress: async (name) => void (await send('stage', { do: 'address-heal', address: addresses.of(name) })),
    capture: (capturePlan) => captureInStage(isolation, send, capturePlan),
    killActor: async (process) => {
      await send('stage', { do: 'kill-actor', process });
      link.fail(process, 'was killed');
    },
    waysIn: async (processes) => waysIntoProcesses(plan, isolation, processes),
    systemProcesses: async () => (await send('stage', { do: 'processes' })) as readonly number[],
    processView: 'stage',
  };
};

const open = async (plan: StagePlan, scope: Scope, options: ProcessOptions): Promise<Stage> => {
  const isolation = isolationFor(options);
  const noted = guardOf(plan.runId).addFolder(plan.folder);
  scope.own(`folder ${plan.stageId}`, async () => {
    await rm(plan.folder, { recursive: true, force: true, maxRetries: 3 });
    noted.forget();
  });
  makeStageFolder(plan, isolation.kind === 'namespace');
  const watches = new Map<string, ExitWatch>();
  const link = await launch(plan, isolation, scope, watches);
  const addresses = isolation.kind === 'namespace' ? namespaceAddresses(plan.names) : loopbackAddresses(plan.names);
  await startActors(plan, isolation.kind, addresses, link.send, options.entries);
  return stageOf(plan, isolation, addresses, link, watches);
};

/** @returns a runtime; nothing is tried before it is asked for */
export const createProcessRuntime = (options: ProcessOptions = {}): Runtime => ({
  kind: 'process',
  probe: async () => {
    if (process.platform !== 'linux') {
      const why = `plain processes need Linux, this is ${process.platform}`;
      return { available: false, why, hint: 'use --runtime docker', isolation: 'loopback' };
    }
    const { kind, why, hint } = isolationFor(options);
    return { available: true, why, isolation: kind, ...(hint === undefined ? {} : { hint }) };
  },
  openStage: (plan, scope) => open(plan, scope, options),
  describe: async () => ({ node: process.version, kernel: release(), isolation: isolationFor(options).why }),
});

