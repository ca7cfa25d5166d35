// After the client has gone the system lets go of the upstream: the claim that the seed's finding is
// about. Closed because of the leave, not by its own time-out, and nobody else takes the work over.
import type { Exchange, Upstream } from '../model/exchanges.ts';
import { numberOption, textOption } from '../model/fields.ts';
import { refOf } from '../model/observation.ts';
import type { ObservationOf } from '../model/observation.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { judgeClosing, wentOn } from './parts/closing.ts';
import type { Span } from './parts/closing.ts';
import { controlAgrees } from './parts/control.ts';
import { limitWords, lagDoubts, leaveDoubts, momentWords, openWords, RECORD_DOUBTS } from './parts/explaining.ts';
import { firstFinding, inconclusive, isFinding, noting, stillWaiting, violated, weigh, worstOf } from './parts/finding.ts';
import { momentOf } from './parts/moment.ts';
import type { Moment } from './parts/moment.ts';
import { spanOf } from './parts/span.ts';
import { outagesOf } from './parts/outage.ts';
import { stopSignal } from './parts/stopping.ts';
import { clientsAt, drainDoesNotApply, leaveArrives, leaveDoesNotApply, subjectOf, wasStreaming, withheldNote } from './parts/subject.ts';
import { clockIsExact, everyFaultFired, pathWorks, slackMs } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { since } from './parts/words.ts';

/** One client's exchange, the moment and the limit, and its requests that were open then. */
type Case = {
  readonly view: View;
  readonly exchange: Exchange;
  readonly moment: Moment;
  readonly span: Span;
  readonly open: readonly Upstream[];
  readonly all: readonly Upstream[];
};

const caseOf = (view: View, client: string): Case | Finding => {
  const exchange = subjectOf(view, client, view.options.after);
  if (isFinding(exchange)) return exchange;
  const moment = momentOf(view, view.options.after, exchange);
  if (isFinding(moment)) return moment;
  const requests = exchange.upstreams.filter(({ name }) => name === view.options.upstream);
  const open = requests.filter(
    ({ received, ended, closed }) =>
      received.atMs <= moment.openAtMs && Math.min(ended?.atMs ?? Infinity, closed?.atMs ?? Infinity) > moment.openAtMs,
  );
  return { view, exchange, moment, span: spanOf(view, moment, numberOption(view.options, 'within')), open, all: requests };
};

/** Until when a request that comes may have been on its way at the leave, or sent, or heard of, by somebody who was kept from the processor. */
const retriesUntilMs = ({ view, moment }: Case): { readonly surelyMs: number; readonly perhapsMs: number } => {
  const surelyMs = moment.atMs + moment.lateMs + view.facts.marginMs;
  return { surelyMs, perhapsMs: surelyMs + slackMs(view, { fromMs: moment.openAtMs, toMs: surelyMs }, moment.process) };
};

const overMs = ({ closed, ended }: Upstream): number => Math.min(closed?.atMs ?? Infinity, ended?.atMs ?? Infinity);

const askedAgain = ({ moment }: Case, { name, received }: Upstream): string =>
  `upstream ${name} was asked again ${since(received.atMs - moment.atMs, moment.words)}, as exchange ${received.exchange}`;

/** A request with the same marker that came after the leave, to whatever upstream, when no retry can have been on its way: the work goes on for nobody. */
const wasAskedAgain = (found: Case): Finding | null => {
  const { view, exchange, moment, span } = found;
  const { perhapsMs } = retriesUntilMs(found);
  const again = exchange.upstreams.find(
    (each) => each.received.atMs > moment.openAtMs && (each.received.atMs > perhapsMs || Math.min(overMs(each), view.endMs) > span.lateMs),
  );
  if (!moment.leave || !again) return null;
  return violated(
    `still working for the gone: ${askedAgain(found, again)} on connection ${again.received.connection}`,
    [...moment.evidence, refOf(again.received)],
    { interval: { fromMs: again.received.atMs, toMs: again.closed?.atMs ?? view.endMs } },
  );
};

/** One that came so late only because it, or the word of it, was kept back, for all that is known. */
const wasAskedLate = (found: Case): Finding | null => {
  const { exchange, moment } = found;
  const { surelyMs } = retriesUntilMs(found);
  const late = exchange.upstreams.find(({ received }) => received.atMs > surelyMs);
  if (!moment.leave || !late) return null;
  return inconclusive(`${askedAgain(found, late)}, but system or watchers were kept from the processor for as long`, [...moment.evidence, refOf(late.received)]);
};

/** A retry that was on its way has to be over like the rest: it was not seen to be, and too little was seen to say that it was not. */
const wasRetriedOpen = (found: Case): Finding | null => {
  const { exchange, moment, span } = found;
  const retry = exchange.upstreams.find((each) => each.received.atMs > moment.openAtMs && overMs(each) > span.dueMs + moment.lateMs);
  if (!moment.leave || !retry) return null;
  return inconclusive(`${askedAgain(found, retry)}, which was not seen to be over within the limit`, [refOf(retry.received)]);
};

