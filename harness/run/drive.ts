// Runs the client scripts side by side and fires the faults at their marks. A step that was not
// seen does not end a script; one that failed does.
import { steps } from '../clients/registry.ts';
import type { OutgoingRequest, StepContext, StepResult } from '../clients/step.ts';
import type { FactType, Observation } from '../model/observation.ts';
import { messageOf } from '../model/problem.ts';
import { SAMPLED } from '../model/sampled.ts';
import { createLogWatch } from '../probes/log.ts';
import type { RunningSystem } from '../runtimes/runtime.ts';
import type { Barriers } from './barriers.ts';
import { createBarriers } from './barriers.ts';
import type { Exchanges } from './exchanges.ts';
import { fireFaults } from './fire.ts';
import { hasEnded, instanceOf } from './instances.ts';
import type { LeaveSnapshots } from './leave-snapshots.ts';
import { askRefund } from './refund.ts';
import type { Run } from './run-context.ts';
import { untilAborted } from './until-aborted.ts';

type ScriptStep = Run['cell']['scripts'][string][number];

/** A step answers at the limit that it was given; this is for an actor that does not answer at all. */
const SILENT_ACTOR_MS = 30_000;
const BARRIER_LIMIT_MS = 30_000;
const LOG_POLL_MS = 50;

/** The actor process of a client: its own where the script kills it. */
export const processOf = (run: Pick<Run, 'cell'>, client: string): string =>
  needsOwnProcess(run.cell, client) ? `client.${client}` : 'clients';

export const needsOwnProcess = (cell: Run['cell'], client: string): boolean =>
  (cell.scripts[client] ?? []).some((step) => steps.get(step.kind)?.needs?.(step.options).includes('own-process'));

/** What the scripts of one run share. */
type Driving = {
  readonly run: Run;
  readonly exchanges: Exchanges;
  readonly barriers: Barriers;
  readonly beforeLeave: LeaveSnapshots['beforeLeave'];
  /** The instances' logs before the first step. */
  readonly seenLogs: ReadonlyMap<RunningSystem, string>;
};

const awaitLog = async ({ run, seenLogs }: Driving, client: string, pattern: string, limitMs: number): Promise<boolean> => {
  const { process } = instanceOf(run, client);
  const findNew = createLogWatch(pattern, seenLogs.get(process) ?? '');
  const untilMs = run.timeline.elapsedMs() + limitMs;
  while (run.timeline.elapsedMs() < untilMs && !run.signal.aborted) {
    if (findNew(await process.readLog()) !== null) return true;
    await run.timeline.waitFor(() => undefined, LOG_POLL_MS, run.signal);
  }
  return false;
};

const limitOf = (options: Readonly<Record<string, unknown>>): number => (typeof options.within === 'number' ? options.within : 0);

const contextOf = (driving: Driving, client: string, step: ScriptStep): StepContext => {
  const { run, exchanges, barriers } = driving;
  let request: OutgoingRequest | undefined;
  return {
    client,
    account: run.accounts.get(client)?.id ?? null,
    facts: run.facts,
    timeline: run.timeline,
    mark: step.mark,
    signal: run.signal,
    act: async (options) =>
      (await run.stage.send(
        processOf(run, client),
        { do: 'perform', client, step: step.kind, options, mark: step.mark, ...(request ? { request } : {}) },
        limitOf(options) + SILENT_ACTOR_MS,
      )) as StepResult,
    plan: async (name, isRepeat) => (request = await exchanges.plan(client, name, 'drive', isRepeat ? { isRepeat } : {})),
    marker: () => exchanges.markerOf(client),
    meet: (barrier) => barriers.meet(barrier, client, BARRIER_LIMIT_MS),
    removeAddress: () => run.stage.removeAddress(`client.${client}`),
    kill: () => run.stage.killActor(processOf(run, client)),
    refund: async () => {
      const verdict = await askRefund(run, client);
      return verdict === null ? { outcome: 'failed', reason: 'the card has no refund, or the client no account' } : { outcome: 'done' };
    },
    awaitLog: (pattern, limitMs) => awaitLog(driving, client, pattern, limitMs),
  };
};

const runStep = async (driving: Driving, client: string, step: ScriptStep): Promise<StepResult> => {
  const { run, beforeLeave } = driving;
  const perform = async (): Promise<StepResult> => {
    const definition = steps.get(step.kind)!;
    const context = contextOf(driving, client, step);
    // Of a long life nobody asks what was there before each of a thousand leaves.
    if (step.kind === 'disconnect' && run.cell.drivenAgain === undefined) await beforeLeave(step.mark);
    return definition.perform ? definition.perform(context, step.options) : context.act(step.options);
  };
  try {
    return (await untilAborted(perform(), run.signal)) ?? { outcome: 'failed', reason: 'the run was interrupted' };
  } catch (error) {
    return { outcome: 'failed', reason: messageOf(error) };
  }
};

