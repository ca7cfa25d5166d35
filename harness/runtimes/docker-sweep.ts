// Removes what the engine still has of one run: containers, then volumes and networks, by label.
import { within } from '../model/within.ts';
import type { Engine } from './docker.ts';
import { RUN_LABEL } from './docker-labels.ts';
import { CALL_LIMIT_MS } from './engine-limit.ts';

/** Somebody else may have removed it, or the engine is doing so, for long perhaps: the next pass will see. */
const quietly = (work: Promise<unknown>): Promise<unknown> => within(work.catch(() => {}), CALL_LIMIT_MS, () => {});

/** @returns the names of what was found */
export const sweepEngine = async (engine: Engine, runId: string): Promise<readonly string[]> => {
  const filters = { label: [`${RUN_LABEL}=${runId}`] };
  const containers = await engine.listContainers({ all: true, filters });
  await Promise.all(containers.map((one) => quietly(engine.getContainer(one.Id).remove({ force: true, v: true }))));
  const volumes = (await engine.listVolumes({ filters })).Volumes ?? [];
  await Promise.all(volumes.map((one) => quietly(engine.getVolume(one.Name).remove({ force: true }))));
  const networks = await engine.listNetworks({ filters });
  await Promise.all(networks.map((one) => quietly(engine.getNetwork(one.Id).remove())));
  // An engine says a container's name with the link that leads to it.
  const named = containers.map(({ Id, Names }) => Names?.[0]?.replace(/^\//, '') ?? Id);
  return [...named, ...volumes.map(({ Name }) => Name), ...networks.map(({ Name }) => Name)];
};
