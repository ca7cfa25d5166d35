// Processes in containers, as the harness can see them: through its own /proc where both are on one
// kernel and in one view of pids, else through the engine.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { nowMs } from '../model/time.ts';
import type { Engine } from './docker.ts';
import { statusOf } from './docker-engine-errors.ts';

export type EngineContainer = ReturnType<Engine['getContainer']>;

/** A system's container; `init`: its first process is the engine's. */
export type SystemContainer = { readonly container: EngineContainer; readonly init: boolean; /** As the card calls it. */ readonly name?: string };

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
};

const firstPid = async (container: EngineContainer): Promise<number> => (await container.inspect()).State.Pid;

/** Whether the pid that the engine names is, in our own /proc, a process of that container. */
const isInContainer = (pid: number, container: EngineContainer): boolean =>
  pid > 0 && read(`/proc/${pid}/cgroup`).includes(container.id);

/** The engine's own number of a container's first process. */
export const enginePidOf = async ({ container, init }: SystemContainer): Promise<{ readonly pid: number; readonly isInit: boolean }> =>
  ({ pid: await firstPid(container), isInit: init });

/** True where the harness sees the processes of this container. */
export const sharesKernel = async (container: EngineContainer): Promise<boolean> => isInContainer(await firstPid(container), container);

const CHILD_LIMIT_MS = 1_000;

/** The engine's init forks some time after the engine says that the container has started. Null: it never does, or cannot be seen. */
const childOf = async (pid: number): Promise<number | null> => {
  const children = `/proc/${pid}/task/${pid}/children`;
  for (const untilMs = nowMs() + CHILD_LIMIT_MS; existsSync(children) && nowMs() < untilMs; await setTimeout(2)) {
    const first = Number(read(children).trim().split(' ')[0]);
    if (first > 0) return first;
  }
  return null;
};

/** The main process as our /proc shows it: the first one, or the child of the engine's init. Null: not seen. */
export const mainPid = async ({ container, init }: SystemContainer): Promise<number | null> => {
  const first = await firstPid(container);
  if (!isInContainer(first, container)) return null;
  return init ? await childOf(first) ?? first : first;
};

const pidsOf = async ({ container, init }: SystemContainer): Promise<readonly number[]> => {
  try {
    const { State } = await container.inspect();
    if (!State.Running) return [];
    const { Processes } = (await container.top({ ps_args: '-eo pid,stat' })) as { readonly Processes: readonly (readonly string[])[] };
    return Processes.filter(([, state]) => state?.startsWith('Z') !== true)
      .map(([pid]) => Number(pid))
      .filter((pid) => !(init && pid === State.Pid));
  } catch (error) {
    // Gone, or ended between the two questions.
    const status = statusOf(error);
    if (status === 404 || status === 409 || status === 500) return [];
    throw error;
  }
};

/** Live processes of all systems besides inits, by the engine's own numbers. */
export const systemPids = async (systems: readonly SystemContainer[]): Promise<readonly number[]> =>
  (await Promise.all(systems.map(pidsOf))).flat();
