// How often a request was sent upstream. Requests are counted, not connections; those that never
// carried one are counted apart.
import { attemptsOf, exchangesOf } from '../model/exchanges.ts';
import type { Exchange } from '../model/exchanges.ts';
import { instancesOf } from '../model/facts.ts';
import { textOption } from '../model/fields.ts';
import { refOf } from '../model/observation.ts';
import type { ObservationOf } from '../model/observation.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { lagDoubts, leaveDoubts, momentWords, RECORD_DOUBTS, whose } from './parts/explaining.ts';
import { firstFinding, held, inconclusive, isFinding, violated, weigh } from './parts/finding.ts';
import { instanceOf } from './parts/instances.ts';
import { exchangeAt, momentOf } from './parts/moment.ts';
import { outagesOf, pausesOf } from './parts/outage.ts';
import { faultEnded } from './parts/stopping.ts';
import { clientsAt, leaveArrives, leaveDoesNotApply } from './parts/subject.ts';
import { clockIsExact, everyFaultFired, nobodyLagged, pathWorks, slackMs, systemLived, watchersAreSound } from './parts/trust.ts';
import { isWhole, viewOf, withHindsight } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { count } from './parts/words.ts';

type Request = ObservationOf<'request-received'>;

/** `surely`: without those that may have been on their way, sent or heard of late for want of a processor. */
type Counted = { readonly exchange: Exchange; readonly requests: readonly Request[]; readonly surely: readonly Request[] };

const numberOf = (view: View, key: string): number | null => (view.options[key] as number | undefined) ?? null;

type Start = { readonly fromMs: number; readonly surelyMs: number };

/** From when requests count: after a leave, what can no longer have been on its way. */
const startOf = (view: View, exchange: Exchange): Start | Finding => {
  if (view.options.after === undefined) return { fromMs: -Infinity, surelyMs: -Infinity };
  const moment = momentOf(view, view.options.after, exchange);
  if (isFinding(moment)) return moment;
  const fromMs = moment.atMs + moment.lateMs + view.facts.marginMs;
  const slack = slackMs(view, { fromMs: moment.openAtMs, toMs: fromMs }, moment.process);
  return leaveArrives(view, exchange, moment) ?? { fromMs, surelyMs: fromMs + slack };
};

/** All that came with its marker: what the client itself sent twice is one thing to be asked for. */
const requestsOf = (view: View, exchange: Exchange, { fromMs, surelyMs }: Start): Counted => {
  const requests = attemptsOf(view.timeline, exchange)
    .flatMap(({ upstreams }) => upstreams)
    .filter(({ name, received }) => name === view.options.upstream && received.atMs > fromMs)
    .map(({ received }) => received);
  return { exchange, requests, surely: requests.filter(({ atMs }) => atMs > surelyMs) };
};

/** Who was ended or stopped by a fault, or starved, may have had no time to send what it was asked for. */
const couldNotSend = (view: View, exchange: Exchange): Finding | null => {
  const { facts, endMs } = view;
  const { client, written, ended } = exchange;
  if (!written) return null;
  const { process } = instanceOf(view, exchange);
  const slack = slackMs(withHindsight(view), { fromMs: written.atMs, toMs: written.atMs + facts.marginMs }, process);
  const outage = faultEnded(view, process, { fromMs: written.atMs, toMs: Math.min(ended?.atMs ?? Infinity, written.atMs + facts.marginMs + slack) });
  if (outage) return inconclusive(`a fault had ended ${process} by ${outage.sent.signal}, and perhaps before it had sent ${client}'s request`, [refOf(outage.sent)]);
  const hadMs = endMs - written.atMs;
  return hadMs <= facts.marginMs + slack
    ? inconclusive(`${client}'s request was written ${formatMs(hadMs)} before the end, and system or watchers were held up for ${formatMs(slack)} of that`, [refOf(written)])
    : null;
};

/** A process that a fault has ended forgets whom it was working for; one that stands still to the end asks nobody. */
const couldNotAsk = (view: View, exchange: Exchange): Finding | null => {
  const moment = view.options.after === undefined ? null : momentOf(view, view.options.after, exchange);
  if (moment === null || isFinding(moment) || !moment.leave) return null;
  const { process, atMs, words } = moment;
  const isOut = outagesOf(view.timeline, process).some(({ toMs }) => toMs >= atMs) || pausesOf(view.timeline, process).some(({ toMs }) => toMs >= view.endMs);
  return isOut ? inconclusive(`a fault had ended or stopped ${process}: whether it would have asked after ${words} is not known`) : null;
};

