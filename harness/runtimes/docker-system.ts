// The system as a container that joins the stage's network: signals by the engine's kill, its end as the
// engine says it, its log followed from the start.
import { problem } from '../model/problem.ts';
import { nowMs } from '../model/time.ts';
import type { Engine } from './docker.ts';
import { startProblem } from './docker-engine-errors.ts';
import { watchEnd } from './docker-end.ts';
import { labelsOf, nameOf, volumeMount } from './docker-labels.ts';
import { execInContainer, pidWithin } from './docker-exec.ts';
import { followLog } from './docker-log.ts';
import type { KeptLog } from './docker-log.ts';
import { ownContainer } from './docker-owned.ts';
import type { Owning } from './docker-owned.ts';
import { enginePidOf, mainPid } from './docker-processes.ts';
import { createDelivery } from './docker-signals.ts';
import type { SystemContainer } from './docker-processes.ts';
import { QUIET, marksOf } from './environment.ts';
import { createExitWatch } from './exit-watch.ts';
import { resolveImage } from './images-names.ts';
import type { ContainerShares } from './priority.ts';
import type { RunningSystem, StagePlan, SystemPlan } from './runtime.ts';
import { wallAheadMs } from './wall-clock.ts';

/** What systems need of the stage that they join. */
export type DockerStage = Owning & {
  /** Id of the container that holds the network namespace. */
  readonly owner: string;
  readonly volume: string;
  readonly folder: string;
  readonly shares: ContainerShares;
  /** The engine's processes are not in our /proc: the stage has them in its own. */
  readonly isAway: boolean;
  readonly systems: SystemContainer[];
  /** Of a name, all lives: a restart is another container, but goes on in the same log. */
  readonly logs: Map<string, KeptLog[]>;
};

type DockerPlan = NonNullable<SystemPlan['docker']>;
const LOG_BYTES = 1024 * 1024;

/** The stage's volume where every container has it, and where this one wants its data. */
const mountsOf = (stage: DockerStage, ids: StagePlan, data: string | undefined): ReturnType<typeof volumeMount>[] =>
  [...new Set([stage.folder, data ?? stage.folder])].map((target) => volumeMount(stage.volume, target, ids));

const containerOf = (stage: DockerStage, ids: StagePlan, name: string, plan: DockerPlan): Parameters<Engine['createContainer']>[0] => ({
  name: nameOf(ids, name),
  Image: resolveImage(plan.image),
  ...(plan.command ? { Cmd: [...plan.command] } : {}),
  Env: Object.entries({ ...QUIET, ...plan.env, ...marksOf(ids.runId, ids.stageId) }).map(([key, value]) => `${key}=${value}`),
  Labels: labelsOf(ids),
  HostConfig: {
    NetworkMode: `container:${stage.owner}`,
    Init: plan.init,
    Mounts: mountsOf(stage, ids, plan.data),
    RestartPolicy: { Name: 'no' },
    AutoRemove: false,
    ...stage.shares,
    LogConfig: { Type: 'json-file', Config: {} },
  },
});

/** The last `bytes` of all lives. */
const readAll = (logs: readonly KeptLog[], bytes: number): string => {
  const text = Buffer.from(logs.map((log) => log.read(bytes)).join(''));
  const last = text.subarray(-bytes).toString('utf8');
  return text.length <= bytes ? last : last.slice(last.indexOf('\n') + 1);
};

/**
 * Starts one entry of a card in the stage.
 * @throws ProblemError `no-image`, `image-missing`, `system-not-started`, `engine-failed`
 */
export const startDockerSystem = async (stage: DockerStage, ids: StagePlan, system: SystemPlan): Promise<RunningSystem> => {
  const { docker: plan, name } = system;
  if (!plan) throw problem('scenario', 'no-image', `${name} has no docker image`, { hint: 'use --runtime process' });
  const options = containerOf(stage, ids, name, plan);
  const { engine } = stage;
  const own = ownContainer(stage, options.name!);
  const watch = createExitWatch();
  try {
    const container = await own.create(options);
    const since = { atMs: nowMs(), aheadMs: wallAheadMs() };
    await container.start();
    const look = watchEnd(container, watch, { since, isAway: stage.isAway });
    const one: SystemContainer = { container, init: plan.init, name };
    stage.systems.push(one);
    const [log, pid] = await Promise.all([followLog(engine, container), mainPid(one)]);
    const stagePid = stage.isAway ? { stagePid: await enginePidOf(one) } : {};
    const logs = [...(stage.logs.get(name) ?? []), log];
    stage.logs.set(name, logs);
    return {
      name,
      pid,
      ...stagePid,
      signal: createDelivery(one, watch, pid, look),
      exited: watch.exited,
      hasExited: watch.hasExited,
      look: async () => void (await look()),
      exec: { pid: pidWithin(pid), run: (words, limitMs) => execInContainer(engine, container, words, limitMs) },
      readLog: async (bytes = LOG_BYTES) => {
        if (watch.hasExited()) await log.complete();
        return readAll(logs, bytes);
      },
      logBytes: async () => logs.reduce((sum, each) => sum + each.bytes(), 0),
    };
  } catch (error) {
    throw startProblem(name, plan.image, error);
  }
};
