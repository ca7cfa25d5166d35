// No wait is for ever: within a declared bound the client is told, the upstream closed and the money
// settled. Each part is judged by itself, and the worst is the verdict.
import type { Exchange } from '../model/exchanges.ts';
import type { BoundName } from '../model/facts.ts';
import { textOption } from '../model/fields.ts';
import { refOf } from '../model/observation.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { judgeClosing, wentOn } from './parts/closing.ts';
import type { Span } from './parts/closing.ts';
import { endsOf, isOwned, lettingOf } from './parts/ends.ts';
import { lagDoubts, limitWords, openWords, RECORD_DOUBTS } from './parts/explaining.ts';
import { firstFinding, held, inconclusive, isFinding, noting, stillWaiting, violated, weigh, worstOf } from './parts/finding.ts';
import { instanceOf } from './parts/instances.ts';
import { noLedger } from './parts/ledger.ts';
import { momentOf } from './parts/moment.ts';
import { unlessOrphaned } from './parts/occasion.ts';
import { outagesOf } from './parts/outage.ts';
import { ledgerSpanOf, spanOf } from './parts/span.ts';
import { stopSignal } from './parts/stopping.ts';
import { isDeaf, subjectOf, withheldNote } from './parts/subject.ts';
import { activeTracks, judgeTracks, wasActiveAt } from './parts/terminal.ts';
import { clientProcesses, clockIsExact, everyFaultFired, nobodyLagged, pathWorks, systemLived, watchersAreSound } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { since } from './parts/words.ts';

type Case = { readonly view: View; readonly exchange: Exchange; readonly span: Span };

const caseOf = (view: View): Case | Finding => {
  const exchange = subjectOf(view, textOption(view.options, 'client'));
  if (isFinding(exchange)) return exchange;
  const moment = momentOf(view, { bound: view.options.bound }, exchange);
  if (isFinding(moment)) return moment;
  return { view, exchange, span: spanOf(view, moment, 0, view.options.within as number | undefined) };
};

const isAskedAt =
  (view: View) =>
  ({ name }: { readonly name: string }): boolean =>
    view.options.upstream === undefined || view.options.upstream === name;

/** A client that does not read, or whose address is gone, is told by the system's letting go of its leg. */
const deafToldOf = ({ view, exchange, span }: Case): Finding => {
  const { client, connected } = exchange;
  if (!connected) return inconclusive(`${client} never connected`);
  const ends = endsOf(view.timeline, connected);
  const letting = lettingOf(ends, span.openAtMs, span.dueMs, span.lateMs);
  const first = ends[ends.findLastIndex(isOwned) + 1];
  switch (letting.state) {
    case 'gone':
      if (first && first.reading.atMs <= span.earlyMs)
        return inconclusive(
          `the system had let go of ${client} by ${since(first.reading.atMs - span.atMs, span.words)}: something else ended it`,
          [first.reading.ref],
        );
      return held(`the system let go of ${client}, who does not read, by ${since(letting.end.reading.atMs - span.atMs, span.words)}`, [
        letting.end.reading.ref,
      ]);
    case 'owned':
      return violated(
        `the system still holds the connection of ${client}, who does not read, ${since(letting.end.reading.atMs - span.atMs, span.words)}`,
        [letting.end.reading.ref],
        { interval: { fromMs: span.dueMs, toMs: letting.end.reading.atMs } },
      );
    case 'unseen':
      return inconclusive(`probe sockets had never seen the system's end of ${client}'s connection`);
    case 'unsampled':
      return inconclusive(`probe sockets has no sample that shows in time whether the system let go of ${client}`);
  }
};

/** What was over before the signal did not wait for it. Elsewhere the bound begins with what is still to come. */
const isShutdown = ({ view }: Case): boolean => view.options.bound === 'shutdown';

/** A client that has gone by its own doing need not be told, nor one that was told before. */
const toldOf = (found: Case): readonly Finding[] => {
  const { view, exchange, span } = found;
  const { client, ended, left } = exchange;
  if (isDeaf(view, exchange, span.dueMs)) return [deafToldOf(found)];
  if (left && left.how !== 'half-close' && left.atMs <= span.dueMs) return [];
  if (isShutdown(found) && ended && ended.atMs <= span.openAtMs) return [];
  return [
    weigh({
      guards: [() => watchersAreSound(view.timeline, clientProcesses(client), span.lateMs)],
      decide: () => {
        const toldMs = ended?.atMs ?? view.endMs;
        if (ended && toldMs < span.earlyMs)
          return inconclusive(`${client} was told ${since(toldMs - span.atMs, span.words)}: something else ended it`, [refOf(ended)]);
        if (ended && toldMs <= span.dueMs)
          return held(`${client} was told (${ended.errorEvent ?? ended.how}) ${since(toldMs - span.atMs, span.words)}`, [refOf(ended)]);
        if (toldMs <= span.lateMs)
          return inconclusive(`${client} had not been told ${formatMs(toldMs - span.atMs)} after ${span.words}, which is too soon to say`);
        const evidence = ended ? [refOf(ended)] : [refOf(exchange.planned)];
        return violated(`${client} was told ${ended ? 'only' : 'nothing'} ${formatMs(toldMs - span.atMs)} after ${span.words}`, evidence, {
          interval: { fromMs: span.dueMs, toMs: toldMs },
        });
      },
    }),
  ];
};

