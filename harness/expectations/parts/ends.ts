// The system's own end of a connection, from the socket samples. An end that is absent or orphaned is
// let go; that means something only where the same probe had seen it owned before.
import type { Reading } from '../../model/readings.ts';
import { readingsOf } from '../../model/readings.ts';
import type { SocketRow, SocketsValue } from '../../model/samples.ts';
import type { Timeline } from '../../model/timeline.ts';

/** A connection as the system's peer named it when it was made. */
export type Connection = { readonly local: string; readonly peer: string };

export type End = { readonly reading: Reading<SocketsValue>; readonly row: SocketRow | undefined };

/** One entry a sample. */
export const endsOf = (timeline: Timeline, connection: Connection): readonly End[] =>
  readingsOf(timeline, 'sockets').map((reading) => ({
    reading,
    row: reading.value.rows.find(({ local, remote }) => local === connection.peer && remote === connection.local),
  }));

export const isOwned = ({ row }: End): boolean => row !== undefined && row.inode !== 0;

export type Letting =
  /** Never seen to be the system's: the probe is blind, so absence says nothing. */
  | { readonly state: 'unseen' }
  | { readonly state: 'gone'; readonly end: End }
  | { readonly state: 'owned'; readonly end: End }
  /** No sample tells whether it was let go in time. */
  | { readonly state: 'unsampled' };

/**
 * Whether the system had let go of its end by `dueMs`, having been told (or having closed) at `fromMs`.
 * @param lateMs a sample that still shows it owned counts only if it began after this
 */
export const lettingOf = (ends: readonly End[], fromMs: number, dueMs: number, lateMs: number): Letting => {
  if (!ends.some((end) => isOwned(end) && end.reading.beganMs <= dueMs)) return { state: 'unseen' };
  const owned = ends.findLast((end) => isOwned(end) && end.reading.beganMs > lateMs);
  if (owned) return { state: 'owned', end: owned };
  // A connection that waits to be accepted has no owner yet either, so only what comes after the last owner counts.
  const gone = ends.slice(ends.findLastIndex(isOwned) + 1).find((end) => end.reading.beganMs >= fromMs);
  return gone && gone.reading.atMs <= dueMs ? { state: 'gone', end: gone } : { state: 'unsampled' };
};
