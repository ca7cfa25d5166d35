// Tells the system to stop as its card says, waits out the grace, and notes how it ended and what
// it left. What does not end by itself is killed by us, which the claims about stopping see.
import { periodsOf, toMs } from '../systems/periods.ts';
import type { Run } from './run-context.ts';

type Process = Run['system']['main'];
type Stopping = Pick<Run, 'cell' | 'facts' | 'timeline' | 'system' | 'stage'>;

const KILLED_LIMIT_MS = 5_000;

const signal = async (run: Stopping, process: Process, name: string, purpose: 'stop' | 'cleanup'): Promise<void> => {
  run.timeline.note({ type: 'signal-sent', process: process.name, signal: name, purpose });
  await process.signal(name);
};

export const exitedWithin = async (process: Process, limitMs: number): Promise<boolean> => {
  if (process.hasExited()) return true;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  const ended = await Promise.race([process.exited.then(() => true), late]);
  clearTimeout(timer);
  return ended;
};

const killAfter = async (run: Stopping, process: Process, limitMs: number): Promise<void> => {
  if (await exitedWithin(process, limitMs)) return;
  await signal(run, process, 'SIGKILL', 'cleanup');
  await exitedWithin(process, KILLED_LIMIT_MS);
};

/** The card's grace, or longer where a claim allows it: what we killed before that nobody could judge. */
const limitOf = ({ cell, facts }: Stopping): number =>
  Math.max(
    facts.stop.graceMs,
    ...cell.claims.flatMap(({ kind, notApplicable, options }) =>
      kind === 'clean-shutdown' && notApplicable === null && typeof options.within === 'number' ? [options.within] : [],
    ),
  );

/**
 * The card's other processes, last started first, when the main one has gone: nobody else tells them, and what is
 * left then is left by the system.
 */
const stopOthers = async (run: Stopping): Promise<void> => {
  const { card, scenario } = run.cell;
  for (const other of run.system.processes.toReversed()) {
    const entry = card.run.find(({ name }) => name === other.name);
    if (other === run.system.main || other.hasExited() || !entry) continue;
    await signal(run, other, entry.stop.signal, 'cleanup');
    await killAfter(run, other, toMs(entry.stop.grace, periodsOf(card, scenario), 'grace'));
  }
};

/**
 * Signal, grace, SIGKILL where it takes that. Where the scenario stopped the system itself, only what is left of
 * the grace is waited for.
 */
export const stop = async (run: Stopping): Promise<void> => {
  const { facts } = run;
  const { main } = run.system;
  const markMs = facts.stopsAt === null ? undefined : run.timeline.seal().mark(facts.stopsAt)?.atMs;
  if (!main.hasExited()) {
    if (markMs === undefined) await signal(run, main, facts.stop.signal, 'stop');
    const sinceMs = markMs === undefined ? 0 : run.timeline.elapsedMs() - markMs;
    await killAfter(run, main, Math.max(0, limitOf(run) - sinceMs) + facts.marginMs);
  }
  await stopOthers(run);
  const left = await run.stage.systemProcesses();
  run.timeline.note({ type: 'processes-left', pids: left });
};

/** Everything the system printed goes into the bundle. */
export const collectLogs = async ({ system: { processes }, bundle }: Pick<Run, 'system' | 'bundle'>): Promise<void> => {
  for (const system of processes) bundle.log(system.name, await system.readLog().catch(() => ''));
};
