// The last questions, in an order that repairs nothing before it was judged: what must be refused while a
// request is live is asked while it is; then live siblings are let finish and awaited, a refund is asked
// once (twice, where it is claimed that this changes nothing), and only then may what leaked upstream come to its end.
import { eachClient } from '../model/facts.ts';
import type { Observation } from '../model/observation.ts';
import type { Run } from './run-context.ts';
import { askRefund } from './refund.ts';

export const SIBLING_LIMIT_MS = 3_000;
/** How long a sign of life after a refused refund is waited for. */
const LIFE_LIMIT_MS = 2_000;
/** After what must not change has been tried it is watched for so many sweeps. */
const SWEEPS = 2;

/** How long is waited when all has been asked and finished, ms: for a late renewal, or for two sweeps where nothing may change. */
export const afterAskingMs = ({ ledger, periods: { renewalMs = 0, sweepMs = 0 }, marginMs }: Run['facts'], isTriedTwice: boolean): number =>
  ledger ? Math.max(renewalMs, isTriedTwice ? SWEEPS * sweepMs + marginMs : 0) : 0;

type Asking = 'refundable' | 'refund-refused' | 'terminal-once';

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
  const endedMs = new Map(observations.flatMap((fact) => (fact.type === 'response-ended' ? [[fact.marker, fact.atMs] as const] : [])));
  return observations.flatMap((fact) =>
    fact.type === 'exchange-planned' &&
    fact.purpose === 'drive' &&
    !gone.has(fact.client) &&
    (endedMs.get(fact.marker) ?? -Infinity) < fact.atMs &&
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

const finish = async (run: Run, marker: string | null): Promise<void> => {
  let count = 0;
  for (const upstream of Object.keys(run.facts.upstreams)) {
    // One that a fault has stopped has nothing left to finish.
    const done = await run.stage.send('upstreams', { do: 'finish', upstream, ...(marker === null ? {} : { marker }) }).catch(() => undefined);
    count += (done as { readonly count?: number } | undefined)?.count ?? 0;
  }
  run.timeline.note({ type: 'let-finish', marker, count });
};

const asking = (run: Run, claim: Asking): readonly string[] => [
  ...new Set(
    run.cell.claims
      .filter(({ kind, notApplicable }) => kind === claim && notApplicable === null)
      .flatMap(({ options }) => eachClient(run.facts, options).map(({ client }) => String(client))),
  ),
];

/** Of the clients in question only those that are rightly served: what else is theirs should be over, and is what is asked about. */
const finishSiblings = async (run: Run, clients: readonly string[], served: readonly string[]): Promise<void> => {
  const accounts = new Set(clients.map((client) => run.facts.clients[client]?.account ?? null));
  const { observations } = run.timeline;
  const affected = new Set(
    observations.flatMap((fact) =>
      fact.type === 'exchange-planned' && clients.includes(fact.client) && !served.includes(fact.client) ? [fact.marker] : [],
    ),
  );
  for (const marker of liveMarkers(observations, run.facts.leaves, accounts).filter((each) => !affected.has(each))) {
    await finish(run, marker);
    await run.timeline.waitFor((seen) => isOver(seen, marker, run.facts.ledger !== null), SIBLING_LIMIT_MS, run.signal);
  }
};

/** That it was live all the while needs a sample of the ledger and a data event from after the answer. */
const lifeGoesOn =
  (client: string, sinceMs: number) =>
  (observations: readonly Observation[]): true | undefined => {
    const later = observations.filter(({ atMs }) => atMs > sinceMs);
    const isSeen = later.some((seen) => seen.type === 'sample' && seen.probe === 'ledger' && seen.value !== undefined && seen.atMs - seen.tookMs >= sinceMs);
    return isSeen && later.some((seen) => seen.type === 'received' && seen.actor === `client.${client}`) ? true : undefined;
  };

const askWhileLive = async (run: Run, client: string): Promise<void> => {
  await askRefund(run, client);
  await run.timeline.waitFor(lifeGoesOn(client, run.timeline.elapsedMs()), LIFE_LIMIT_MS, run.signal);
};

export const ask = async (run: Run): Promise<void> => {
  const served = asking(run, 'refund-refused');
  for (const client of served) await askWhileLive(run, client);
  const repeatedly = asking(run, 'terminal-once');
  const clients = [...new Set([...asking(run, 'refundable'), ...repeatedly])];
  if (clients.length > 0) await finishSiblings(run, clients, served);
  for (const client of clients) await askRefund(run, client);
  for (const client of repeatedly) await askRefund(run, client);
  await finish(run, null);
  const waitMs = afterAskingMs(run.facts, repeatedly.length > 0);
  if (waitMs > 0) await run.timeline.waitFor(() => undefined, waitMs, run.signal);
};
