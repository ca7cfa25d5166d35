// Plans exchanges: allocates the marker, announces it, tells the upstream which behaviour it gets,
// and fills the card's request in.
import { createMarker } from '../model/marker.ts';
import type { FactOf } from '../model/observation.ts';
import type { Item } from '../model/fields.ts';
import type { OutgoingRequest } from '../clients/step.ts';
import { buildRequest } from '../systems/requests.ts';
import type { Run } from './run-context.ts';

export type Purpose = FactOf<'exchange-planned'>['purpose'];

export type Exchanges = {
  readonly plan: (client: string, request: string, purpose: Purpose, behaviour?: Item) => Promise<OutgoingRequest>;
  /** Marker of the latest exchange of the client's own script. */
  readonly markerOf: (client: string) => string | null;
};

export const createExchanges = (run: Run): Exchanges => {
  const counts = new Map<string, number>();
  const latest = new Map<string, string>();
  const upstreams = Object.keys(run.cell.scenario.upstreams);

  const plan: Exchanges['plan'] = async (client, request, purpose, behaviour) => {
    const number = (counts.get(client) ?? 0) + 1;
    counts.set(client, number);
    const marker = createMarker(client, number);
    // A script that has sent nothing yet must not take the harness's own exchange for its own.
    if (purpose !== 'prepare') latest.set(client, marker);
    const account = run.accounts.get(client);
    run.timeline.note({
      type: 'exchange-planned', marker, client, account: account?.id ?? null,
      upstream: upstreams.length === 1 ? upstreams[0]! : null, request, purpose,
    });
    const own = behaviour ?? run.cell.behaviours[client];
    if (own) {
      await Promise.all(upstreams.map((upstream) => run.stage.send('upstreams', { do: 'expect', upstream, marker, behaviour: own })));
    }
    return buildRequest(run.cell.card, request, marker, account, run.system.values);
  };
  return { plan, markerOf: (client) => latest.get(client) ?? null };
};
