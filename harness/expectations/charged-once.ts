// One exchange, one charge, of the right amount: what was delivered where the client left, exactly the
// upstream's usage where the answer was read to its end.
import type { Charged } from '../model/charges.ts';
import { chargesOf } from '../model/charges.ts';
import { attemptsOf } from '../model/exchanges.ts';
import type { Exchange } from '../model/exchanges.ts';
import { textOption } from '../model/fields.ts';
import { holdingsOf } from '../model/leases.ts';
import type { LedgerReading } from '../model/leases.ts';
import { readingsOf } from '../model/readings.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { billingClassOf, differs, withClass } from './parts/billing-class.ts';
import { lagDoubts, leaveDoubts, RECORD_DOUBTS } from './parts/explaining.ts';
import { held, inconclusive, isFinding, noting, violated, weigh } from './parts/finding.ts';
import { baselineOf, ledgerAtEnd, noLedger, payersFor } from './parts/ledger.ts';
import { momentOf } from './parts/moment.ts';
import type { Moment } from './parts/moment.ts';
import { allowedEvents, eitherOf, leftAt, ON_ITS_WAY_MS, priceOf } from './parts/price.ts';
import type { Allowed } from './parts/price.ts';
import { couldNotSettle, hadNoProcessor, readTooLate } from './parts/settling.ts';
import { leaveArrives, leaveDoesNotApply, serveDoesNotApply, subjectOf, withheldNote } from './parts/subject.ts';
import { chargeIsVisible, clockIsExact, everyFaultFired, nobodyLagged, pathWorks, slackMs, systemLived } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { count } from './parts/words.ts';

type Case = {
  readonly view: View;
  readonly exchange: Exchange;
  /** Every time that the request was sent. */
  readonly attempts: readonly Exchange[];
  readonly moment: Moment | null;
  readonly charges: readonly Charged[];
  readonly allowed: Allowed;
  readonly end: LedgerReading;
  readonly evidence: readonly string[];
};

const allowedFor = (view: View, attempt: Exchange, moment: Moment | null): Allowed => {
  const { facts } = view;
  const leftMs = leftAt(facts, attempt, moment);
  const isDrained = facts.policy.onDisconnect === 'drain';
  // It must be given up by then, whatever kept it until now.
  const dueMs = (leftMs ?? 0) + (isDrained ? (facts.bounds.drain ?? 0) : ON_ITS_WAY_MS) + (isDrained ? facts.marginMs : 0);
  const slack = leftMs === null ? 0 : (moment?.lateMs ?? 0) + slackMs(view, { fromMs: leftMs, toMs: dueMs });
  return allowedEvents(view, attempt, leftMs, slack);
};

const caseOf = (view: View): Case | Finding => {
  const { after } = view.options;
  const exchange = subjectOf(view, textOption(view.options, 'client'), after);
  if (isFinding(exchange)) return exchange;
  const moment = after === undefined ? null : momentOf(view, after, exchange);
  if (moment !== null && isFinding(moment)) return moment;
  const baseline = baselineOf(view);
  if (isFinding(baseline)) return baseline;
  const end = readingsOf(view.timeline, 'ledger').at(-1)!;
  const charged = chargesOf(view.timeline, exchange, baseline);
  const charges = charged.at(end);
  if (charged.unclear !== null && charges.length > 0)
    return inconclusive(`a charge of ${exchange.client}'s account may be ${charged.unclear}: the ledger has no markers`, [end.ref]);
  const attempts = attemptsOf(view.timeline, exchange);
  return {
    view,
    exchange,
    attempts,
    moment,
    charges,
    allowed: eitherOf(attempts.map((attempt) => allowedFor(view, attempt, attempt.planned === exchange.planned ? moment : null))),
    end,
    evidence: [baseline.ref, end.ref],
  };
};

const wordsOf = (charges: readonly Charged[]): string =>
  charges.length === 0 ? 'nothing was charged' : `${charges.map(({ amount }) => amount).join(' and ')} charged`;

/** Money of somebody whose exchange it is not, whatever marker the charge bears. */
const ofAnother = ({ view, exchange, charges, evidence }: Case): Finding | null => {
  const { payers, isShown } = payersFor(view, exchange);
  const wrong = charges.find(({ account }) => account !== undefined && !payers.has(account));
  if (!wrong) return null;
  const said = `${exchange.client}'s exchange was charged to account ${wrong.account}`;
  if (!isShown) return inconclusive(`${said}; no reservation shows who pays for account ${exchange.account}`, evidence);
  return violated(`${said}, not to ${[...payers].join(' or ')}: ${wordsOf(charges)}`, evidence);
};

