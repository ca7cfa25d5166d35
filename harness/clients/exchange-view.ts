// What the timeline says about one exchange while it grows, for the waits of scripts: the same
// queries as judges use, so that what was awaited is what is judged.
import { exchangesOf } from '../model/exchanges.ts';
import { holdingsOf, renewalsOf } from '../model/leases.ts';
import type { Life } from '../model/leases.ts';
import { readingsOf } from '../model/readings.ts';
import type { FactType, Observation, ObservationOf } from '../model/observation.ts';
import { createTimeline } from '../model/timeline.ts';

type Seen = readonly Observation[];

const isOf = <T extends FactType>(observation: Observation, type: T): observation is Observation & ObservationOf<T> =>
  observation.type === type;

export const ofType = <T extends FactType>(observations: Seen, type: T): ObservationOf<T>[] =>
  observations.filter((observation) => isOf(observation, type)) as unknown as ObservationOf<T>[];

/** The exchange's reservations, as far as samples have shown them. */
export const reservationsOf = (observations: Seen, marker: string): readonly Life[] => {
  const timeline = createTimeline(observations);
  const exchange = exchangesOf(timeline).find((each) => each.marker === marker);
  return exchange ? holdingsOf(timeline, exchange).own : [];
};

/** How often the lease of the exchange's reservations moved forward while they were not terminal. */
export const countRenewals = (observations: Seen, marker: string): number =>
  reservationsOf(observations, marker).reduce((count, life) => count + renewalsOf(life).length, 0);

export type RowState = { readonly id: string; readonly state: string; readonly isOver: boolean };

/** State of each row in the latest sample after `afterMs`, if there is one. A row that it lacks is `gone`. */
export const latestStates = (observations: Seen, ids: readonly string[], afterMs = -Infinity): readonly RowState[] => {
  const latest = readingsOf(createTimeline(observations), 'ledger').at(-1);
  if (!latest || latest.beganMs <= afterMs) return [];
  return ids.map((id) => {
    const row = latest.value.reservations.find((each) => each.id === id);
    return { id, state: row?.state ?? 'gone', isOver: row?.terminal ?? true };
  });
};

/** What the account has reserved beside its live rows, in the latest sample after `afterMs`, if there is one. @param unbacked rows that its total never knew */
export const latestResidue = (observations: Seen, account: string, unbacked: readonly string[], afterMs: number): number | null => {
  const latest = readingsOf(createTimeline(observations), 'ledger').at(-1);
  if (!latest || latest.beganMs <= afterMs) return null;
  const { accounts, reservations } = latest.value;
  const backed = reservations.filter((row) => row.payer === account && !row.terminal && !unbacked.includes(row.id));
  return (accounts.find(({ id }) => id === account)?.reserved ?? 0) - backed.reduce((sum, { amount }) => sum + amount, 0);
};

type AtUpstream = { readonly actor: string; readonly exchange: number };

/** The exchange at its upstream, once the request has come there. */
export const upstreamExchange = (observations: Seen, marker: string): AtUpstream | undefined => {
  const found = ofType(observations, 'request-received').findLast((fact) => fact.marker === marker);
  return found && { actor: found.actor, exchange: found.exchange };
};

/** Whether the upstream can write no more to this exchange, as of its last word about it. */
export const isBlocked = (observations: Seen, marker: string): boolean => {
  const at = upstreamExchange(observations, marker);
  const isItsWord = (fact: Observation): boolean =>
    fact.actor === at?.actor && (fact.type === 'write-blocked' || fact.type === 'write-drained') && fact.exchange === at.exchange;
  return observations.findLast(isItsWord)?.type === 'write-blocked';
};

/** Whether the client has stopped reading this exchange's answer. */
export const isPaused = (observations: Seen, marker: string): boolean =>
  observations.findLast((fact) => (fact.type === 'paused' || fact.type === 'resumed') && fact.marker === marker)?.type ===
  'paused';
