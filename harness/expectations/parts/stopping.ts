// The order to stop: the harness's own at the end, or the scenario's fault where that is what is tested.
import type { ObservationOf } from '../../model/observation.ts';
import type { View } from './view.ts';

/** The first signal that told the main process to stop. */
export const stopSignal = ({ timeline, facts }: Pick<View, 'timeline' | 'facts'>): ObservationOf<'signal-sent'> | undefined => {
  const markMs = facts.stopsAt === null ? undefined : (timeline.mark(facts.stopsAt)?.atMs ?? Infinity);
  return timeline
    .of('signal-sent')
    .find(
      (sent) =>
        sent.process === facts.system.main &&
        (sent.purpose === 'stop' || (sent.purpose === 'fault' && markMs !== undefined && sent.atMs >= markMs)),
    );
};
