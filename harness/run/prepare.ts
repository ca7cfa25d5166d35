// The first phase: network, upstreams, system, readiness, set-up, accounts, and one finite marked
// exchange per account, which shows that the path works and what a charge looks like.
import type { BundleWriter } from '../bundle/write.ts';
import { instancesOf } from '../model/facts.ts';
import type { Facts } from '../model/facts.ts';
import type { LiveTimeline } from '../model/live.ts';
import type { Emitted } from '../model/protocol.ts';
import type { Scope } from '../model/scope.ts';
import { nowMs, toMicroseconds } from '../model/time.ts';
import type { CapturePlan } from '../runtimes/capture.ts';
import type { Runtime, Stage } from '../runtimes/runtime.ts';
import { accountValues, createAccounts } from '../systems/accounts.ts';
import type { RunAccount } from '../systems/accounts.ts';
import { secretsOfCard } from '../systems/card-secrets.ts';
import type { Cell } from '../systems/cell.ts';
import { addressNameOf, numbersOf } from '../systems/instances.ts';
import { hasNoSystem, needsNoStage } from '../systems/no-system.ts';
import { runSetup } from '../systems/setup.ts';
import { startSystem } from '../systems/start.ts';
import type { StartedSystem } from '../systems/start.ts';
import { systemValues, UPSTREAM_PORT } from '../systems/system-plan.ts';
import { fillText } from '../systems/template.ts';
import type { Values } from '../systems/template.ts';
import { doBeforeStart, restartForSetup } from './before-start.ts';
import { startCapture } from './capture.ts';
import { needsOwnProcess, processOf } from './drive.ts';
import type { Run } from './run-context.ts';
import { ledgerPath } from './sample.ts';
import { collectLogs } from './stop.ts';
import { absentSystem, NO_STAGE } from './without-system.ts';

const PINGS = 5;

export type PrepareInput = {
  readonly cell: Cell;
  readonly runtime: Runtime;
  readonly timeline: LiveTimeline;
  readonly scope: Scope;
  readonly bundle: BundleWriter;
  readonly signal: AbortSignal;
  readonly runId: string;
  readonly stageId: string;
  readonly stageFolder: string;
  readonly installed: string | null;
  /** The work tree of the system's revision, where its card is of a git repository. */
  readonly source?: string | null;
  /** Packets, where they were asked for. */
  readonly capture?: CapturePlan | null;
  /** By name, for `${secret.name}` of the card. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Told of each secret before it is used, so that it never reaches the disk. */
  readonly onSecret: (secret: string) => void;
};

/** Everybody who gets an address of the stage. */
const namesOf = ({ scenario }: Cell): readonly string[] => [
  ...numbersOf(scenario).map(addressNameOf),
  ...Object.keys(scenario.upstreams).map((name) => `upstream.${name}`),
  ...Object.keys(scenario.clients).map((name) => `client.${name}`),
];

/** How far the stage's clock is ahead of ours: zero until it was measured, and on one kernel. */
type Ahead = { ms: number };

const openStage = (input: PrepareInput, ahead: Ahead): Promise<Stage> => {
  const { cell, timeline } = input;
  const onFact = (emitted: Emitted): void => {
    const { at, ...fact } = emitted;
    timeline.add({ ...fact, atMs: toMicroseconds(at - ahead.ms - timeline.originMs) });
  };
  return input.runtime.openStage(
    {
      runId: input.runId,
      stageId: input.stageId,
      folder: input.stageFolder,
      names: namesOf(cell),
      ownProcesses: Object.keys(cell.scenario.clients).filter((name) => needsOwnProcess(cell, name)),
      onFact,
      onActorFailed: (process, error, atMs) => timeline.note({ type: 'actor-failed', process, error }, 'harness', atMs),
    },
    input.scope,
  );
};

/** The distance of the two clocks: zero on one kernel, measured all the same. What the stage says from then on is told in our time. */
const measureClock = async (stage: Stage, timeline: LiveTimeline, ahead: Ahead): Promise<void> => {
  let best = { offsetMs: 0, errorMs: Infinity };
  for (let ping = 0; ping < PINGS; ping += 1) {
    const beganMs = nowMs();
    const { nowMs: thereMs } = (await stage.send('probes', { do: 'ping' })) as { nowMs: number };
    const errorMs = (nowMs() - beganMs) / 2;
    if (errorMs < best.errorMs) best = { offsetMs: thereMs - (beganMs + errorMs), errorMs };
  }
  ahead.ms = Math.abs(best.offsetMs) <= best.errorMs ? 0 : best.offsetMs;
  timeline.note({ type: 'clock', offsetMs: toMicroseconds(ahead.ms), errorMs: toMicroseconds(best.errorMs) });
};

const listen = async (cell: Cell, stage: Stage): Promise<void> => {
  for (const [name, { behaviour, onFin, shape }] of Object.entries(cell.upstreams)) {
    await stage.send('upstreams', {
      do: 'listen',
      upstream: name,
      address: stage.addressOf(`upstream.${name}`),
      port: UPSTREAM_PORT,
      behaviour,
      onFin,
      ...(shape === undefined ? {} : { shape }),
    });
  }
};

