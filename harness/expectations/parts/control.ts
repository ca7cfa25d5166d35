// The control: the same exchange with a client that stays. What closes there by itself at the same
// age closes here by itself too, and is not because of the leave.
import type { Exchange, Upstream } from '../../model/exchanges.ts';
import { exchangesOf } from '../../model/exchanges.ts';
import { refOf } from '../../model/observation.ts';
import { formatMs } from '../../model/time.ts';
import type { Timeline } from '../../model/timeline.ts';
import type { Finding } from '../../model/verdict.ts';
import { inconclusive } from './finding.ts';
import { pathShows } from './path.ts';
import { clientProcesses, nobodyLagged, ownDeath, watchersAreSound } from './trust.ts';
import type { View } from './view.ts';

const isTearingDown = (seen: Timeline['all'][number]): boolean =>
  (seen.type === 'signal-sent' && seen.purpose !== 'fault') ||
  seen.type === 'scope-closed' ||
  (seen.type === 'phase' && (seen.phase === 'stop' || seen.phase === 'seal'));

/** Until when the control's exchange was left alone. */
const watchedUntil = (control: Timeline): number => (control.all.find(isTearingDown) ?? control.all.at(-1))?.atMs ?? 0;

/** The request that stands for this one: same client, same turn, same upstream, same attempt. */
const twinOf = (view: View, control: Timeline, exchange: Exchange, request: Upstream): Upstream | undefined => {
  const turnsOf = (timeline: Timeline): readonly Exchange[] => exchangesOf(timeline).filter(({ client }) => client === exchange.client);
  const turn = turnsOf(view.timeline).findIndex(({ marker }) => marker === exchange.marker);
  const attempts = (of: Exchange | undefined): readonly Upstream[] => of?.upstreams.filter(({ name }) => name === request.name) ?? [];
  const attempt = attempts(exchange).findIndex(({ received }) => received.exchange === request.received.exchange);
  return attempts(turnsOf(control)[turn])[attempt];
};

/** It never got there, or was not asked as often: a retry of a busy hour has nothing to be compared with. */
const withoutTwin = (control: Timeline, { client }: Exchange, { name }: Upstream): Finding => {
  const asked = exchangesOf(control).some((each) => each.client === client && each.upstreams.some((upstream) => upstream.name === name));
  return inconclusive(
    asked ? `the control has no such request: its client stayed, and upstream ${name} was asked less often` : `the control's exchange never reached upstream ${name}`,
  );
};

/** Objects where the control does not show that the close was because of the leave. */
export const controlAgrees = (view: View, exchange: Exchange, request: Upstream): Finding | null => {
  const { control, facts } = view;
  const closedMs = request.closed!.atMs;
  const ageMs = closedMs - request.received.atMs;
  if (!control)
    return inconclusive(`no control was run: whether a client that stays sees the same close after ${formatMs(ageMs)} is not known`);
  const twin = twinOf(view, control, exchange, request);
  if (!twin) return withoutTwin(control, exchange, request);
  const aged = ({ atMs }: { readonly atMs: number }): string => formatMs(atMs - twin.received.atMs);
  const evidence = [refOf(request.received), refOf(request.closed!)];
  const neededMs = ageMs + facts.marginMs;
  const untilMs = twin.received.atMs + neededMs;
  // Of a client whose process broke nobody can say that it stayed.
  const broke = watchersAreSound(control, ['upstreams', ...clientProcesses(exchange.client)], untilMs);
  if (broke) return inconclusive(`the control: ${broke.reason}`);
  if (twin.closed && twin.closed.atMs <= untilMs) {
    return inconclusive(
      `the system's own time-out: for a client that stayed it closed the exchange at the age of ${aged(twin.closed)}, here at ${formatMs(ageMs)}`,
      evidence,
    );
  }
  if (twin.ended && twin.ended.atMs <= untilMs)
    return inconclusive(`the control's exchange was ended by its upstream at the age of ${aged(twin.ended)}`);
  const death = ownDeath({ timeline: control, facts });
  if (death && death.atMs <= untilMs) return inconclusive(`the control's system died by itself at the exchange's age of ${aged(death)}`);
  const watchedMs = watchedUntil(control) - twin.received.atMs;
  if (watchedMs < neededMs)
    return inconclusive(`the control was watched to the age of ${formatMs(watchedMs)} only, ${formatMs(neededMs)} are needed`);
  const doubt = pathShows(control, 'upstream', ['fin', 'rst']) ?? nobodyLagged(control, facts.marginMs, { fromMs: twin.received.atMs, toMs: untilMs });
  // What it refers to is in the control's record, where nobody looks for evidence.
  return doubt ? inconclusive(`the control: ${doubt.reason}`) : null;
};
