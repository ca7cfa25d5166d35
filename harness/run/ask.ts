// The last questions, in an order that repairs nothing before it was judged: what must be refused while a
// request is live is asked while it is; then live siblings are let finish and awaited, a refund is asked
// once, and only then may what leaked upstream come to its end.
import { eachClient } from '../model/facts.ts';
import type { Observation } from '../model/observation.ts';
import type { Run } from './run-context.ts';
import { askRefund } from './refund.ts';

export const SIBLING_LIMIT_MS = 3_000;
/** How long a sign of life after a refused refund is waited for. */
const LIFE_LIMIT_MS = 2_000;
const SWEEPS = 2;

type Asking = 'refundable' | 'refund-refused';

/** Clients that have left: by their own fact, or, where they could not speak any more, by the mark of their leave. */
const goneClients = (observations: readonly Observation[], leaves: Run['facts']['leaves']): ReadonlySet<string> => {
  const marks = new Set(observations.flatMap((fact) => (fact.type === 'mark' ? [fact.mark] : [])));
  const byMark = leaves.flatMap(({ mark, client }) => (marks.has(mark) ? [client] : []));
  const byFact = observations.flatMap((fact) => (fact.type === 'left' ? [fact.actor.replace(/^client\./, '')] : []));
  return new Set([...byMark, ...byFact]);
};

/** Markers of open exchanges on one of these accounts whose client is still there. */
export const liveMarkers = (
  observations: readonly Observation[],
  leaves: Run['facts']['leaves'],
  accounts: ReadonlySet<string | null>,
): readonly string[] => {
  const gone = goneClients(observations, leaves);
  const ended = new Set(observations.flatMap((fact) => (fact.type === 'response-ended' ? [fact.marker] : [])));
  return observations.flatMap((fact) =>
    fact.type === 'exchange-planned' &&
    fact.purpose === 'drive' &&
    !gone.has(fact.client) &&
    !ended.has(fact.marker) &&
    accounts.has(fact.account)
      ? [fact.marker]
      : [],
  );
};

/**
 * True once the exchange has ended at one of its ends and, where there is a ledger, a sample that was begun
 * after that shows no live reservation of it: an older sample knows nothing of the end.
 */
export const isOver = (observations: readonly Observation[], marker: string, hasLedger: boolean): true | undefined => {
  const end = observations.find((seen) => (seen.type === 'response-ended' || seen.type === 'answer-ended') && seen.marker === marker);
  if (!end) return undefined;
  if (!hasLedger) return true;
  const isSettled = observations.some(
    (seen) =>
      seen.type === 'sample' &&
      seen.probe === 'ledger' &&
      seen.value !== undefined &&
      seen.atMs - seen.tookMs >= end.atMs &&
      !seen.value.reservations.some((row) => row.marker === marker && !row.terminal),
  );
  return isSettled ? true : undefined;
};

const finish = async (run: Run, marker?: string): Promise<void> => {
  for (const upstream of Object.keys(run.facts.upstreams)) {
    // One that a fault has stopped has nothing left to finish.
    await run.stage.send('upstreams', { do: 'finish', upstream, ...(marker === undefined ? {} : { marker }) }).catch(() => undefined);
  }
};

const asking = (run: Run, claim: Asking): readonly string[] => [
  ...new Set(
    run.cell.claims
      .filter(({ kind, notApplicable }) => kind === claim && notApplicable === null)
      .flatMap(({ options }) => eachClient(run.facts, options).map(({ client }) => String(client))),
  ),
];

const finishSiblings = async (run: Run, clients: readonly string[]): Promise<void> => {
  const accounts = new Set(clients.map((client) => run.facts.clients[client]?.account ?? null));
  for (const marker of liveMarkers(run.timeline.observations, run.facts.leaves, accounts)) {
    await finish(run, marker);
    await run.timeline.waitFor((observations) => isOver(observations, marker, run.facts.ledger !== null), SIBLING_LIMIT_MS, run.signal);
  }
};

export const ask = async (run: Run): Promise<void> => {
  for (const client of asking(run, 'refund-refused')) await askRefund(run, client);
  const clients = asking(run, 'refundable');
  if (clients.length > 0) await finishSiblings(run, clients);
  for (const client of clients) await askRefund(run, client);
  await finish(run);
  const { renewalMs } = run.facts.periods;
  if (run.facts.ledger && renewalMs !== undefined) await run.timeline.waitFor(() => undefined, renewalMs, run.signal);
};