/** More charges than one, or more money than there can have been work for. */
const tooMuch = ({ view, exchange, charges, allowed, evidence }: Case): Finding | null => {
  const { price, policy } = view.facts;
  if (charges.length > 1) return violated(`${exchange.client}'s exchange was charged ${count(charges.length, 'time')}: ${wordsOf(charges)}`, evidence);
  const amount = charges[0]?.amount ?? 0;
  if (!price || policy.partialBilling === 'full') return null;
  const nothing = allowed.doubtfulEvents === 0 || (policy.partialBilling === 'nothing' && allowed.how !== 'read');
  const most = nothing ? 0 : priceOf(price, allowed.doubtfulEvents);
  return amount > most && differs(amount, most)
    ? violated(`${exchange.client} was charged ${amount}, at most ${most} is right: ${wordsOfAllowed(allowed)}`, evidence)
    : null;
};

const wordsOfAllowed = ({ how, leastEvents, mostEvents }: Allowed): string => {
  if (how === 'read') return `the upstream's usage was ${mostEvents}`;
  if (how === 'drain') {
    const written = leastEvents === mostEvents ? mostEvents : `${leastEvents} to ${mostEvents}`;
    return `the upstream had written ${written} events by the end of the drain`;
  }
  const ends = { cancel: 'when it left', cut: 'in all' } as const;
  const until = { cancel: ` until ${formatMs(ON_ITS_WAY_MS)} later`, cut: '' } as const;
  return `the client had ${leastEvents} events ${ends[how]}, the upstream had written ${mostEvents}${until[how]}`;
};

/** A repeat that was planned and never sent shows nothing of how repeats are charged. */
const neverRepeated = ({ attempts }: Case): Finding | null => {
  const unsent = attempts.find(({ written, planned }) => planned.repeat === true && !written);
  return unsent ? inconclusive(`${unsent.client}'s repeat of its request was never sent`) : null;
};

/** Still reserved at the end: whatever a charge would look like, there was none. */
const isStillHeld = ({ view, exchange, end }: Case): boolean =>
  holdingsOf(view.timeline, exchange).own.some(({ rows }) => {
    const last = rows.at(-1)!;
    return last.reading.ref === end.ref && !last.row.terminal;
  });

/** Of a whole answer that was worth nothing too, unless the card has a price of asking. */
const mayBeNothing = ({ view, allowed }: Case): boolean =>
  allowed.how === 'read'
    ? allowed.mostEvents === 0 && (view.facts.price?.perRequest ?? 0) === 0
    : allowed.leastEvents === 0 || view.facts.policy.partialBilling === 'nothing';

/** The drain bound is not over: what it still holds it may hold. */
const mayBeDraining = ({ view, attempts, end, allowed }: Case): boolean =>
  allowed.how === 'drain' &&
  attempts.some(({ left }) => left && end.beganMs <= left.atMs + (view.facts.bounds.drain ?? Infinity) + view.facts.marginMs);

const decide = (found: Case): Finding => {
  const { view, exchange, charges, allowed, end, evidence } = found;
  const { price, policy } = view.facts;
  const isPartial = allowed.how !== 'read';
  const said = `${exchange.client}: ${wordsOf(charges)}; ${wordsOfAllowed(allowed)}`;
  if (charges.length === 0) {
    if (mayBeNothing(found)) return held(said, evidence);
    if (isStillHeld(found) && mayBeDraining(found)) return inconclusive(`${said}; it may still be drained`, evidence);
    if (isStillHeld(found)) {
      return violated(
        `${said}; its reservation is still held`,
        evidence,
        withClass(billingClassOf(view, exchange.account, end, found.moment?.atMs ?? exchange.planned.atMs)),
      );
    }
    return chargeIsVisible(view) ?? violated(said, evidence);
  }
  if (!price || (isPartial && policy.partialBilling !== 'delivered')) return held(`${said}; the amount is not judged`, evidence);
  const { amount } = charges[0]!;
  const least = mayBeNothing(found) ? 0 : priceOf(price, allowed.leastEvents);
  const most = allowed.mostEvents === 0 ? 0 : priceOf(price, allowed.mostEvents);
  if (amount < least && differs(amount, least))
    return violated(`${exchange.client} was charged ${amount}, at least ${least} is right: ${wordsOfAllowed(allowed)}`, evidence);
  if (amount > most && differs(amount, most))
    return inconclusive(`${said}; more than ${most}, but system or watchers were kept from the processor when the client left`, evidence);
  return held(said, evidence);
};

