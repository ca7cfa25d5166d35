// Whether the system let go of one upstream exchange in time: the upstream saw its FIN or RST, and the
// system's own end is gone. What the upstream did by itself is never to the system's credit.
import type { Upstream } from '../../model/exchanges.ts';
import { totalsAfter } from '../../model/exchanges.ts';
import { refOf } from '../../model/observation.ts';
import { formatMs } from '../../model/time.ts';
import type { Finding } from '../../model/verdict.ts';
import { endsOf, isOwned, lettingOf } from './ends.ts';
import { held, inconclusive, violated, weigh } from './finding.ts';
import { pathShows } from './path.ts';
import { nobodyLagged, systemLived, watchersAreSound } from './trust.ts';
import type { View } from './view.ts';
import { at, count, formatBytes, since } from './words.ts';

export type Span = {
  /** When it must have been seen open, and when its limit began. */
  readonly openAtMs: number;
  readonly atMs: number;
  /** What ended before this was ended by something else. */
  readonly earlyMs: number;
  /** Limit and margin are over. */
  readonly dueMs: number;
  /** Not before this is "too late" said: the limit, and what may have delayed system or watchers. */
  readonly lateMs: number;
  readonly words: string;
};

const nameOf = (request: Upstream): string => `upstream exchange ${request.received.exchange}`;

const totalOf = (request: Upstream): { readonly events: number; readonly bytes: number } =>
  request.progress.at(-1) ?? { events: 0, bytes: 0 };

/**
 * What it took after that time, as people count: events, else bytes.
 * @param isOver its end has gone with the close: what the upstream wrote after that went to nobody
 */
export const takenAfter = (request: Upstream, ms: number, isOver = false): string => {
  const before = request.progress.findLast((progress) => progress.atMs <= ms) ?? { events: 0, bytes: 0 };
  const { events, bytes } = isOver && request.closed ? request.closed : totalOf(request);
  if (events > before.events || bytes === before.bytes) return count(events - before.events, 'more event');
  return `${formatBytes(bytes - before.bytes)} more`;
};

const stillOpen = (request: Upstream, span: Span, untilMs: number, evidence: readonly string[], what = 'still open'): Finding =>
  violated(
    `${nameOf(request)} was ${what} ${formatMs(untilMs - span.atMs)} after ${span.words} and took ${takenAfter(request, span.atMs, what === 'still open')}`,
    evidence,
    { interval: { fromMs: span.dueMs, toMs: untilMs } },
  );

/** It went on taking bytes when it should long have been over: no watcher can have imagined that. */
export const wentOn = (view: View, request: Upstream, span: Span): Finding | null => {
  const atLate = totalsAfter(request.progress, span.lateMs);
  const later = request.progress.findLast(({ atMs, bytes }) => atMs > span.lateMs && bytes > atLate.bytes);
  if (!later || request.received.atMs > span.openAtMs) return null;
  const isHalf = request.closed !== undefined && request.closed.atMs <= span.lateMs;
  return stillOpen(
    request,
    span,
    isHalf ? later.atMs : (request.closed?.atMs ?? view.endMs),
    [refOf(request.received), refOf(later)],
    isHalf ? 'only half-closed' : 'still open',
  );
};

/** It was there at the moment, and ended neither before it nor by the upstream's own doing. */
const wasOpen = (request: Upstream, span: Span): Finding | null => {
  const { received, closed, ended } = request;
  if (received.atMs > span.openAtMs) {
    const late = formatMs(received.atMs - span.openAtMs);
    return inconclusive(`${nameOf(request)} was not open at ${span.words}: it came ${late} later`, [refOf(received)]);
  }
  const endedItself = ended && ended.by !== 'peer' && ended.atMs <= (closed?.atMs ?? Infinity) && ended.atMs <= span.lateMs;
  if (endedItself) {
    const who = ended.by === 'fault' ? 'a fault' : 'its own script';
    const when = since(ended.atMs - span.atMs, span.words);
    return inconclusive(`${nameOf(request)} was ended by ${who} ${when}, not by the system`, [refOf(ended)]);
  }
  if (!closed || closed.atMs > span.openAtMs) return null;
  const when = since(closed.atMs - span.atMs, span.words);
  return inconclusive(`${nameOf(request)} was not open at ${span.words}: the system closed it ${when}`, [refOf(closed)]);
};

