// Removes what the engine still has of one run: containers, then volumes and networks, by label.
import type { Engine } from './docker.ts';
import { RUN_LABEL } from './docker-labels.ts';

/** Somebody else may have removed it, or the engine is doing so: the next pass will see. */
const quietly = (work: Promise<unknown>): Promise<void> => work.then(() => {}, () => {});

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