/** A system that is going down closes everything: not because of the leave. */
const stoppedBefore = (view: View, request: Upstream, { process }: Moment): Finding | null => {
  const closed = request.closed!;
  const stop = stopSignal(view, process);
  const evidence = (sent: ObservationOf<'signal-sent'>): readonly string[] => [refOf(sent), refOf(closed)];
  const before = (sent: ObservationOf<'signal-sent'>): string => `by ${sent.signal} ${formatMs(closed.atMs - sent.atMs)} before it closed`;
  if (stop && stop.atMs <= closed.atMs) return inconclusive(`the system was told to stop ${before(stop)}`, evidence(stop));
  // The kernel closes for the dead, and what is not there any more closes nothing later.
  const end = outagesOf(view.timeline, process).find(({ sent, exit }) => sent.atMs <= closed.atMs && closed.atMs <= exit.atMs + view.facts.marginMs);
  return end ? inconclusive(`a fault had ended ${process} ${before(end.sent)}`, evidence(end.sent)) : null;
};

/** A bound that is met by going down was not met, but for that of going down. */
const isTimeOut = (after: unknown): boolean => typeof after === 'object' && (after as { readonly bound: unknown }).bound !== 'shutdown';

const judgeRequests = ({ view, exchange, moment, span, open, all }: Case): Finding => {
  const last = all.at(-1);
  const judged = open.length > 0 || !last ? open : [last];
  if (judged.length === 0)
    return inconclusive(
      `upstream ${textOption(view.options, 'upstream')} never got ${exchange.client}'s request: nothing was open at ${moment.words}`,
    );
  return worstOf(
    judged.map((request) =>
      weigh({
        decide: () => judgeClosing(view, request, span),
        confirm: [
          () => (moment.leave || isTimeOut(view.options.after) ? stoppedBefore(view, request, moment) : null),
          () => (moment.leave ? controlAgrees(view, exchange, request) : null),
        ],
      }),
    ),
  );
};

const judgeClient = (view: View, client: string): Finding => {
  const found = caseOf(view, client);
  if (isFinding(found)) return found;
  const { exchange, moment, span, all } = found;
  const finding = weigh({
    premises: [() => everyFaultFired(view), () => leaveArrives(view, exchange, moment)],
    wrong: [() => firstFinding(all, (request) => wentOn(view, request, span)), () => wasAskedAgain(found)],
    guards: [() => pathWorks(view), () => clockIsExact(view), () => wasStreaming(exchange, moment)],
    decide: () => judgeRequests(found),
    confirm: [() => wasAskedLate(found), () => wasRetriedOpen(found), () => isWhole(view)],
  });
  return noting(finding, withheldNote(view, exchange));
};

const clientsOf = (view: View): readonly string[] =>
  typeof view.options.client === 'string' ? [view.options.client] : clientsAt(view, view.options.after);

const judgeAll = (view: View): Finding => {
  const clients = clientsOf(view);
  return clients.length > 0 ? worstOf(clients.map((name) => judgeClient(view, name))) : inconclusive('no exchange was planned');
};

/** Without the control, which settling does not have and cannot wait for. */
const waitsFor = (view: View, client: string): string | null => {
  const found = caseOf(view, client);
  if (isFinding(found)) return found.reason;
  return stillWaiting(judgeRequests({ ...found, moment: { ...found.moment, leave: null } }), view.endMs, found.span.lateMs);
};

export const definition: ExpectationDefinition = {
  kind: 'upstream-closed',
  about: 'After the mark and within the limit the upstream sees the system close the exchange, and the system lets go of its own end.',
  fields: {
    options: {
      upstream: { type: 'upstream', about: 'Where the exchange is open.' },
      after: { type: 'after', about: 'The mark of the leave, or a bound that is due.' },
      within: { type: 'duration', about: 'How long it may take.' },
      client: { type: 'client', about: 'Whose exchange; otherwise of everybody whose mark it is.', optional: true },
    },
  },
  example: { upstream: 'model', after: 'gone', within: '2s' },
  usesControl: true,
  notApplicable: (facts, options) => leaveDoesNotApply(facts, options) ?? drainDoesNotApply(facts, options),
  explain: (facts, { upstream, after, within }) => ({
    needs: [
      `the exchange seen open at upstream ${String(upstream)} ${openWords(facts, after)}`,
      "the system's own end of that connection seen in the table of sockets",
    ],
    violatedIf: [
      `the exchange is still open ${limitWords(facts, after, within)}`,
      'the upstream saw a close, but the system keeps its own end (half-closed)',
      `after ${momentWords(facts, after)} a request with the same marker comes to any upstream: still working for the gone`,
    ],
    inconclusiveIf: [
      'the upstream never got the request, or had ended the exchange itself',
      ...(typeof after === 'string' && facts.leaves.some(({ mark, how }) => mark === after && how !== 'vanish')
        ? ["the control's exchange, whose client stays, closes by itself at the same age: the system's own time-out"]
        : []),
      ...leaveDoubts(facts, after),
      ...lagDoubts(facts),
      ...RECORD_DOUBTS,
    ],
  }),
  pending: (input) => {
    const view = viewOf(input, 'watch');
    return (
      clientsOf(view)
        .map((client) => waitsFor(view, client))
        .find((reason) => reason !== null) ?? null
    );
  },
  judge: (input) => judgeAll(viewOf(input, 'watch')),
};