const letGo = (view: View, request: Upstream, span: Span, closedMs: number, evidence: readonly string[]): Finding => {
  const when = since(closedMs - span.atMs, span.words);
  const how = request.closed!.type === 'peer-closed' ? request.closed!.how.toUpperCase() : 'RST';
  const said = `${nameOf(request)} was closed by ${how} ${when}`;
  if (!request.opened) return inconclusive(`${said}, but its connection is not on record`, evidence);
  const letting = lettingOf(endsOf(view.timeline, request.opened), closedMs, span.dueMs, span.lateMs);
  switch (letting.state) {
    case 'gone':
      return held(`${said} and took ${takenAfter(request, span.atMs, true)}`, [...evidence, letting.end.reading.ref]);
    case 'owned':
      return violated(
        `${nameOf(request)} is half-closed: ${how} came ${when}, but the system still owns its end (${letting.end.row!.state}) and took ${takenAfter(request, span.atMs)}`,
        [...evidence, letting.end.reading.ref],
        { interval: { fromMs: closedMs, toMs: letting.end.reading.atMs } },
      );
    case 'unseen':
      return inconclusive(`${said}, but probe sockets had never seen the system's end of it`, evidence);
    case 'unsampled':
      return inconclusive(`${said}, but probe sockets has no sample that shows the system's end in time`, evidence);
  }
};

const decide = (view: View, request: Upstream, span: Span): Finding => {
  const { closed, ended } = request;
  const evidence = [refOf(request.received), ...(closed ? [refOf(closed)] : [])];
  if (closed && closed.atMs <= span.dueMs) return letGo(view, request, span, closed.atMs, evidence);
  const untilMs = closed?.atMs ?? ended?.atMs ?? view.endMs;
  if (untilMs <= span.lateMs) {
    const what =
      untilMs > span.dueMs
        ? 'system or watchers were kept from the processor for as long as it is late'
        : `the record ends ${at(view.endMs)}, before its limit`;
    return inconclusive(`${nameOf(request)} was open ${formatMs(untilMs - span.atMs)} after ${span.words}, but ${what}`, evidence);
  }
  if (!closed && request.opened) {
    const ends = endsOf(view.timeline, request.opened);
    const gone = ends.find((end) => end.reading.beganMs >= span.openAtMs && end.reading.atMs <= untilMs && !isOwned(end));
    if (gone && ends.some(isOwned))
      return inconclusive(`path hides closes: the system let go of ${nameOf(request)}, but the upstream saw no close`, [
        ...evidence,
        gone.reading.ref,
      ]);
  }
  if (closed) {
    return violated(
      `${nameOf(request)} was closed only ${since(closed.atMs - span.atMs, span.words)} and took ${takenAfter(request, span.atMs, true)}`,
      evidence,
      { interval: { fromMs: span.dueMs, toMs: closed.atMs } },
    );
  }
  return stillOpen(request, span, untilMs, evidence);
};

/** Judges one request at one upstream; `wentOn` has been asked before, with what else was plainly wrong. */
export const judgeClosing = (view: View, request: Upstream, span: Span): Finding => {
  const untilMs = request.closed?.atMs ?? view.endMs;
  return weigh({
    guards: [
      () => watchersAreSound(view.timeline, ['upstreams'], view.endMs),
      () => pathShows(view.timeline, 'upstream', ['fin', 'rst']),
      () => wasOpen(request, span),
      // The kernel closes a dying system's sockets before anyone can be told that it has died.
      () => systemLived(view, Math.min(untilMs, span.lateMs) + view.facts.marginMs),
    ],
    decide: () => decide(view, request, span),
    confirm: [() => nobodyLagged(view.timeline, view.facts.marginMs, { fromMs: span.openAtMs, toMs: untilMs })],
  });
};
