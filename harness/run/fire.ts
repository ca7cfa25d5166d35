// Fires the scenario's faults, each at its mark. One that could not fire is noted as failed, which
// makes the scenario inconclusive: nothing was provoked, so nothing can be concluded.
import { faults } from '../faults/registry.ts';
import type { FaultContext } from '../faults/fault.ts';
import type { Observation } from '../model/observation.ts';
import { messageOf, problem } from '../model/problem.ts';
import { formatMs } from '../model/time.ts';
import type { RunningSystem } from '../runtimes/runtime.ts';
import { ledgerPath } from './sample.ts';
import type { Run } from './run-context.ts';
import { sendSignal } from './send-signal.ts';
import { exitedWithin } from './stop.ts';
import { writeLedger } from './write-ledger.ts';

type Fault = Run['cell']['faults'][number];

/** A mark that a client's process set may still be on its way for this long after the last script has ended. */
const LATE_MARK_MS = 250;
/** A script that never ends is ended by its steps' own limits; this one is never met. */
const FOREVER_MS = 24 * 3_600_000;

/** Sends it as a fault's. @throws ProblemError `already-ended` */
const signalProcess = async (run: Pick<Run, 'timeline'>, process: RunningSystem, signal: string): Promise<void> => {
  if (process.hasExited() || !(await sendSignal(run, process, signal, 'fault')))
    throw problem('environment', 'already-ended', `${process.name} had already ended`);
};

/** @throws ProblemError `unknown-process`, `already-ended` */
const signalSystem = async (run: Run, signal: string, process?: string): Promise<RunningSystem> => {
  const system = process ? run.system.processes.find(({ name }) => name === process) : run.system.main;
  if (!system)
    throw problem('scenario', 'unknown-process', `the card runs no "${process}"`, {
      hint: `it runs: ${run.system.processes.map(({ name }) => name).join(', ')}`,
    });
  await signalProcess(run, system, signal);
  return system;
};

const contextOf = (run: Run): FaultContext => ({
  facts: run.facts,
  timeline: run.timeline,
  signal: run.signal,
  signalSystem: async (signal, process) => void (await signalSystem(run, signal, process)),
  endSystem: async (signal, process, limitMs) => {
    const system = await signalSystem(run, signal, process);
    if (!(await exitedWithin(system, limitMs))) throw new Error(`${process} was still there ${formatMs(limitMs)} after ${signal}`);
  },
  startSystem: (process) => run.system.startAgain(process),
  upstream: (command, upstream, options = {}) => run.stage.send('upstreams', { ...options, do: command, upstream }),
  beside: (command, options, limitMs) => run.stage.send('probes', { ...options, do: command }, limitMs),
  ledgerPath: ledgerPath(run),
  cutAddress: (name) => run.stage.cutAddress(name),
  healAddress: (name) => run.stage.healAddress(name),
  writeLedger: (entries) => writeLedger(run, entries),
  accountOf: (client) => run.accounts.get(client)?.id ?? null,
});

/** Looks only at what is new, since it is asked after every observation. */
const isMarkSet = (mark: string): ((observations: readonly Observation[]) => true | undefined) => {
  let next = 0;
  return (observations) => {
    for (; next < observations.length; next += 1) {
      const seen = observations[next]!;
      if (seen.type === 'mark' && seen.mark === mark) return true;
    }
    return undefined;
  };
};

const markComes = async ({ timeline, signal }: Run, mark: string, scriptsEnded: AbortSignal): Promise<boolean> => {
  const look = isMarkSet(mark);
  return (
    (await timeline.waitFor(look, FOREVER_MS, AbortSignal.any([scriptsEnded, signal]))) === true ||
    (await timeline.waitFor(look, LATE_MARK_MS, signal)) === true
  );
};

/** Does it, and notes that; what could not be done is noted with its reason. */
export const fireNow = async (run: Run, { item: { kind, options }, mark }: Fault): Promise<void> => {
  try {
    const detail = await faults.get(kind)!.fire(contextOf(run), options);
    run.timeline.note({ type: 'fault', fault: kind, edge: 'fired', detail });
    if (mark !== null) run.timeline.note({ type: 'mark', mark, client: null });
  } catch (error) {
    run.timeline.note({ type: 'fault', fault: kind, edge: 'failed', detail: messageOf(error) });
  }
};

const fireAtMark = async (run: Run, fault: Fault, mark: string, scriptsEnded: AbortSignal): Promise<void> => {
  const fail = (detail: string): void => void run.timeline.note({ type: 'fault', fault: fault.item.kind, edge: 'failed', detail });
  if (!(await markComes(run, mark, scriptsEnded))) return fail(`its mark "${mark}" was never set`);
  if (typeof fault.wait === 'number') {
    await run.timeline.waitFor(() => undefined, fault.wait, run.signal);
    if (run.signal.aborted) return fail(`the run was ended before ${formatMs(fault.wait)} had passed since its mark`);
  }
  await fireNow(run, fault);
};

/** Those of a mark; resolves when each has fired, failed, or lost the chance of its mark. */
export const fireFaults = async (run: Run, scriptsEnded: AbortSignal): Promise<void> => {
  await Promise.all(run.cell.faults.map((fault) => (fault.after === null ? undefined : fireAtMark(run, fault, fault.after, scriptsEnded))));
};
