// How a person gets into a stage that was left up: commands to be copied into a shell. Nothing here changes anything.
import { readFileSync } from 'node:fs';
import type { Engine } from './docker.ts';
import type { SystemContainer } from './docker-processes.ts';
import { marksOf } from './environment.ts';
import type { Isolation } from './isolation.ts';
import { pidsWithEnvironment } from './processes.ts';
import type { StagePlan, Way } from './runtime.ts';

type Named = { readonly name: string; readonly pid: number | null };

/** A process's number in the innermost namespace that it is in; null: it has ended. */
const innerPidOf = (pid: number): number | null => {
  try {
    const numbers = /^NSpid:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]?.trim().split(/\s+/) ?? [];
    return numbers.length === 0 ? null : Number(numbers.at(-1));
  } catch {
    return null;
  }
};

/** @param processes with their numbers in the stage */
export const waysIntoProcesses = (
  plan: Pick<StagePlan, 'runId' | 'stageId'>,
  { kind, user }: Pick<Isolation, 'kind' | 'user'>,
  processes: readonly Named[],
): readonly Way[] => {
  if (kind === 'loopback') return processes.map(({ name, pid }) => ({ what: name, how: `pid ${pid ?? 'unknown'}` }));
  const here = pidsWithEnvironment(marksOf(plan.runId, plan.stageId));
  const hereOf = (inner: number | null): number | undefined => here.find((pid) => innerPidOf(pid) === inner);
  const named = processes.map(({ name, pid }): Way => {
    const own = hereOf(pid);
    return { what: name, how: own === undefined ? 'has ended' : `pid ${own}, which is ${pid} in the stage` };
  });
  // The first process of the stage is there whatever became of the system.
  const first = hereOf(1);
  if (first === undefined) return named;
  const into = [...(user.length > 0 ? ['--user', '--preserve-credentials'] : []), '--net', '--pid', '--mount'];
  return [...named, { what: 'shell in the stage', how: `nsenter --target ${first} ${into.join(' ')} sh` }];
};

type Containers = { readonly engine: Engine; readonly owner: string; readonly folder: string; readonly systems: readonly SystemContainer[] };

const shortId = (id: string): string => id.slice(0, 12);

const containerWay = async ({ container, name }: SystemContainer): Promise<Way> => {
  const id = shortId(container.id);
  const about = await container.inspect().catch(() => null);
  const what = name ?? id;
  if (!about?.State.Running) return { what, how: `container ${id} has ended; what it printed: docker logs ${id}` };
  return { what, how: `docker exec -it ${id} sh; docker logs ${id}; pid ${about.State.Pid} on the engine's machine` };
};

export const waysIntoContainers = async ({ owner, folder, systems }: Containers): Promise<readonly Way[]> => {
  const id = shortId(owner);
  return [
    ...(await Promise.all(systems.map(containerWay))),
    { what: 'shell in the network', how: `docker run --rm -it --network container:${id} --volumes-from ${id} <an image with a shell> sh` },
    { what: 'files', how: `docker cp ${id}:${folder} ./stage` },
  ];
};