const runScript = async (driving: Driving, client: string, script: readonly ScriptStep[]): Promise<void> => {
  const { run, barriers } = driving;
  try {
    for (const [index, step] of script.entries()) {
      if (run.signal.aborted) break;
      run.timeline.note({ type: 'step', client, index, step: step.kind, edge: 'begin' });
      const result = await runStep(driving, client, step);
      const reason = result.outcome === 'done' ? null : result.reason;
      run.timeline.note({ type: 'step', client, index, step: step.kind, edge: 'end', outcome: result.outcome, reason });
      if (result.outcome === 'failed') break;
    }
  } finally {
    barriers.leave(client);
  }
};

const awaitsLog = ({ cell }: Run): boolean =>
  Object.values(cell.scripts)
    .flat()
    .some(({ kind, options }) => kind === 'await' && options.log !== undefined);

const readLogs = async ({ system }: Run): Promise<ReadonlyMap<RunningSystem, string>> =>
  new Map(await Promise.all(system.instances.map(async ({ process }) => [process, await process.readLog()] as const)));

/** What an exchange that is over has left: whoever waits asks for that of a turn's own, by its marker. */
const OF_AN_EXCHANGE: ReadonlySet<string> = new Set<FactType>([
  'step', 'exchange-planned', 'connection-opened', 'request-received', 'head-written', 'peer-closed', 'answer-ended', 'connection-closed',
  'connected', 'connect-failed', 'request-written', 'response-head', 'response-ended', 'paused', 'resumed', 'left',
]);

/**
 * What nothing asks for once its turn is over: the record has it, and a life must not fill the memory. Of marks the first of a name is the one,
 * and the snapshots at marks, the baseline among them, are few.
 */
const createOverWithTurn = (): ((seen: Observation) => boolean) => {
  const marks = new Set<Observation>();
  const names = new Set<string>();
  return (seen) => {
    if (seen.type === 'mark') {
      if (names.has(seen.mark)) return !marks.has(seen);
      names.add(seen.mark);
      marks.add(seen);
      return false;
    }
    return OF_AN_EXCHANGE.has(seen.type) || (SAMPLED.includes(seen.type) && !('mark' in seen && seen.mark !== undefined));
  };
};

/** All scripts once, side by side; a long life's again and again, each time with barriers of its own. */
const runScripts = async (driving: Driving): Promise<void> => {
  const { run } = driving;
  const { forMs = 0, pauseMs = 0, restMs = 0 } = run.cell.drivenAgain ?? {};
  const untilMs = run.timeline.elapsedMs() + forMs;
  const isOverWithTurn = createOverWithTurn();
  for (let barriers = driving.barriers; ; barriers = createBarriers(run.cell.scripts)) {
    await Promise.all(Object.entries(run.cell.scripts).map(([client, script]) => runScript({ ...driving, barriers }, client, script)));
    const isLast = run.timeline.elapsedMs() + pauseMs >= untilMs;
    if (isLast) await run.timeline.waitFor(() => undefined, restMs, run.signal);
    if (run.signal.aborted || isLast || hasEnded(run)) return;
    run.timeline.forget(isOverWithTurn);
    await run.timeline.waitFor(() => undefined, pauseMs, run.signal);
  }
};

/**
 * Resolves when every script has ended and every fault whose mark came has been fired.
 * @param beforeLeave awaited before each leave, with the leave's mark
 */
export const drive = async (run: Run, exchanges: Exchanges, beforeLeave: LeaveSnapshots['beforeLeave']): Promise<void> => {
  const seenLogs = awaitsLog(run) ? await readLogs(run) : new Map<RunningSystem, string>();
  const driving: Driving = { run, exchanges, barriers: createBarriers(run.cell.scripts), beforeLeave, seenLogs };
  const scriptsEnded = new AbortController();
  const faults = fireFaults(run, scriptsEnded.signal);
  try {
    await runScripts(driving);
  } finally {
    scriptsEnded.abort();
    await faults;
  }
};

/** A control's client stays: nothing is done for this long, while its exchange is watched. */
export const stay = async (run: Run, staysMs: number): Promise<void> => {
  for (const client of Object.keys(run.cell.scripts)) run.timeline.note({ type: 'mark', mark: 'stayed', client });
  await run.timeline.waitFor(() => undefined, staysMs, run.signal);
};
