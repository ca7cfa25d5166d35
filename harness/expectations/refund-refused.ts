// While somebody is still served for it, money is not paid back. It must be shown that somebody was: data
// events came and the reservation was held before it was asked, and, where it was refused, afterwards too.
import type { Exchange } from '../model/exchanges.ts';
import { growthsOf } from '../model/exchanges.ts';
import { textOption } from '../model/fields.ts';
import { holdingsOf } from '../model/leases.ts';
import type { LedgerReading } from '../model/leases.ts';
import { refOf } from '../model/observation.ts';
import type { ObservationOf } from '../model/observation.ts';
import { readingsOf } from '../model/readings.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { isBoundDue } from './parts/due.ts';
import { held, inconclusive, isFinding, violated, weigh, worstOf } from './parts/finding.ts';
import { instanceOf } from './parts/instances.ts';
import { accountOf, noReservations } from './parts/ledger.ts';
import { endingOf, livedOnLate, wasOpenAt } from './parts/liveness.ts';
import { unlessKeptFromLedger, unlessStarved } from './parts/starved.ts';
import { subjectOf } from './parts/subject.ts';
import { everyFaultFired, nobodyLagged, pathWorks, systemLived } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { at } from './parts/words.ts';

type Refund = ObservationOf<'refund'>;

const askedMs = ({ atMs, tookMs }: Refund): number => atMs - (tookMs ?? 0);

/** Whose money is held for it in that sample. */
const payersIn = (view: View, exchange: Exchange, reading: LedgerReading | undefined): readonly string[] =>
  holdingsOf(view.timeline, exchange).own.flatMap(({ rows }) =>
    rows.flatMap(({ row, reading: { ref } }) => (ref === reading?.ref && !row.terminal ? [row.payer] : [])),
  );

const isHeldIn = (view: View, exchange: Exchange, reading: LedgerReading | undefined): boolean => payersIn(view, exchange, reading).length > 0;

/** Why it was not live when the refund was asked, or null. */
const deadBefore = (view: View, exchange: Exchange, refund: Refund): string | null => {
  const { client, received } = exchange;
  const fromMs = askedMs(refund);
  const before = readingsOf(view.timeline, 'ledger').findLast(({ atMs }) => atMs <= fromMs);
  if (!growthsOf(received).some(({ atMs }) => atMs <= fromMs)) return `${client} had received no data event`;
  // Of what ended while it was asked nobody can say that the answer was wrong.
  if (!wasOpenAt(exchange, refund.atMs)) return `${client}'s exchange was over by the answer: ${endingOf(exchange)?.words ?? 'no upstream had it'}`;
  const payers = payersIn(view, exchange, before);
  if (!payers[0]) return `no reservation of ${client}'s exchange was seen active`;
  // Where another one pays, nothing of what was asked for is being worked for.
  return payers.includes(refund.account) ? null : `the money for ${client}'s exchange is held on account ${payers[0]}`;
};

/** Why it cannot be said that it was live afterwards too, or null. */
const deadAfter = (view: View, exchange: Exchange, { atMs: answeredMs }: Refund): string | null => {
  const { client, received } = exchange;
  const after = readingsOf(view.timeline, 'ledger').find(({ beganMs }) => beganMs >= answeredMs);
  if (!growthsOf(received).some(({ atMs }) => atMs > answeredMs)) return `${client} received no data event after the answer`;
  if (!after) return 'the ledger was not seen after the answer';
  return isHeldIn(view, exchange, after) ? null : `${client}'s reservation was over in the first sample after the answer`;
};

const judgeRefund = (view: View, exchange: Exchange, refund: Refund): Finding => {
  const evidence = [refOf(refund)];
  const said = `the refund asked ${at(askedMs(refund))} was ${refund.verdict}: status ${refund.status ?? 'none'}`;
  const dead = deadBefore(view, exchange, refund);
  if (dead !== null) return inconclusive(`${said}, but nothing was live: ${dead}`, evidence);
  if (refund.verdict === 'unexpected') return inconclusive(`${said}, which is neither of those that the card names`, evidence);
  const livedMs = growthsOf(exchange.received).findLast(({ atMs }) => atMs <= askedMs(refund))!.atMs;
  if (refund.verdict === 'accepted' && isBoundDue(view, exchange, livedMs, refund.atMs))
    return inconclusive(`${said}, when a bound of ${exchange.client}'s exchange was just due: it may have had to end`, evidence);
  if (refund.verdict === 'accepted')
    // Of a reservation that nobody could renew a peer may rightly think that it is stale; and that it was over by then may only have been seen late.
    return (
      nobodyLagged(view.whole, view.facts.marginMs, { fromMs: livedMs, toMs: refund.atMs }) ??
      livedOnLate(view, refund.atMs, endingOf(exchange)?.atMs ?? Infinity) ??
      unlessStarved(
        view,
        unlessKeptFromLedger(
          view,
          violated(`${said}, while ${exchange.client} was being served`, evidence, { interval: { fromMs: askedMs(refund), toMs: refund.atMs } }),
        ),
        instanceOf(view, exchange).process,
      )
    );
  const gone = deadAfter(view, exchange, refund);
  return gone === null
    ? held(`${said}; ${exchange.client} was being served before and after it`, evidence)
    : inconclusive(`${said}, but whether it was live all the while is not known: ${gone}`, evidence);
};

const judge = (view: View): Finding => {
  const client = textOption(view.options, 'client');
  const exchange = subjectOf(view, client);
  if (isFinding(exchange)) return exchange;
  const account = accountOf(view, client);
  const findings = view.timeline
    .of('refund')
    .filter((refund) => refund.account === account && refund.atMs >= exchange.planned.atMs)
    .map((refund) => judgeRefund(view, exchange, refund));
  // Further refunds belong to other claims, and are asked when all is over.
  const decided = findings.filter(({ outcome }) => outcome !== 'inconclusive');
  const accepted = decided.find(({ outcome }) => outcome === 'violated');
  return weigh({
    premises: [
      () => everyFaultFired(view),
      () => (holdingsOf(view.timeline, exchange).unclear.length > 0 ? inconclusive(`a reservation of ${client}'s account may be another exchange's`) : null),
    ],
    wrong: [() => accepted ?? null],
    guards: [() => pathWorks(view), () => systemLived(view, view.endMs)],
    decide: () => {
      if (findings.length === 0) return inconclusive(`no refund was asked for account ${account}`);
      return decided.length > 0 ? worstOf(decided) : findings[0]!;
    },
    confirm: [() => isWhole(view)],
  });
};

export const definition: ExpectationDefinition = {
  kind: 'refund-refused',
  about: "Asked while the client's request is truly live, the refund of its account is refused.",
  fields: { $bare: 'client', options: { client: { type: 'client', about: 'Who is being served.' } } },
  example: { client: 'alice' },
  notApplicable: (facts, options) =>
    noReservations(facts, options) ?? (facts.stopsAt === null ? null : 'the scenario stops the system: there is nobody left to ask'),
  explain: (_, { client }) => ({
    needs: [
      `${String(client)} receives data events, and its reservation is active, before the refund is asked`,
      'the same after the answer, where that is a refusal; the run asks first of all, when it has watched',
    ],
    violatedIf: ['the refund is accepted while the request is live'],
    inconclusiveIf: ['the request is over by the time of the answer, or a bound of it is just due', 'the answer is neither of those that the card names', 'no refund was asked'],
  }),
  judge: (input) => judge(viewOf(input, 'ask')),
};
