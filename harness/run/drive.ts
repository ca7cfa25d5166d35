// Runs the client scripts side by side and fires the faults at their marks. A step that was not
// seen does not end a script; one that failed does.
import { steps } from '../clients/registry.ts';
import type { OutgoingRequest, StepContext, StepResult } from '../clients/step.ts';
import { messageOf } from '../model/problem.ts';
import type { Barriers } from './barriers.ts';
import { createBarriers } from './barriers.ts';
import type { Exchanges } from './exchanges.ts';
import { fireFaults } from './fire.ts';
import { askRefund } from './refund.ts';
import type { Run } from './run-context.ts';
import { lookAtSockets } from './sample.ts';

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

const awaitLog = async (run: Run, pattern: string, limitMs: number): Promise<boolean> => {
  const expression = new RegExp(pattern);
  const untilMs = run.timeline.elapsedMs() + limitMs;
  while (run.timeline.elapsedMs() < untilMs && !run.signal.aborted) {
    if (expression.test(await run.system.main.readLog())) return true;
    await new Promise((resolve) => setTimeout(resolve, LOG_POLL_MS));
  }
  return false;
};

const limitOf = (options: Readonly<Record<string, unknown>>): number => (typeof options.within === 'number' ? options.within : 0);

const contextOf = (run: Run, client: string, step: ScriptStep, exchanges: Exchanges, barriers: Barriers): StepContext => {
  let request: OutgoingRequest | undefined;
  return {
    client,
    account: run.accounts.get(client)?.id ?? null,
    facts: run.facts,
    timeline: run.timeline,
    mark: step.mark,
    signal: run.signal,
    act: async (options) =>
      (await run.stage.send(processOf(run, client), { do: 'perform', client, step: step.kind, options, mark: step.mark, ...(request ? { request } : {}) }, limitOf(options) + SILENT_ACTOR_MS)) as StepResult,
    plan: async (name) => (request = await exchanges.plan(client, name, 'drive')),
    marker: () => exchanges.markerOf(client),
    meet: (barrier) => barriers.meet(barrier, client, BARRIER_LIMIT_MS),
    removeAddress: () => run.stage.removeAddress(`client.${client}`),
    kill: () => run.stage.killActor(processOf(run, client)),
    refund: async () => {
      const verdict = await askRefund(run, client);
      return verdict === null ? { outcome: 'failed', reason: 'the card has no refund, or the client no account' } : { outcome: 'done' };
    },
    awaitLog: (pattern, limitMs) => awaitLog(run, pattern, limitMs),
  };
};

const runStep = async (run: Run, client: string, step: ScriptStep, exchanges: Exchanges, barriers: Barriers): Promise<StepResult> => {
  const definition = steps.get(step.kind)!;
  const context = contextOf(run, client, step, exchanges, barriers);
  if (step.kind === 'disconnect') await lookAtSockets(run);
  try {
    return definition.perform ? await definition.perform(context, step.options) : await context.act(step.options);
  } catch (error) {
    return { outcome: 'failed', reason: messageOf(error) };
  }
};

const runScript = async (run: Run, client: string, script: readonly ScriptStep[], exchanges: Exchanges, barriers: Barriers): Promise<void> => {
  for (const [index, step] of script.entries()) {
    if (run.signal.aborted) break;
    run.timeline.note({ type: 'step', client, index, step: step.kind, edge: 'begin' });
    const result = await runStep(run, client, step, exchanges, barriers);
    const reason = result.outcome === 'done' ? null : result.reason;
    run.timeline.note({ type: 'step', client, index, step: step.kind, edge: 'end', outcome: result.outcome, reason });
    if (result.outcome === 'failed') break;
  }
  barriers.leave(client);
};

/** Resolves when every script has ended and every fault whose mark came has been fired. */
export const drive = async (run: Run, exchanges: Exchanges): Promise<void> => {
  const barriers = createBarriers(run.cell.scripts);
  const scriptsEnded = new AbortController();
  const faults = fireFaults(run, scriptsEnded.signal);
  await Promise.all(Object.entries(run.cell.scripts).map(([client, script]) => runScript(run, client, script, exchanges, barriers)));
  scriptsEnded.abort();
  await faults;
};

/** A control's client stays: nothing is done for this long, while its exchange is watched. */
export const stay = async (run: Run, staysMs: number): Promise<void> => {
  for (const client of Object.keys(run.cell.scripts)) run.timeline.note({ type: 'mark', mark: 'stayed', client });
  await run.timeline.waitFor(() => undefined, staysMs, run.signal);
};
