// A process of the system through all its lives: what holds it follows a restart, and every start and end
// is noted where it was seen.
import type { LiveTimeline } from '../model/live.ts';
import type { RunningSystem, Stage, SystemPlan } from '../runtimes/runtime.ts';

export type SystemProcess = RunningSystem & {
  /**
   * Starts it, or starts it again when it has ended. `onStarted` is awaited before the start is noted: who looks at
   * processes knows the new one by then.
   */
  readonly start: (onStarted?: () => Promise<void>) => Promise<void>;
};

/** Notes the end where it was seen. */
const watchExit = (life: RunningSystem, timeline: LiveTimeline): void => {
  void life.exited.then(({ code, signal, atMs }) => {
    timeline.note({ type: 'process-exited', process: life.name, code, signal }, `system.${life.name}`, atMs);
  });
};

/** A process that has not been started yet. The runtime keeps one log for all lives of a name. */
export const createProcess = (plan: SystemPlan, stage: Pick<Stage, 'startSystem'>, timeline: LiveTimeline): SystemProcess => {
  let latest: RunningSystem | undefined;
  const life = (): RunningSystem => {
    if (!latest) throw new Error(`${plan.name} was never started`);
    return latest;
  };
  return {
    name: plan.name,
    get pid() {
      return life().pid;
    },
    get stagePid() {
      return life().stagePid;
    },
    get exited() {
      return life().exited;
    },
    signal: (signal) => life().signal(signal),
    hasExited: () => life().hasExited(),
    look: async () => life().look?.(),
    get exec() {
      return life().exec;
    },
    readLog: (bytes) => life().readLog(bytes),
    logBytes: async () => (await latest?.logBytes?.()) ?? 0,
    start: async (onStarted) => {
      const started = await stage.startSystem(plan);
      latest = started;
      await onStarted?.();
      timeline.note({ type: 'system-started', process: plan.name, pid: started.pid });
      watchExit(started, timeline);
    },
  };
};
