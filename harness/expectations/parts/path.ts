// The path control: on each leg a direct connection was closed, and the close was seen. A path that
// hides closes makes an upstream look open, and a client look present.
import { refOf } from '../../model/observation.ts';
import type { CloseHow } from '../../model/observation.ts';
import type { Timeline } from '../../model/timeline.ts';
import type { Finding } from '../../model/verdict.ts';
import { inconclusive } from './finding.ts';

export const pathShows = (timeline: Timeline, leg: 'client' | 'upstream', hows: readonly CloseHow[]): Finding | null => {
  for (const how of hows) {
    const controls = timeline.of('path-control').filter((control) => control.leg === leg && control.how === how);
    const hidden = controls.find(({ seen }) => !seen);
    if (hidden) return inconclusive(`path hides closes: a direct ${how.toUpperCase()} on the ${leg} leg was not seen`, [refOf(hidden)]);
    if (controls.length === 0)
      return inconclusive(`path hides closes, for all that is known: no ${how.toUpperCase()} was tried on the ${leg} leg`);
  }
  return null;
};
