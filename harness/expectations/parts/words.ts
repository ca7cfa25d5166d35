// How the reasons name things, so that every claim says the same thing in the same words.
import type { ObservationOf } from '../../model/observation.ts';
import { formatMs } from '../../model/time.ts';

/** `5 more events`, `1 row`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const WIRES = { fin: 'FIN', rst: 'RST', nothing: 'vanishing' } as const;

/** What went out: `alice's FIN`, `alice's half-close`. */
export const leaveWords = (client: string, left: ObservationOf<'left'>): string =>
  `${client}'s ${left.how === 'half-close' ? 'half-close' : WIRES[left.wire]}`;

export const exitWords = (exit: { readonly code: number | null; readonly signal: string | null }): string =>
  exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `reservation 7`, `reservation 0c6ffb7e`: of an id that nobody can read out the beginning is enough. */
export const reservationWords = (id: string): string => `reservation ${UUID.test(id) ? id.slice(0, 8) : id}`;

/** When, in the run's own time. */
export const at = (ms: number): string => `at ${formatMs(ms)}`;

/** `12 ms after alice's FIN`, `3 ms before the send bound of 2.0 s`. */
export const since = (ms: number, words: string): string => `${formatMs(Math.abs(ms))} ${ms < 0 ? 'before' : 'after'} ${words}`;

/** Bytes for people. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
};

/** Where a probe saw nothing. */
export const gapWords = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): string =>
  `no sample for ${formatMs(toMs - fromMs)} from ${formatMs(fromMs)} on`;
