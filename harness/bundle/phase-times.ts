// Wall time of each phase, from the timeline itself.
import type { Timeline } from '../model/timeline.ts';
import { toMicroseconds } from '../model/time.ts';

/** A phase without an end was cut off: it lasted to the last observation. */
export const phaseTimes = (timeline: Timeline): Readonly<Record<string, number>> => {
  const lastMs = timeline.all.at(-1)?.atMs ?? 0;
  const names = [...new Set(timeline.of('phase').map((phase) => phase.phase))];
  return Object.fromEntries(names.map((name) => {
    const { beginMs = 0, endMs = lastMs } = timeline.phase(name);
    return [name, toMicroseconds(endMs - beginMs)];
  }));
};
