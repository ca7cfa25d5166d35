// Before anything is judged: on each leg's network a direct connection is opened and closed, and the
// close must be seen at the other end. A path that hides closes makes every later verdict worthless.
import { instancesOf } from '../model/facts.ts';
import type { CloseHow } from '../model/observation.ts';
import { toMicroseconds } from '../model/time.ts';
import type { Run } from './run-context.ts';

const SEEN_LIMIT_MS = 2_000;

/** `via` replaces the listener's address: how a test puts a relay that swallows closes into the path. */
export type PathDetour = Partial<
  Record<'client' | 'upstream', (listener: { address: string; port: number }) => Promise<{ address: string; port: number; peer?: string }>>
>;

type Leg = { readonly leg: 'client' | 'upstream'; readonly from: string; readonly to: string };

const controlOne = async (run: Run, { leg, from, to }: Leg, how: CloseHow, detour: PathDetour): Promise<void> => {
  const { port } = (await run.stage.send('upstreams', { do: 'control-listen', address: to })) as { port: number };
  const through = await detour[leg]?.({ address: to, port });
  const target = through ?? { address: to, port };
  const { local, atMs } = (await run.stage.send('clients', {
    do: 'control-connect',
    from,
    address: target.address,
    port: target.port,
    how,
  })) as { local: string; atMs: number };
  const closed = (await run.stage.send('upstreams', {
    do: 'control-await',
    port,
    peer: through?.peer ?? local,
    limitMs: SEEN_LIMIT_MS,
  })) as { seen: boolean; how: CloseHow | null; atMs: number | null };
  const seen = closed.seen && closed.how === how;
  run.timeline.note({
    type: 'path-control',
    leg,
    how,
    seen,
    tookMs: seen && closed.atMs !== null ? toMicroseconds(Math.max(0, closed.atMs - atMs)) : SEEN_LIMIT_MS,
  });
};

/** From the first client of each instance: the others come the same way. */
const clientLegs = ({ facts, cell: { scenario }, stage }: Run): readonly Leg[] =>
  instancesOf(facts).flatMap(({ address }, index) => {
    const name = Object.keys(facts.clients).find((client) => scenario.clients[client]?.instance === index + 1);
    return name === undefined ? [] : [{ leg: 'client', from: stage.addressOf(`client.${name}`), to: address }];
  });

/**
 * Notes one `path-control` fact for FIN and RST on every leg of the scenario. To upstreams all instances go from the
 * first one's address: the stage has one route for all of them.
 */
export const controlPaths = async (run: Run, detour: PathDetour = {}): Promise<void> => {
  const upstreams = Object.keys(run.facts.upstreams).map(
    (name): Leg => ({
      leg: 'upstream',
      from: run.facts.system.address,
      to: run.stage.addressOf(`upstream.${name}`),
    }),
  );
  for (const leg of [...clientLegs(run), ...upstreams]) {
    for (const how of ['fin', 'rst'] as const) await controlOne(run, leg, how, detour);
  }
};
