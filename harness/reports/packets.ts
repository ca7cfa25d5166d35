// What a report says of packets, where they were asked for.
import { FILES } from '../bundle/format.ts';
import type { Timeline } from '../model/timeline.ts';

export type Packets = { /** In the bundle; null where none were captured. */ readonly path: string | null; readonly words: string };

/** Null where nobody asked. */
export const packetsOf = (timeline: Timeline): Packets | null => {
  const told = timeline.of('precondition').find(({ name }) => name === 'capture');
  if (!told) return null;
  const isThere = !told.detail.startsWith('no packets');
  return { path: isThere ? FILES.capture : null, words: isThere ? `raw bytes with all secrets: ${told.detail}` : told.detail };
};
