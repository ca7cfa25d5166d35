// Tells the system to stop as its card says, waits out the grace, and notes how it ended and what
// it left. What does not end by itself is killed by us, which the claims about stopping see.
import { within } from '../model/within.ts';
import { periodsOf, toMs } from '../systems/periods.ts';
import { isPaused } from './instances.ts';
import type { LogGrowth } from './log-growth.ts';
import type { Run } from './run-context.ts';
import { sendSignal } from './send-signal.ts';

type Process = Run['system']['main'];
type Stopping = Pick<Run, 'cell' | 'facts' | 'timeline' | 'system' | 'stage'>;

const KILLED_LIMIT_MS = 5_000;

/** Where nothing was heard in time, it is looked at once more: nobody is to be killed, or blamed, for news that got lost. */
export const exitedWithin = async (process: Process, limitMs: number): Promise<boolean> => {
  if (process.hasExited()) return true;
  const ended = await within(process.exited.then(() => true), limitMs, () => false);
  if (!ended) await process.look?.();
  return process.hasExited();
};

const killAfter = async (run: Stopping, process: Process, limitMs: number): Promise<void> => {
  if (await exitedWithin(process, limitMs)) return;
  await sendSignal(run, process, 'SIGKILL', 'cleanup');
  await exitedWithin(process, KILLED_LIMIT_MS);
};

const isServing = ({ system }: Pick<Run, 'system'>, process: Process): boolean => system.instances.some((one) => one.process === process);

/** By which signal the card has a process stopped, and how long that may take. */
export const stopWordsOf = ({ cell, facts, system }: Pick<Run, 'cell' | 'facts' | 'system'>, process: Process): { signal: string; graceMs: number } => {
  const entry = cell.card.run.find(({ name }) => name === process.name);
  if (isServing({ system }, process) || !entry) return facts.stop;
  return { signal: entry.stop.signal, graceMs: toMs(entry.stop.grace, periodsOf(cell.card, cell.scenario), 'grace') };
};

/** The card's grace, or longer where a claim allows it: what we killed before that nobody could judge. */
export const stopLimitMs = ({ cell, facts }: Pick<Stopping, 'cell' | 'facts'>): number =>
  Math.max(
    facts.stop.graceMs,
    ...cell.claims.flatMap(({ kind, notApplicable, options }) =>
      kind === 'clean-shutdown' && notApplicable === null && typeof options.within === 'number' ? [options.within] : [],
    ),
  );

/**
 * The card's other processes, last started first, when those that serve have gone: nobody else tells them, and what
 * is left then is left by the system.
 */
const stopOthers = async (run: Stopping): Promise<void> => {
  for (const other of run.system.processes.toReversed()) {
    if (isServing(run, other) || other.hasExited()) continue;
    const words = stopWordsOf(run, other);
    await sendSignal(run, other, words.signal, 'cleanup');
    await killAfter(run, other, words.graceMs);
  }
};

/** What a fault has stopped could not hear the order, and would be killed for that. */
const resume = async (run: Stopping, process: Process): Promise<void> => {
  if (isPaused(run, process)) await sendSignal(run, process, 'SIGCONT', 'cleanup');
};

/** When the scenario's own stop was said: at its mark, or some time after it. */
const saidAtMs = ({ timeline, system: { main } }: Stopping, mark: string): number | undefined => {
  const markMs = timeline.seal().mark(mark)?.atMs;
  const said = timeline.observations.find(
    (seen) => seen.type === 'signal-sent' && seen.purpose === 'fault' && seen.process === main.name && markMs !== undefined && seen.atMs >= markMs,
  );
  return said?.atMs ?? markMs;
};

/**
 * Signal, grace, SIGKILL where it takes that; all instances at the same time. Where the scenario stopped the system
 * itself, only what is left of the grace is waited for.
 */
export const stop = async (run: Stopping): Promise<void> => {
  const { facts } = run;
  const markMs = facts.stopsAt === null ? undefined : saidAtMs(run, facts.stopsAt);
  const serving = run.system.instances.map(({ process }) => process).filter((process) => !process.hasExited());
  for (const process of serving) await resume(run, process);
  // The scenario's own stop is that of the first instance.
  const stoppedMs = (process: Process): number | undefined => (process === run.system.main ? markMs : undefined);
  for (const process of serving) if (stoppedMs(process) === undefined) await sendSignal(run, process, facts.stop.signal, 'stop');
  await Promise.all(
    serving.map((process) => {
      const sinceMs = run.timeline.elapsedMs() - (stoppedMs(process) ?? run.timeline.elapsedMs());
      return killAfter(run, process, Math.max(0, stopLimitMs(run) - sinceMs) + facts.marginMs);
    }),
  );
  await stopOthers(run);
  const left = await run.stage.systemProcesses();
  run.timeline.note({ type: 'processes-left', pids: left });
};

/** Everything the system printed goes into the bundle. */
export const collectLogs = async ({ system: { processes }, bundle }: Pick<Run, 'system' | 'bundle'>, growth?: LogGrowth): Promise<void> => {
  for (const system of processes) {
    const text = await system.readLog().catch(() => '');
    bundle.log(system.name, text);
    if (growth) await bundle.logTimes?.(system.name, await growth.timesOf(system, text));
  }
};