/** A system that was held up, or ended, just after it had opened one may have meant to send a request on it. */
const hadTime = (view: View, { atMs }: ObservationOf<'connection-opened'>): boolean => {
  const window = { fromMs: atMs, toMs: atMs + view.facts.marginMs };
  const wasEnded = instancesOf(view.facts).some(({ process }) => (faultEnded(view, process, window)?.sent.atMs ?? -Infinity) >= atMs);
  return window.toMs + slackMs(view, window) <= view.endMs && !wasEnded;
};

const bareConnections = (view: View, startMs: number): readonly ObservationOf<'connection-opened'>[] => {
  const actor = `upstream.${textOption(view.options, 'upstream')}`;
  const used = new Set(
    view.timeline
      .of('request-received')
      .filter((seen) => seen.actor === actor)
      .map(({ connection }) => connection),
  );
  // One that was opened just now may yet carry one.
  const endMs = view.endMs - view.facts.marginMs;
  return view.timeline
    .of('connection-opened')
    .filter((opened) => opened.actor === actor && opened.atMs > startMs && opened.atMs <= endMs && !used.has(opened.connection));
};

/** Those of the client, else of whoever left, else all; and where it is counted from a mark, what was asked by then. */
const isLeft = (view: View, all: readonly Exchange[], { client, planned }: Exchange): boolean => {
  const { client: only, after } = view.options;
  const last = exchangeAt(view, all, client, after);
  return (only === undefined ? clientsAt(view, after) : [only]).includes(client) && planned.atMs <= last!.planned.atMs;
};

type Tally = {
  readonly counted: readonly Counted[];
  readonly bare: readonly ObservationOf<'connection-opened'>[];
  readonly surelyBare: readonly ObservationOf<'connection-opened'>[];
};

const tallyOf = (view: View, exchanges: readonly Exchange[]): Tally | Finding => {
  const found = exchanges.map((exchange) => startOf(view, exchange));
  const missing = found.find(isFinding);
  if (missing) return missing;
  const starts = found as readonly Start[];
  // Of whom a connection is cannot be told, so they count from the first leave.
  const driveMs = view.timeline.phase('drive').beginMs ?? -Infinity;
  const bare = bareConnections(view, Math.max(Math.min(...starts.map(({ fromMs }) => fromMs)), driveMs));
  const surelyMs = Math.min(...starts.map((start) => start.surelyMs));
  return {
    counted: exchanges.map((exchange, index) => requestsOf(view, exchange, starts[index]!)),
    bare,
    surelyBare: bare.filter((opened) => opened.atMs > surelyMs && hadTime(view, opened)),
  };
};

