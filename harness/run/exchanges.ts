// Plans exchanges: allocates the marker, announces it, tells the upstream which behaviour it gets,
// and fills the card's request in.
import { createMarker } from '../model/marker.ts';
import type { FactOf } from '../model/observation.ts';
import type { Item } from '../model/fields.ts';
import type { OutgoingRequest } from '../clients/step.ts';
import { buildRequest } from '../systems/requests.ts';
import { instanceOf } from './instances.ts';
import type { Run } from './run-context.ts';

export type Purpose = FactOf<'exchange-planned'>['purpose'];

export type PlanOptions = {
  /** In place of the client's own, or everybody's. */
  readonly behaviour?: Item;
  /** The client's latest request once more, under the same marker. */
  readonly isRepeat?: boolean;
};

export type Exchanges = {
  /** @throws Error where there is nothing to repeat */
  readonly plan: (client: string, request: string, purpose: Purpose, options?: PlanOptions) => Promise<OutgoingRequest>;
  /** Marker of the latest exchange of the client's own script. */
  readonly markerOf: (client: string) => string | null;
};

export const createExchanges = (run: Run): Exchanges => {
  const counts = new Map<string, number>();
  const latest = new Map<string, string>();
  const upstreams = Object.keys(run.cell.scenario.upstreams);

  const nextMarker = (client: string): string => {
    const number = (counts.get(client) ?? 0) + 1;
    counts.set(client, number);
    return createMarker(client, number);
  };

  const repeatedMarker = (client: string): string => {
    const marker = latest.get(client);
    if (marker === undefined) throw new Error(`${client} has sent nothing yet that could be repeated`);
    return marker;
  };

  const plan: Exchanges['plan'] = async (client, request, purpose, { behaviour, isRepeat = false } = {}) => {
    const marker = isRepeat ? repeatedMarker(client) : nextMarker(client);
    // A script that has sent nothing yet must not take the harness's own exchange for its own.
    if (purpose !== 'prepare') latest.set(client, marker);
    const account = run.accounts.get(client);
    run.timeline.note({
      type: 'exchange-planned', marker, client, account: account?.id ?? null,
      upstream: upstreams.length === 1 ? upstreams[0]! : null, request, purpose,
      ...(isRepeat ? { repeat: true } : {}),
    });
    const own = behaviour ?? run.cell.behaviours[client];
    if (own) {
      await Promise.all(upstreams.map((upstream) => run.stage.send('upstreams', { do: 'expect', upstream, marker, behaviour: own })));
    }
    return buildRequest(run.cell.card, request, marker, account, { ...run.system.values, ...instanceOf(run, client).own });
  };
  return { plan, markerOf: (client) => latest.get(client) ?? null };
};
