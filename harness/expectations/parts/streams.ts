// How one answer came to its end at the client, beside what its upstream did.
import type { Exchange } from '../../model/exchanges.ts';
import { exchangesOf } from '../../model/exchanges.ts';
import { refOf } from '../../model/observation.ts';
import type { ObservationOf } from '../../model/observation.ts';
import { formatMs } from '../../model/time.ts';
import type { Finding } from '../../model/verdict.ts';
import { inconclusive, isFinding, noting, violated, weigh, worstOf } from './finding.ts';
import { instanceOf } from './instances.ts';
import { faultEnded } from './stopping.ts';
import { isDeaf, withheldNote } from './subject.ts';
import { clientProcesses, everyFaultFired, nobodyLagged, pathWorks, slackMs, systemLived, watchersAreSound } from './trust.ts';
import { isWhole, withHindsight } from './view.ts';
import type { View } from './view.ts';

export type Ending = {
  readonly exchange: Exchange;
  readonly end: ObservationOf<'response-ended'>;
  /** Everything that its upstream wrote by its own script has come, with the end mark. */
  readonly isWhole: boolean;
  readonly evidence: readonly string[];
  /** What came, for the line. */
  readonly words: string;
};

const endingOf = (exchange: Exchange, end: ObservationOf<'response-ended'>): Ending => {
  const upstream = exchange.upstreams.at(-1);
  const mark = end.endMark ? 'the end mark' : 'no end mark';
  const how = end.errorEvent === null ? `the end (${end.how})` : `an error (${end.errorEvent})`;
  const written = upstream?.ended?.how === 'complete' ? upstream.ended : undefined;
  return {
    exchange,
    end,
    isWhole: end.how === 'complete' && end.endMark && end.errorEvent === null && written !== undefined && end.events === written.events,
    evidence: [refOf(end), ...(upstream?.ended ? [refOf(upstream.ended)] : [])],
    words: `${exchange.client} got ${end.events} of ${upstream?.ended?.events ?? 'unknown'} events, ${mark}, and ${how}`,
  };
};

/** Why there is no end to judge. */
const withoutEnd = (view: View, exchange: Exchange): Finding => {
  const { client, left, planned } = exchange;
  const over = exchange.upstreams.at(-1);
  const overMs = Math.min(over?.ended?.atMs ?? Infinity, over?.closed?.atMs ?? Infinity);
  if (left) return inconclusive(`${client} left before the answer had ended`, [refOf(left)]);
  if (!over) return inconclusive(`no upstream got ${client}'s request: there was no stream`, [refOf(planned)]);
  if (isDeaf(view, exchange, view.endMs)) return inconclusive(`${client} does not read: whether its answer has ended is not known`);
  const window = { fromMs: overMs, toMs: overMs + view.facts.marginMs };
  if (window.toMs > view.endMs) return inconclusive(`the answer to ${client} has not ended, and neither had its upstream`);
  const slack = slackMs(withHindsight(view), window, instanceOf(view, exchange).process);
  if (window.toMs + slack > view.endMs)
    return inconclusive(`${client} was told nothing in ${formatMs(view.endMs - overMs)} since the upstream exchange was over, but system or watchers were held up for ${formatMs(slack)}`);
  return violated(
    `${client} was told nothing in ${formatMs(view.endMs - overMs)} since the upstream exchange was over`,
    [refOf(over.ended ?? over.closed!)],
    { interval: { fromMs: overMs, toMs: view.endMs } },
  );
};

/** Nobody finishes, or tells of an error, who is killed in the middle of it. That a cut answer looks whole is no doing of a kill. */
const unlessKilled = (view: View, { exchange, end }: Ending, finding: Finding): Finding => {
  const { process } = instanceOf(view, exchange);
  const outage = faultEnded(view, process, { fromMs: exchange.planned.atMs, toMs: end.atMs });
  if (finding.outcome !== 'violated' || end.endMark || !outage || outage.sent.signal !== 'SIGKILL') return finding;
  return inconclusive(`a fault had ended ${process} by SIGKILL before the answer to ${exchange.client} ended: ${finding.reason}`, [refOf(outage.sent), refOf(end)]);
};

const exchangesFor = (view: View): readonly Exchange[] => {
  const { client } = view.options;
  const all = exchangesOf(view.timeline);
  return typeof client === 'string' ? all.filter((exchange) => exchange.client === client).slice(-1) : all;
};

const judgeOne = (view: View, exchange: Exchange, decide: (ending: Ending) => Finding): Finding => {
  const end = exchange.ended ? endingOf(exchange, exchange.ended) : withoutEnd(view, exchange);
  const judged = isFinding(end) ? end : unlessKilled(view, end, decide(end));
  const withheld = withheldNote(view, exchange);
  const finding = weigh({
    premises: [() => everyFaultFired(view)],
    wrong: [() => (!isFinding(end) && judged.outcome === 'violated' ? judged : null)],
    guards: [
      () => pathWorks(view),
      () => watchersAreSound(view.timeline, ['upstreams', ...clientProcesses(exchange.client)], view.endMs),
      () => systemLived(view, view.endMs),
      () => (withheld === null ? null : inconclusive('claims about streaming do not apply')),
    ],
    decide: () => judged,
    confirm: [
      () => isWhole(view),
      () => nobodyLagged(view.timeline, view.facts.marginMs, { fromMs: exchange.planned.atMs, toMs: exchange.ended!.atMs }),
    ],
  });
  return noting(finding, withheld);
};

/** Judges the client's stream, or that of every client. */
export const judgeStreams = (view: View, decide: (ending: Ending) => Finding): Finding => {
  const exchanges = exchangesFor(view);
  return exchanges.length > 0
    ? worstOf(exchanges.map((exchange) => judgeOne(view, exchange, decide)))
    : inconclusive('no exchange was planned');
};

/** What settling waits for. */
export const unendedStream = (view: View): string | null => {
  const open = exchangesFor(view).find(({ ended, left }) => !ended && !left);
  return open ? `the answer to ${open.client} has not ended` : null;
};
