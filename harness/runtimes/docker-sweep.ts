// Removes what the engine still has of one run: containers, then volumes and networks, by label.
import type { Engine } from './docker.ts';
import { RUN_LABEL } from './docker-labels.ts';
import { CALL_LIMIT_MS } from './engine-limit.ts';

/** Somebody else may have removed it, or the engine is doing so, for long perhaps: the next pass will see. */
const quietly = async (work: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, CALL_LIMIT_MS)));
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
};

/** @returns how many things were found */
export const sweepEngine = async (engine: Engine, runId: string): Promise<number> => {
  const filters = { label: [`${RUN_LABEL}=${runId}`] };
  const containers = await engine.listContainers({ all: true, filters });
  await Promise.all(containers.map((one) => quietly(engine.getContainer(one.Id).remove({ force: true, v: true }))));
  const volumes = (await engine.listVolumes({ filters })).Volumes ?? [];
  await Promise.all(volumes.map((one) => quietly(engine.getVolume(one.Name).remove({ force: true }))));
  const networks = await engine.listNetworks({ filters });
  await Promise.all(networks.map((one) => quietly(engine.getNetwork(one.Id).remove())));
  return containers.length + volumes.length + networks.length;
};