/** Where clients of an instance connect; without a system, to the only upstream. */
const servedAt = ({ card, scenario }: Cell, stage: Stage, port: number, instance = 1): { readonly address: string; readonly port: number } => {
  const [upstream = ''] = Object.keys(scenario.upstreams);
  return hasNoSystem(card)
    ? { address: stage.addressOf(`upstream.${upstream}`), port: UPSTREAM_PORT }
    : { address: stage.addressOf(addressNameOf(instance)), port };
};

const withAddresses = (facts: Facts, cell: Cell, stage: Stage, port: number): Facts => ({
  ...facts,
  system: {
    ...facts.system,
    address: servedAt(cell, stage, port).address,
    listen: Object.values(servedAt(cell, stage, port)).join(':'),
    instances: instancesOf(facts).map((instance, index) => {
      const address = stage.addressOf(addressNameOf(index + 1));
      return { ...instance, address, listen: `${address}:${port}` };
    }),
  },
  clients: Object.fromEntries(
    Object.entries(facts.clients).map(([name, client]) => [name, { ...client, address: stage.addressOf(`client.${name}`) }]),
  ),
  upstreams: Object.fromEntries(Object.keys(facts.upstreams).map((name) => [name, { address: stage.addressOf(`upstream.${name}`) }])),
});

const withAccounts = (facts: Facts, accounts: ReadonlyMap<string, RunAccount>): Facts => ({
  ...facts,
  clients: Object.fromEntries(
    Object.entries(facts.clients).map(([name, client]) => [name, { ...client, account: accounts.get(name)?.id ?? null }]),
  ),
});

/** What is printed by a system that does not come up is the best evidence there is. */
const startWithLogs = ({ cell, timeline, signal, bundle }: PrepareInput, stage: Stage, values: Values): Promise<StartedSystem> =>
  startSystem({ cell, stage, timeline, values, signal, keepLog: (name, text) => bundle.log(name, text) });

/** @returns the run, with what the steps captured: the card's for everybody, an account's for itself */
const setUp = async (run: Run, onSecret: PrepareInput['onSecret']): Promise<Run> => {
  const { card } = run.cell;
  const restart = (process: string): Promise<void> => restartForSetup(run, process);
  const context = { card, send: run.stage.send, baseUrl: run.system.baseUrl, ledgerPath: ledgerPath(run), restart };
  const values = await runSetup(card.setup, run.system.values, context);
  for (const secret of secretsOfCard(run.cell, values)) onSecret(secret);
  const created = new Map<RunAccount, RunAccount>();
  for (const account of new Set(run.accounts.values())) {
    const captured = await runSetup(card.accounts?.create ?? [], { ...values, ...accountValues(account) }, context);
    created.set(account, { ...account, captured });
    if (card.accounts) onSecret(fillText(card.accounts.bearer, captured, 'bearer'));
    for (const secret of secretsOfCard(run.cell, captured)) onSecret(secret);
  }
  return {
    ...run,
    system: { ...run.system, values },
    accounts: new Map([...run.accounts].map(([client, account]) => [client, created.get(account)!])),
  };
};

/** A client that has no connection yet. */
const openClient = async (run: Run, client: string): Promise<void> => {
  const { instance } = run.cell.scenario.clients[client]!;
  const system = servedAt(run.cell, run.stage, Number(run.system.values.port), instance);
  await run.stage.send(processOf(run, client), { do: 'open', client, address: run.stage.addressOf(`client.${client}`), system });
};

export type Up = { readonly stage: Stage; readonly system: StartedSystem; readonly values: Values };

/** Stage, clock, upstreams and system, up to the system's readiness. What was started is in the scope, also when this throws. */
export const bringUp = async (input: PrepareInput): Promise<Up> => {
  const { cell, timeline } = input;
  if (needsNoStage(cell)) return { stage: NO_STAGE, values: {}, system: absentSystem({}) };
  const ahead: Ahead = { ms: 0 };
  const stage = await openStage(input, ahead);
  timeline.note({
    type: 'stage-opened',
    runtime: cell.runtime,
    isolation: stage.isolation,
    addresses: Object.fromEntries(namesOf(cell).map((name) => [name, stage.addressOf(name)])),
  });
  if (input.capture) await startCapture(stage, input.capture, input);
  await Promise.all([measureClock(stage, timeline, ahead), listen(cell, stage)]);
  const values = systemValues(cell, stage, input.installed, input.secrets, input.source);
  for (const secret of secretsOfCard(cell, values)) input.onSecret(secret);
  return { stage, values, system: hasNoSystem(cell.card) ? absentSystem(values) : await startWithLogs(input, stage, values) };
};

/** Brings everything up and makes the accounts. What was started is in the scope, also when this throws. */
export const prepare = async (input: PrepareInput): Promise<Run> => {
  const { cell, timeline, scope, bundle, signal } = input;
  const accounts = cell.card.accounts ? createAccounts(cell.scenario) : new Map<string, RunAccount>();
  for (const { key } of accounts.values()) input.onSecret(key);
  const { stage, system, values } = await bringUp(input);
  const facts = withAccounts(needsNoStage(cell) ? cell.facts : withAddresses(cell.facts, cell, stage, Number(values.port)), accounts);
  try {
    const run = await setUp({ cell, facts, timeline, scope, stage, system, accounts, bundle, signal }, input.onSecret);
    await doBeforeStart(run);
    if (!needsNoStage(cell)) for (const client of Object.keys(facts.clients)) await openClient(run, client);
    return run;
  } catch (error) {
    await collectLogs({ system, bundle });
    throw error;
  }
};
