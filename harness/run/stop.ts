// Tells the system to stop as its card says, waits out the grace, and notes how it ended and what
// it left. What does not end by itself is killed by us, which the claims about stopping see.
import type { Run } from './run-context.ts';

const KILLED_LIMIT_MS = 5_000;

const signal = async (run: Run, name: string, purpose: 'stop' | 'cleanup'): Promise<void> => {
  run.timeline.note({ type: 'signal-sent', process: run.system.main.name, signal: name, purpose });
  await run.system.main.signal(name);
};

const exitedWithin = async (run: Run, limitMs: number): Promise<boolean> => {
  const { main } = run.system;
  if (main.hasExited()) return true;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => { timer = setTimeout(() => resolve(false), limitMs); });
  const ended = await Promise.race([main.exited.then(() => true), late]);
  clearTimeout(timer);
  return ended;
};

/** Signal, grace, SIGKILL where it takes that. Where the scenario stopped the system itself, only what is left of the grace is waited for. */
export const stop = async (run: Run): Promise<void> => {
  const { facts } = run;
  const markMs = facts.stopsAt === null ? undefined : run.timeline.seal().mark(facts.stopsAt)?.atMs;
  if (!run.system.main.hasExited()) {
    if (markMs === undefined) await signal(run, facts.stop.signal, 'stop');
    const sinceMs = markMs === undefined ? 0 : run.timeline.elapsedMs() - markMs;
    if (!(await exitedWithin(run, Math.max(0, facts.stop.graceMs - sinceMs) + facts.marginMs))) {
      await signal(run, 'SIGKILL', 'cleanup');
      await exitedWithin(run, KILLED_LIMIT_MS);
    }
  }
  const left = await run.stage.systemProcesses();
  run.timeline.note({ type: 'processes-left', pids: left });
};

/** Everything the system printed goes into the bundle. */
export const collectLogs = async (run: Run): Promise<void> => {
  for (const system of run.system.processes) run.bundle.log(system.name, await system.readLog().catch(() => ''));
};
