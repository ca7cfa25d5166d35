// The last questions, in an order that repairs nothing before it was judged: live siblings are let
// finish and awaited, a refund is asked once, and only then may what leaked upstream come to its end.
import type { Run } from './run-context.ts';
import { askRefund } from './refund.ts';

const SIBLING_LIMIT_MS = 3_000;
const ASKING = new Set(['refundable', 'refund-refused']);

/** Clients that have left: by their own fact, or, where they could not speak any more, by the mark of their leave. */
const goneClients = ({ timeline, facts }: Run): ReadonlySet<string> => {
  const marks = new Set(timeline.observations.flatMap((fact) => (fact.type === 'mark' ? [fact.mark] : [])));
  const byMark = facts.leaves.flatMap(({ mark, client }) => (marks.has(mark) ? [client] : []));
  const byFact = timeline.observations.flatMap((fact) => (fact.type === 'left' ? [fact.actor.replace(/^client\./, '')] : []));
  return new Set([...byMark, ...byFact]);
};

/** Markers of exchanges whose client is still there, on the account of a client that asks. */
const liveSiblings = (run: Run, accounts: ReadonlySet<string | null>): readonly { client: string; marker: string }[] => {
  const seen = run.timeline.observations;
  const gone = goneClients(run);
  const ended = new Set(seen.flatMap((fact) => (fact.type === 'response-ended' ? [fact.marker] : [])));
  return seen.flatMap((fact) =>
    fact.type === 'exchange-planned' && fact.purpose === 'drive' && !gone.has(fact.client) && !ended.has(fact.marker) && accounts.has(fact.account)
      ? [{ client: fact.client, marker: fact.marker }]
      : []);
};

const finish = async (run: Run, marker?: string): Promise<void> => {
  for (const upstream of Object.keys(run.facts.upstreams)) {
    await run.stage.send('upstreams', { do: 'finish', upstream, ...(marker === undefined ? {} : { marker }) }).catch(() => undefined);
  }
};

const isTerminal = (run: Run, marker: string): Promise<true | undefined> =>
  run.timeline.waitFor((observations) => {
    const last = observations.findLast((seen) => seen.type === 'sample' && seen.probe === 'ledger' && seen.value !== undefined);
    if (last?.type !== 'sample' || last.probe !== 'ledger' || !last.value) return undefined;
    return last.value.reservations.some((row) => row.marker === marker && !row.terminal) ? undefined : true;
  }, SIBLING_LIMIT_MS, run.signal);

export const ask = async (run: Run): Promise<void> => {
  const claims = run.cell.claims.filter((claim) => claim.notApplicable === null);
  const clients = [...new Set(claims.filter(({ kind }) => ASKING.has(kind)).map(({ options }) => String(options.client)))];
  if (clients.length > 0) {
    const accounts = new Set(clients.map((client) => run.facts.clients[client]?.account ?? null));
    for (const { marker } of liveSiblings(run, accounts)) {
      await finish(run, marker);
      await isTerminal(run, marker);
    }
    for (const client of clients) await askRefund(run, client);
  }
  await finish(run);
  const { renewalMs } = run.facts.periods;
  if (run.facts.ledger && renewalMs !== undefined) await run.timeline.waitFor(() => undefined, renewalMs, run.signal);
};
