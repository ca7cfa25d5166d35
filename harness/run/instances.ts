// Which instance of the system is whose, and which of them are there: some may have been ended or stopped by a
// fault while others go on.
import type { RunningSystem } from '../runtimes/runtime.ts';
import type { ServingInstance } from '../systems/start.ts';
import type { Run } from './run-context.ts';
import { NO_INSTANCE } from './without-system.ts';

/** The one that this client connects to. */
export const instanceOf = ({ cell, system }: Pick<Run, 'cell' | 'system'>, client: string): ServingInstance =>
  system.instances[(cell.scenario.clients[client]?.instance ?? 1) - 1] ?? system.instances[0] ?? NO_INSTANCE;

/** No instance is left. */
export const hasEnded = ({ system: { instances } }: Pick<Run, 'system'>): boolean => instances.length > 0 && instances.every(({ process }) => process.hasExited());

/** Stopped by a fault's SIGSTOP, and neither continued nor started again since. */
export const isPaused = ({ timeline }: Pick<Run, 'timeline'>, process: RunningSystem): boolean => {
  const last = timeline.observations.findLast(
    (seen) =>
      ((seen.type === 'signal-sent' && (seen.signal === 'SIGSTOP' || seen.signal === 'SIGCONT')) || seen.type === 'system-started') &&
      seen.process === process.name,
  );
  return last?.type === 'signal-sent' && last.signal === 'SIGSTOP';
};

/** The client's own while it can answer, else another that can: any may be asked what is in the ledger that they share. */
export const answeringFor = (run: Pick<Run, 'cell' | 'system' | 'timeline'>, client: string): ServingInstance => {
  const own = instanceOf(run, client);
  const answers = ({ process }: ServingInstance): boolean => !process.hasExited() && !isPaused(run, process);
  return answers(own) ? own : (run.system.instances.find(answers) ?? own);
};