/** What the upstream has ended itself before the bound began need not be closed. */
const closedOf = ({ view, exchange, span }: Case): readonly Finding[] => {
  const requests = exchange.upstreams.filter(isAskedAt(view));
  if (requests.length === 0) return [inconclusive(`no upstream got ${exchange.client}'s request: nothing waited`)];
  return requests
    .filter(({ ended, closed }) => Math.min(ended?.atMs ?? Infinity, closed?.atMs ?? Infinity) > span.openAtMs)
    .map((request) => judgeClosing(view, request, { ...span, openAtMs: Math.max(span.openAtMs, request.received.atMs) }));
};

/** Money that nobody holds need not be settled. */
const settledOf = (found: Case): readonly Finding[] => {
  const { view, exchange, span } = found;
  if (noLedger(view.facts, { client: exchange.client }) !== null) return [];
  const tracks = activeTracks(view, exchange, span.atMs);
  if (isFinding(tracks)) return [tracks];
  const waiting = isShutdown(found) ? tracks.filter((track) => wasActiveAt(track, span.openAtMs)) : tracks;
  if (isShutdown(found) && waiting.length === 0) return [];
  const settling = ledgerSpanOf(view, span);
  return [unlessOrphaned(view, judgeTracks(view, exchange, settling, waiting), exchange, instanceOf(view, exchange).process, settling.lateMs)];
};

const partsOf = (found: Case): readonly Finding[] => [...toldOf(found), ...closedOf(found), ...settledOf(found)];

/** What a fault's or our own signal ended was not ended by a bound, but for that of going down. */
const wasEndedBefore = (found: Case): Finding | null => {
  const { view, exchange, span } = found;
  const { process } = instanceOf(view, exchange);
  const deaf = isDeaf(view, exchange, span.dueMs) && exchange.connected ? endsOf(view.timeline, exchange.connected).findLast(isOwned)?.reading.atMs : undefined;
  const ends = [exchange.ended?.atMs, deaf, ...exchange.upstreams.filter(isAskedAt(view)).map(({ closed }) => closed?.atMs)];
  const lastMs = Math.max(...ends.map((ms) => (ms === undefined || ms > span.dueMs ? -Infinity : ms)));
  const stop = stopSignal(view, process);
  const outage = outagesOf(view.timeline, process).find(({ toMs }) => toMs >= span.openAtMs);
  const sent = [stop, outage?.sent].find((each) => each !== undefined && each.atMs <= lastMs);
  return sent && !isShutdown(found)
    ? inconclusive(`${process} had got ${sent.signal} ${formatMs(lastMs - sent.atMs)} before the last of it was over: not because of ${span.words}`, [refOf(sent)])
    : null;
};

const judgeParts = (found: Case): Finding => {
  const parts = partsOf(found);
  const worst = worstOf(parts.length > 0 ? parts : [inconclusive(`nothing was waited for at ${found.span.words}`)]);
  return worst.outcome === 'held'
    ? held(
        parts.map(({ reason }) => reason).join('; '),
        parts.flatMap(({ evidence }) => evidence),
      )
    : worst;
};

const judge = (view: View): Finding => {
  const found = caseOf(view);
  if (isFinding(found)) return found;
  const { exchange, span } = found;
  const requests = exchange.upstreams.filter(isAskedAt(view));
  const finding = weigh({
    premises: [() => everyFaultFired(view)],
    wrong: [() => firstFinding(requests, (request) => wentOn(view, request, span))],
    guards: [() => pathWorks(view), () => clockIsExact(view), () => systemLived(view, span.dueMs + view.facts.marginMs)],
    decide: () => judgeParts(found),
    excuse: [() => systemLived(view, span.lateMs)],
    confirm: [() => isWhole(view), () => wasEndedBefore(found), () => nobodyLagged(view.timeline, view.facts.marginMs, { fromMs: span.openAtMs, toMs: span.dueMs })],
  });
  return noting(finding, withheldNote(view, exchange));
};

export const definition: ExpectationDefinition = {
  kind: 'bounded-wait',
  about:
    'Counted from where the bound begins, within the bound the client is told, the upstream is closed and the reservations are terminal.',
  fields: {
    options: {
      bound: { type: 'bound', about: 'Which bound of the card.' },
      client: { type: 'client', about: 'Whose exchange waits.' },
      upstream: { type: 'upstream', about: 'Where it waits; otherwise wherever it was sent.', optional: true },
      within: { type: 'duration', about: 'Beyond the bound, in place of the margin of measuring.', optional: true },
    },
  },
  example: { bound: 'read', client: 'alice' },
  notApplicable: (facts, { bound }) =>
    facts.bounds[bound as BoundName] === undefined ? `the card declares no ${String(bound)} bound` : null,
  explain: (facts, { bound, client, within }) => ({
    needs: [
      `${String(client)}'s exchange seen open ${openWords(facts, { bound })}`,
      ...(noLedger(facts, { client }) === null ? ['its reservation seen active by then'] : []),
    ],
    violatedIf: [
      `by ${limitWords(facts, { bound }, 0, within as number | undefined)}, one of these has not happened: ` +
        `${String(client)} told (an error, an end, a reset), upstream closed` +
        (noLedger(facts, { client }) === null ? ', reservation terminal' : ''),
    ],
    inconclusiveIf: [
      'nothing waited: the bound never began to count',
      'something else ended it well before',
      ...lagDoubts(facts),
      ...RECORD_DOUBTS,
    ],
  }),
  pending: (input) => {
    const view = viewOf(input, input.options.bound === 'shutdown' ? 'stop' : 'watch');
    const found = caseOf(view);
    return isFinding(found) ? found.reason : stillWaiting(judgeParts(found), view.endMs, found.span.lateMs);
  },
  judge: (input) => judge(viewOf(input, input.options.bound === 'shutdown' ? 'stop' : 'watch')),
};
