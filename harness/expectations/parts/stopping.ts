// The order to stop: the harness's own at the end, or the scenario's fault where that is what is tested.
import type { ObservationOf } from '../../model/observation.ts';
import type { Gap } from '../../model/readings.ts';
import { outagesOf } from './outage.ts';
import type { Outage } from './outage.ts';
import type { View } from './view.ts';

/** The first signal that told a process to stop; the first instance's unless another is named. */
export const stopSignal = (
  { timeline, facts }: Pick<View, 'timeline' | 'facts'>,
  process = facts.system.main,
): ObservationOf<'signal-sent'> | undefined => {
  const markMs = facts.stopsAt === null ? undefined : (timeline.mark(facts.stopsAt)?.atMs ?? Infinity);
  return timeline
    .of('signal-sent')
    .find(
      (sent) =>
        sent.process === process &&
        (sent.purpose === 'stop' ||
          (process === facts.system.main && sent.purpose === 'fault' && markMs !== undefined && sent.atMs >= markMs)),
    );
};

/** The last time within the window that a fault had ended a process; that the scenario stops it is what it tests, and no such fault. */
export const faultEnded = (view: Pick<View, 'timeline' | 'facts'>, process: string, { fromMs, toMs }: Gap): Outage | undefined =>
  outagesOf(view.timeline, process).findLast((outage) => outage.toMs >= fromMs && outage.sent.atMs <= toMs && outage.sent !== stopSignal(view, process));
