// The first commands of every stage, whatever runs it: the network, then all actors at once.
import { messageOf, problem } from '../model/problem.ts';
import type { Send } from '../model/protocol.ts';
import { nowMs, toMicroseconds } from '../model/time.ts';
import type { Addresses } from './addresses.ts';
import type { StagePlan } from './runtime.ts';
import type { NetworkPlan } from './stage-network.ts';

/** Entry by actor process; see stage-actors.ts. Clients of their own run the entry of `clients`. */
export type ActorEntries = { readonly upstreams: string; readonly clients: string; readonly probes: string };

const ENTRIES: ActorEntries = { upstreams: 'upstreams', clients: 'clients', probes: 'probes' };

const notRaised = (error: unknown): Error =>
  problem('environment', 'stage-not-opened', `the stage cannot be set up: ${messageOf(error)}`, {
    hint: 'hangup doctor shows what this machine allows', cause: error,
  });

const networkOf = ({ all, of }: Addresses): NetworkPlan => ({
  addresses: Object.values(all),
  system: of('system'),
  upstreams: Object.keys(all).filter((name) => name.startsWith('upstream.')).map(of),
});

/** The actors start meanwhile: none of them uses the network before it is told to. */
const raiseNetwork = async (plan: StagePlan, addresses: Addresses, send: Send): Promise<void> => {
  const { notes } = (await send('stage', { do: 'raise-network', ...networkOf(addresses) })) as { readonly notes: readonly string[] };
  for (const [index, detail] of notes.entries()) {
    const stamp = { at: toMicroseconds(nowMs()), actor: 'stage.network', seq: index + 1 };
    plan.onFact({ ...stamp, type: 'precondition', name: 'small-buffers', met: false, detail });
  }
};

/**
 * Actors need not be up when this resolves: commands wait for them in their pipes.
 * @throws ProblemError `stage-not-opened`
 */
export const startActors = async (
  plan: StagePlan,
  isolation: 'namespace' | 'loopback',
  addresses: Addresses,
  send: Send,
  entries: ActorEntries = ENTRIES,
): Promise<void> => {
  const start = (process: string, entry: string): Promise<unknown> => send('stage', { do: 'start-actor', process, entry });
  try {
    await Promise.all([
      ...Object.entries(entries).map(([process, entry]) => start(process, entry)),
      ...plan.ownProcesses.map((name) => start(name.startsWith('client.') ? name : `client.${name}`, entries.clients)),
      ...(isolation === 'namespace' ? [raiseNetwork(plan, addresses, send)] : []),
    ]);
  } catch (error) {
    throw notRaised(error);
  }
};
