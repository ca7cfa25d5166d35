// What is still being served keeps its reservation, however long it takes. A stream that was shorter than it
// takes to become stale and be swept shows nothing.
import type { Exchange } from '../model/exchanges.ts';
import { textOption } from '../model/fields.ts';
import { holdingsOf } from '../model/leases.ts';
import { refOf } from '../model/observation.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { isBoundDue } from './parts/due.ts';
import { held, inconclusive, isFinding, violated, weigh, worstOf } from './parts/finding.ts';
import { heldRowsOf, overOf, wasReplaced } from './parts/held-rows.ts';
import type { Over } from './parts/held-rows.ts';
import { instanceOf } from './parts/instances.ts';
import { ledgerKeptUp, noReservations } from './parts/ledger.ts';
import { endingOf, lastLife, livedOnLate, paceOf, wasOpenAt } from './parts/liveness.ts';
import { keptFromLedger, unlessKeptFromLedger, unlessStarved } from './parts/starved.ts';
import { subjectOf } from './parts/subject.ts';
import { everyFaultFired, feedingWasSeen, nobodyLagged, pathWorks, systemLived, systemWasFed } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { at, reservationWords, since } from './parts/words.ts';

/** A bound that a scenario does not test is far away; one that it tests, or that is just due, may rightly end a stream. */
const mayHaveEnded = (view: View, exchange: Exchange, livedMs: number, endedMs: number): boolean =>
  view.facts.tests !== null || isBoundDue(view, exchange, livedMs, endedMs);

/** Released while its upstream wrote on and its client got it; or while it was open, whereupon the system cut it. */
const whileLive = (view: View, exchange: Exchange, { life, before, reading: over, state }: Over): Finding | null => {
  const { client } = exchange;
  const living = lastLife(exchange);
  const said = `${reservationWords(life.id)} was ${state} ${at(over.atMs)}`;
  const evidence = [before.reading.ref, over.ref];
  if (living && living.atMs > over.atMs)
    return (
      livedOnLate(view, over.atMs, living.atMs) ??
      violated(`${said}, and ${client} went on receiving data events until ${formatMs(living.atMs)}`, [...evidence, refOf(living)], {
        interval: { fromMs: over.atMs, toMs: living.atMs },
      })
    );
  const ending = endingOf(exchange);
  const wasReceiving = living !== undefined && over.atMs - living.atMs <= Math.max(2 * paceOf(exchange), view.facts.marginMs);
  if (!wasReceiving || !wasOpenAt(exchange, over.atMs)) return null;
  // Between two samples, or before the next event was due: it cannot be told whether anything came after it.
  if (ending?.by !== 'system')
    return inconclusive(`${said}, while ${client}'s stream was open; no data event was seen after that`, evidence);
  const cut = `${said}, and the system cut ${client}'s stream ${since(ending.atMs - over.atMs, 'that')}`;
  return mayHaveEnded(view, exchange, living.atMs, ending.atMs)
    ? inconclusive(`${cut}, as it may have had to by a bound`, [...evidence, ending.ref])
    : violated(cut, [...evidence, ending.ref], { interval: { fromMs: over.atMs, toMs: ending.atMs } });
};

const judge = (view: View): Finding => {
  const client = textOption(view.options, 'client');
  const exchange = subjectOf(view, client);
  if (isFinding(exchange)) return exchange;
  const { unclear } = holdingsOf(view.timeline, exchange);
  const lives = heldRowsOf(view, exchange);
  const living = lastLife(exchange);
  const fromMs = Math.min(...lives.map(({ rows }) => rows.find(({ row }) => !row.terminal)!.reading.atMs));
  const window = { fromMs, toMs: living?.atMs ?? fromMs };
  const seenMs = window.toMs - window.fromMs;
  const { leaseMs = 0, sweepMs = 0 } = view.facts.periods;
  return weigh({
    premises: [
      () => everyFaultFired(view),
      () => (unclear[0] ? inconclusive(`${reservationWords(unclear[0].id)} may belong to another exchange of the same account`) : null),
      () => (lives.length > 0 ? null : inconclusive(`no reservation of ${client}'s exchange was ever seen active`)),
    ],
    guards: [() => pathWorks(view), () => systemLived(view, window.toMs)],
    decide: () => {
      const wrong = lives.flatMap((life) => {
        const over = overOf(view, life);
        const found = over && whileLive(view, exchange, over);
        return found ? [wasReplaced(lives, over) ?? unlessStarved(view, unlessKeptFromLedger(view, found), instanceOf(view, exchange).process)] : [];
      });
      if (wrong.length > 0) return worstOf(wrong);
      if (seenMs <= leaseMs + sweepMs)
        return inconclusive(
          `the window was too short: ${client} was seen receiving for ${formatMs(Math.max(0, seenMs))} while its reservation was held, a lease and a sweep take ${formatMs(leaseMs + sweepMs)}`,
        );
      return held(`${reservationWords(lives[0]!.id)} was held for the ${formatMs(seenMs)} in which ${client} received data events`, [
        lives[0]!.rows[0]!.reading.ref,
        refOf(living!),
      ]);
    },
    confirm: [
      () => isWhole(view),
      () => ledgerKeptUp(view, window),
      () => systemWasFed(view, window, leaseMs),
      () => feedingWasSeen(view, window, leaseMs),
      () => keptFromLedger(view, window.toMs),
      () => nobodyLagged(view.timeline, view.facts.marginMs, window),
    ],
  });
};

export const definition: ExpectationDefinition = {
  kind: 'not-swept-while-live',
  about: 'While the client still receives data events its reservation stays non-terminal.',
  fields: { $bare: 'client', options: { client: { type: 'client', about: 'Who reads on.' } } },
  example: { client: 'alice' },
  notApplicable: (facts, options) =>
    noReservations(facts, options) ??
    (facts.periods.leaseMs === undefined || facts.periods.sweepMs === undefined ? 'the card declares no period of lease and sweep' : null),
  explain: ({ periods: { leaseMs, sweepMs } }, { client }) => ({
    needs: [`data events for ${String(client)}, with its reservation active, for longer than ${formatMs(leaseMs! + sweepMs!)}: a lease and a sweep`],
    violatedIf: [
      'its reservation is terminal or gone in a sample, and the upstream writes and the client receives data events after that',
      'it is so while the stream is open, and the system then cuts the stream',
    ],
    inconclusiveIf: ['the stream was shorter than that', 'the ledger was seen less often than a lease lasts', 'the system was starved for more than a third of a lease'],
  }),
  judge: (input) => judge(viewOf(input, 'watch')),
};
