// What the timeline says about one exchange while it grows: its reservation's rows in the ledger's
// samples, and where it is at its upstream. Pure queries for the waits of scripts.
import type { FactType, Observation, ObservationOf } from '../model/observation.ts';
import type { LedgerValue, Reservation } from '../model/samples.ts';

export type LedgerSample = { readonly atMs: number; readonly value: LedgerValue };

const isOf = <T extends FactType>(observation: Observation, type: T): observation is Observation & ObservationOf<T> =>
  observation.type === type;

export const ofType = <T extends FactType>(observations: readonly Observation[], type: T): ObservationOf<T>[] =>
  observations.filter((observation) => isOf(observation, type)) as unknown as ObservationOf<T>[];

/** The ledger samples that have a value, in order of time. */
export const ledgerSamples = (observations: readonly Observation[]): readonly LedgerSample[] =>
  ofType(observations, 'sample')
    .flatMap((sample) => (sample.probe === 'ledger' && sample.value ? [{ atMs: sample.atMs, value: sample.value }] : []))
    .sort((a, b) => a.atMs - b.atMs);

/**
 * Ids of the exchange's reservations. Rows say it themselves by their marker; in a ledger without
 * markers it is the only row of the account that first appeared, non-terminal, while the exchange was open.
 */
export const reservationIds = (observations: readonly Observation[], marker: string): ReadonlySet<string> => {
  const samples = ledgerSamples(observations);
  const rows = samples.flatMap(({ value }) => value.reservations);
  if (rows.some((row) => row.marker !== undefined))
    return new Set(rows.filter((row) => row.marker === marker).map(({ id }) => id));
  const planned = ofType(observations, 'exchange-planned').find((fact) => fact.marker === marker);
  if (!planned || planned.account === null) return new Set();
  const endMs =
    observations.find((fact) => (fact.type === 'response-ended' || fact.type === 'left') && fact.marker === marker)?.atMs ??
    Infinity;
  const before = new Set(
    samples.filter(({ atMs }) => atMs < planned.atMs).flatMap(({ value }) => value.reservations.map(({ id }) => id)),
  );
  const added = new Set(ofType(observations, 'ledger-rows').flatMap(({ reservations }) => reservations));
  const candidates = new Set<string>();
  for (const { value } of samples.filter(({ atMs }) => atMs >= planned.atMs && atMs <= endMs)) {
    for (const row of value.reservations) {
      if (row.account === planned.account && !row.terminal && !before.has(row.id) && !added.has(row.id)) candidates.add(row.id);
    }
  }
  return candidates.size === 1 ? candidates : new Set();
};

/** Each sample's row of one reservation, as long as it has one. */
const historyOf = (samples: readonly LedgerSample[], id: string): readonly Reservation[] =>
  samples.flatMap(({ value }) => value.reservations.filter((row) => row.id === id));

/** How often the lease of the exchange's reservations moved forward while they were not terminal. */
export const countRenewals = (observations: readonly Observation[], marker: string): number => {
  const samples = ledgerSamples(observations);
  let count = 0;
  for (const id of reservationIds(observations, marker)) {
    const live = historyOf(samples, id).filter((row) => !row.terminal && row.leaseAtMs !== undefined);
    count += live.filter((row, at) => at > 0 && row.leaseAtMs! > live[at - 1]!.leaseAtMs!).length;
  }
  return count;
};

/** State of each row in the latest sample; a row that was there and is no longer is `gone`. */
export const latestStates = (
  observations: readonly Observation[],
  ids: Iterable<string>,
): readonly { id: string; state: string; over: boolean }[] => {
  const latest = ledgerSamples(observations).at(-1);
  return [...ids].map((id) => {
    const row = latest?.value.reservations.find((each) => each.id === id);
    return { id, state: row?.state ?? 'gone', over: row?.terminal ?? true };
  });
};

/** The exchange at its upstream, once the request has come there. */
export const upstreamExchange = (
  observations: readonly Observation[],
  marker: string,
): { readonly actor: string; readonly exchange: number } | undefined => {
  const found = ofType(observations, 'request-received').findLast((fact) => fact.marker === marker);
  return found && { actor: found.actor, exchange: found.exchange };
};

/** Whether the upstream can write no more to this exchange, as of its last word about it. */
export const isBlocked = (observations: readonly Observation[], marker: string): boolean => {
  const at = upstreamExchange(observations, marker);
  const last =
    at &&
    observations.findLast(
      (fact) =>
        fact.actor === at.actor &&
        (fact.type === 'write-blocked' || fact.type === 'write-drained') &&
        fact.exchange === at.exchange,
    );
  return last?.type === 'write-blocked';
};

/** Whether the client has stopped reading this exchange's answer. */
export const isPaused = (observations: readonly Observation[], marker: string): boolean =>
  observations.findLast((fact) => (fact.type === 'paused' || fact.type === 'resumed') && fact.marker === marker)?.type ===
  'paused';