const judge = (view: View): Finding => {
  const end = ledgerAtEnd(view);
  const found = readingsOf(view.timeline, 'ledger').length === 0 ? (end as Finding) : caseOf(view);
  if (isFinding(found)) return found;
  const { exchange, moment, attempts } = found;
  const finding = weigh({
    premises: [() => (moment ? leaveArrives(view, exchange, moment) : null)],
    wrong: [() => tooMuch(found), () => ofAnother(found)],
    guards: [
      () => everyFaultFired(view),
      () => pathWorks(view),
      () => clockIsExact(view),
      () => systemLived(view, view.endMs),
      () => isWhole(view),
      () => (isFinding(end) ? end : null),
      () => neverRepeated(found),
      () =>
        attempts.some(({ upstreams }) => upstreams.length > 0) ? null : inconclusive(`no upstream got ${exchange.client}'s request: there is nothing to charge`),
    ],
    decide: () => decide(found),
    excuse: [
      () => couldNotSettle(view, exchange, moment?.atMs ?? null),
      () => (found.charges.length === 0 ? hadNoProcessor(view, exchange) : null),
      () => (found.allowed.how === 'drain' && found.charges.length > 0 ? readTooLate(view, attempts) : null),
    ],
    confirm: [
      () =>
        moment
          ? nobodyLagged(view.timeline, view.facts.marginMs, { fromMs: moment.openAtMs, toMs: moment.atMs + view.facts.marginMs })
          : null,
    ],
  });
  const repeated = attempts.length > 1 ? `the same request was sent ${count(attempts.length, 'time')}` : null;
  return noting(noting(finding, repeated), withheldNote(view, exchange));
};

export const definition: ExpectationDefinition = {
  kind: 'charged-once',
  about: 'One charge for the exchange, of what was delivered under the policy of the card.',
  fields: {
    options: {
      client: { type: 'client', about: 'Whose exchange.' },
      after: { type: 'after', about: 'The mark of the leave.', optional: true },
    },
  },
  example: { client: 'alice', after: 'gone' },
  notApplicable: (facts, options) =>
    noLedger(facts, options) ?? (options.after === undefined ? serveDoesNotApply(facts, options) : leaveDoesNotApply(facts, options)),
  explain: (facts, { client, after }) => ({
    needs: [
      `${String(client)}'s request at an upstream`,
      'the ledger at the baseline and at the end, and a charge of the first plain exchange',
    ],
    violatedIf: [
      'there is more than one charge for the exchange, or none where something is owed',
      'an account is charged for it that neither asked nor pays',
      ...(facts.price === null || facts.policy.partialBilling === 'full'
        ? []
        : ['read to the end: the amount is not that of the usage that the upstream wrote']),
      ...(facts.price !== null && facts.policy.partialBilling === 'delivered'
        ? [
            'left early: the amount is less than what the client had when it left, or more than what the upstream had written ' +
              (facts.policy.onDisconnect === 'drain' ? 'by the end of the drain' : `${formatMs(ON_ITS_WAY_MS)} later`),
          ]
        : []),
      ...(facts.policy.partialBilling === 'nothing' ? ['left early: anything is charged'] : []),
    ],
    inconclusiveIf: [
      "the charge may be another exchange's: the ledger has no markers",
      ...leaveDoubts(facts, after),
      ...lagDoubts(facts),
      ...RECORD_DOUBTS,
    ],
  }),
  pending: (input) => {
    const view = viewOf(input, 'watch');
    const found = readingsOf(view.timeline, 'ledger').length === 0 ? null : caseOf(view);
    if (found === null || isFinding(found) || found.charges.length > 0 || mayBeNothing(found) || chargeIsVisible(view)) return null;
    // While the money is held there is nothing to charge yet, and how long that may be others say.
    if (isStillHeld(found)) return null;
    return `no charge of ${found.exchange.client}'s exchange was seen yet`;
  },
  judge: (input) => judge(viewOf(input, 'watch')),
};