const judge = (view: View): Finding => {
  const upstream = textOption(view.options, 'upstream');
  const all = exchangesOf(view.timeline).filter(({ planned }) => planned.repeat !== true);
  const exchanges = all.filter((exchange) => isLeft(view, all, exchange));
  const first = exchanges[0];
  if (!first) return inconclusive('no exchange was planned');
  const tally = tallyOf(view, exchanges);
  if (isFinding(tally)) return tally;
  const { counted, bare, surelyBare } = tally;
  const equals = numberOf(view, 'equals');
  const atMost = numberOf(view, 'at-most') ?? equals ?? Infinity;
  const bareAtMost = numberOf(view, 'bare-connections') ?? Infinity;
  const over = counted.find(({ surely }) => surely.length > atMost);
  const perhapsOver = counted.find(({ requests }) => requests.length > atMost);
  const isSent = ({ exchange }: Counted): boolean => attemptsOf(view.timeline, exchange).some(({ written }) => written);
  const short = counted.filter(({ requests }) => requests.length < (equals ?? 0));
  const sent = short.filter(isSent);
  const under = sent.find(({ exchange }) => couldNotSend(view, exchange) === null) ?? sent[0];
  const unsent = short.find((each) => !isSent(each));
  const say = ({ client }: Exchange, requests: readonly Request[]): string => `${client}'s request came ${count(requests.length, 'time')} to upstream ${upstream}`;
  const sayBare = (connections: Tally['bare']): string =>
    `${count(connections.length, 'connection')} to upstream ${upstream} never carried a request, at most ${bareAtMost} is right`;
  const doubt = 'system or watchers were held up meanwhile, or ended by a fault';
  return weigh({
    premises: [() => everyFaultFired(view)],
    wrong: [
      () =>
        over
          ? violated(`${say(over.exchange, over.surely)}, at most ${atMost} is right`, over.surely.map(refOf), {
              interval: { fromMs: over.surely[0]!.atMs, toMs: over.surely.at(-1)!.atMs },
            })
          : null,
      () => (surelyBare.length > bareAtMost ? violated(sayBare(surelyBare), surelyBare.map(refOf)) : null),
    ],
    guards: [
      () => pathWorks(view),
      () => clockIsExact(view),
      () => watchersAreSound(view.timeline, ['upstreams'], view.endMs),
      () => systemLived(view, view.endMs),
      () => isWhole(view),
      () => (counted.some(isSent) ? null : inconclusive('no request was written: there was nothing to send')),
      () => (unsent && !under ? inconclusive(`${unsent.exchange.client}'s request was never written`, [refOf(unsent.exchange.planned)]) : null),
    ],
    decide: () => {
      if (under) return violated(`${say(under.exchange, under.requests)}, ${equals} is right`, [refOf(under.exchange.planned)]);
      if (perhapsOver) return inconclusive(`${say(perhapsOver.exchange, perhapsOver.requests)}, but ${doubt}`, perhapsOver.requests.map(refOf));
      if (bare.length > bareAtMost) return inconclusive(`${sayBare(bare)}, but ${doubt}`, bare.map(refOf));
      const said = counted.map(({ exchange, requests }) => say(exchange, requests)).join('; ');
      return held(`${said}; ${count(bare.length, 'bare connection')}`, counted.flatMap(({ requests }) => requests.map(refOf)));
    },
    excuse: [() => (under ? couldNotSend(view, under.exchange) : null)],
    confirm: [() => firstFinding(exchanges, (exchange) => couldNotAsk(view, exchange)), () => nobodyLagged(view.timeline, view.facts.marginMs, { fromMs: first.planned.atMs, toMs: view.endMs })],
  });
};

export const definition: ExpectationDefinition = {
  kind: 'request-count',
  about: 'How often the request came to the upstream; connections that never carried one are counted apart.',
  fields: {
    options: {
      upstream: { type: 'upstream', about: 'Where it is counted.' },
      client: { type: 'client', about: 'Whose requests; otherwise those of each client, and after a leave of everybody whose mark it is.', optional: true },
      equals: { type: 'integer', about: 'Exactly this often.', optional: true, minimum: 0 },
      'at-most': { type: 'integer', about: 'No more often than this.', optional: true, minimum: 0 },
      after: { type: 'after', about: 'Only those that came after it.', optional: true },
      'bare-connections': {
        type: 'at-most',
        about: 'At most so many connections that never carried a request.',
        optional: true,
      },
    },
  },
  example: { upstream: 'model', client: 'alice', 'at-most': 0, after: 'gone' },
  withoutSystem: true,
  notApplicable: leaveDoesNotApply,
  explain: (facts, { equals, 'at-most': atMost, 'bare-connections': bare, after, upstream, client }) => ({
    needs: [`a request written by ${typeof client === 'string' ? client : 'a client'}`],
    violatedIf: [
      ...(equals === undefined && atMost === undefined
        ? []
        : [
            `${whose({ client })} request comes ${equals === undefined ? `more than ${String(atMost)}` : `not exactly ${String(equals)}`} times ` +
              `to upstream ${String(upstream)}${after === undefined ? '' : `, later than what was on its way at ${momentWords(facts, after)}`}`,
          ]),
      ...(bare === undefined ? [] : [`more than ${String(bare)} connections to upstream ${String(upstream)} never carry a request`]),
    ],
    inconclusiveIf: [...leaveDoubts(facts, after), ...lagDoubts(facts), ...RECORD_DOUBTS],
  }),
  judge: (input) => judge(viewOf(input, 'watch')),
};
