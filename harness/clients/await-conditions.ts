// What a script may wait for by `await`: each a pure look at the timeline, and words for what was
// there instead when the wait runs out.
import type { Options } from '../model/fields.ts';
import type { FactType, Observation } from '../model/observation.ts';
import { countRenewals, isBlocked, isPaused, latestResidue, latestStates, ofType, reservationsOf, upstreamExchange } from './exchange-view.ts';
import type { RowState } from './exchange-view.ts';

export type Condition = {
  /** Looks again only after an observation of one of these types. */
  readonly types: readonly FactType[];
  /** Must hold this long without a break, where it may hold by accident. */
  readonly holdsMs?: number;
  readonly what: string;
  readonly holds: (observations: readonly Observation[]) => boolean;
  readonly instead: (observations: readonly Observation[]) => string;
};

type Make = (options: Options, marker: string, account: string | null) => Condition;

/** Backpressure of a slow reader comes and goes; only what stays is a block. */
const BLOCKED_HOLDS_MS = 200;

const statesText = (states: readonly RowState[]): string => states.map(({ id, state }) => `${id} ${state}`).join(', ');

const areOver = (states: readonly RowState[]): boolean => states.length > 0 && states.every(({ isOver }) => isOver);

const noRow = (observations: readonly Observation[]): string =>
  ofType(observations, 'sample').some((sample) => sample.probe === 'ledger' && sample.value)
    ? 'no reservation of this exchange was seen'
    : 'the ledger was never read';

const renewals: Make = (options, marker) => ({
  types: ['sample'],
  what:
    options.renewals === 1
      ? "a renewal of the reservation's lease"
      : `${String(options.renewals)} renewals of the reservation's lease`,
  holds: (seen) => countRenewals(seen, marker) >= Number(options.renewals),
  instead: (seen) => (reservationsOf(seen, marker).length === 0 ? noRow(seen) : `${countRenewals(seen, marker)} were seen`),
});

const upstreamRequest: Make = (_options, marker) => ({
  types: ['request-received'],
  what: 'the request at the upstream',
  holds: (seen) => upstreamExchange(seen, marker) !== undefined,
  instead: () => 'no request with this marker came',
});

const blocked: Make = (_options, marker) => ({
  types: ['write-blocked', 'write-drained', 'paused', 'resumed', 'request-received'],
  holdsMs: BLOCKED_HOLDS_MS,
  what: 'the upstream blocked by the paused client',
  holds: (seen) => isPaused(seen, marker) && isBlocked(seen, marker),
  instead: (seen) => {
    if (!isPaused(seen, marker)) return 'the client is not paused';
    return upstreamExchange(seen, marker) ? 'the upstream could still write' : 'no request with this marker came to an upstream';
  },
});

const terminal: Make = (_options, marker) => {
  const states = (seen: readonly Observation[]): readonly RowState[] =>
    latestStates(
      seen,
      reservationsOf(seen, marker).map(({ id }) => id),
    );
  return {
    types: ['sample'],
    what: 'the reservation in a terminal state',
    holds: (seen) => areOver(states(seen)),
    instead: (seen) => statesText(states(seen)) || noRow(seen),
  };
};

const ended: Make = (_options, marker) => ({
  types: ['answer-ended', 'request-received'],
  what: "the end of the upstream's answer",
  holds: (seen) => ofType(seen, 'answer-ended').some((fact) => fact.marker === marker),
  instead: (seen) =>
    upstreamExchange(seen, marker) ? 'it was still being written' : 'no request with this marker came to an upstream',
});

/** Rows that faults added, and what they added to the total without a row: each as of the latest sample after the last of them. */
const addedStates = (seen: readonly Observation[], account: string | null): readonly RowState[] => {
  const rows = ofType(seen, 'ledger-rows').filter((fact) => fact.account === account);
  const totals = ofType(seen, 'ledger-aggregate').filter((fact) => fact.account === account);
  const lastMs = Math.max(...[...rows, ...totals].map(({ atMs }) => atMs));
  const unbacked = rows.flatMap(({ aggregate, reservations }) => (aggregate === false ? reservations : []));
  const residue = totals.length === 0 ? null : latestResidue(seen, account!, unbacked, lastMs);
  return [
    ...latestStates(seen, rows.flatMap(({ reservations }) => reservations), lastMs),
    ...(residue === null ? [] : [{ id: 'the total', state: `${residue} beside its rows`, isOver: residue <= 0 }]),
  ];
};

const swept: Make = (_options, _marker, account) => ({
  types: ['sample', 'ledger-rows', 'ledger-aggregate'],
  what: 'what was added released',
  holds: (seen) => areOver(addedStates(seen, account)),
  instead: (seen) => statesText(addedStates(seen, account)) || 'nothing that was added to this account was seen',
});

const mark: Make = (options) => ({
  types: ['mark'],
  what: `the mark ${String(options.mark)}`,
  holds: (seen) => ofType(seen, 'mark').some((fact) => fact.mark === options.mark),
  instead: (seen) => {
    const set = ofType(seen, 'mark').map((fact) => fact.mark);
    return set.length === 0 ? 'no mark was set' : `set were ${set.join(', ')}`;
  },
});

/** Conditions that are not about the client's own exchange: it need not have sent one. */
export const OTHERS: readonly string[] = ['swept', 'mark'];

/** By option of `await`. `log` is not among them: logs are no observations. */
export const conditions: Readonly<Record<string, Make>> = {
  renewals,
  'upstream-request': upstreamRequest,
  blocked,
  terminal,
  ended,
  swept,
  mark,
};
