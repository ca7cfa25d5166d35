// Whether a sibling's client goes on receiving until the end of the watch.
import type { Exchange } from '../../model/exchanges.ts';
import { growthsOf } from '../../model/exchanges.ts';
import { refOf } from '../../model/observation.ts';
import type { ObservationOf } from '../../model/observation.ts';
import { formatMs } from '../../model/time.ts';
import type { Finding } from '../../model/verdict.ts';
import { held, inconclusive, violated } from './finding.ts';
import { instanceOf } from './instances.ts';
import { endingOf, paceOf, usualPaceOf } from './liveness.ts';
import { isDeaf } from './subject.ts';
import { nobodyLagged, slackMs } from './trust.ts';
import { withHindsight } from './view.ts';
import type { View } from './view.ts';
import { at, count } from './words.ts';

/** A pause this much longer than any before is one in which nothing more comes. */
const PACE_FACTOR = 2;

/** Its upstream wrote after that, or wanted to and could not: that nothing comes is the system's doing. */
const hadMore = (view: View, { upstreams }: Exchange, last: ObservationOf<'received'>): boolean =>
  upstreams.some(({ progress, received }) => {
    const turn = view.timeline.all.findLast(
      (seen) => (seen.type === 'write-blocked' || seen.type === 'write-drained') && seen.actor === received.actor && seen.exchange === received.exchange,
    );
    return turn?.type === 'write-blocked' || growthsOf(progress).some(({ atMs, events }) => atMs > last.atMs && events > last.events);
  });

/** The stream of an exchange that nobody was to touch. */
export const judgeStream = (view: View, exchange: Exchange): Finding => {
  const { client } = exchange;
  const watchMs = view.timeline.phase('watch').beginMs ?? view.endMs;
  const got = growthsOf(exchange.received);
  const before = got.filter(({ atMs }) => atMs <= watchMs);
  const last = got.at(-1);
  const ending = endingOf(exchange);
  if (ending?.by === 'system' && last)
    return violated(`${client}'s stream was cut: ${ending.words} ${at(ending.atMs)}`, [refOf(last), ending.ref], {
      interval: { fromMs: ending.atMs, toMs: view.endMs },
    });
  if (ending) return inconclusive(`${client} was no sibling to the end: ${ending.words} ${at(ending.atMs)}`, [ending.ref]);
  if (!last || before.length < 2) return inconclusive(`${client} had not received two data events when the watch began: it was no live sibling`);
  if (isDeaf(view, exchange, view.endMs)) return inconclusive(`${client} does not read: whether anything comes is not known`);
  const quietMs = view.endMs - last.atMs;
  const allowedMs = Math.max(PACE_FACTOR * usualPaceOf(exchange), view.facts.marginMs);
  const said = `${client} got ${count(last.events, 'event')}, the last ${formatMs(quietMs)} before the end of the watch`;
  if (quietMs <= allowedMs) return held(said, [refOf(last)]);
  if (!hadMore(view, exchange, last)) return inconclusive(`${said}, but its upstream wrote nothing more`, [refOf(last)]);
  if (quietMs <= PACE_FACTOR * paceOf(exchange)) return inconclusive(`${said}; it had waited ${formatMs(paceOf(exchange))} before, once`, [refOf(last)]);
  const lagged = nobodyLagged(view.whole, view.facts.marginMs, { fromMs: last.atMs, toMs: view.endMs });
  if (lagged) return lagged;
  // As much later as it was held up it may yet come.
  const slack = slackMs(withHindsight(view), { fromMs: last.atMs, toMs: last.atMs + allowedMs }, instanceOf(view, exchange).process);
  if (quietMs <= allowedMs + slack) return inconclusive(`${said}, but system or watchers were held up for ${formatMs(slack)} of that`, [refOf(last)]);
  return violated(`${client} receives nothing more: ${said}`, [refOf(last)], { interval: { fromMs: last.atMs, toMs: view.endMs } });
};
