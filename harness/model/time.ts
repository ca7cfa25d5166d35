// Durations and the one clock. Everything is milliseconds of CLOCK_MONOTONIC, which all
// processes and containers of one kernel share, so stamps of different actors can be compared.

/** Milliseconds of CLOCK_MONOTONIC, with microsecond resolution. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Rounds to whole microseconds, the resolution in which stamps are written down. */
export const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000;

/** The named periods of a system, in which a scenario may count (`3 renewals`). */
export type PeriodName = 'renewal' | 'lease' | 'sweep';

/** A length of time: fixed, or a multiple of one of the system's named periods. */
export type Duration = { readonly ms: number } | { readonly count: number; readonly period: PeriodName };

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const FIXED = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;
const PERIODS = /^(\d+(?:\.\d+)?) (renewal|lease|sweep)s?$/;

/**
 * Parses `500ms`, `2s`, `5m`, `1h`, `3 renewals`, `1 lease`, `2 sweeps`.
 * @returns undefined when the text is none of them
 */
export const parseDuration = (text: string): Duration | undefined => {
  const fixed = FIXED.exec(text);
  if (fixed) return { ms: Number(fixed[1]) * UNIT_MS[fixed[2]!]! };
  const periods = PERIODS.exec(text);
  if (periods) return { count: Number(periods[1]), period: periods[2] as PeriodName };
  return undefined;
};

/** One line for people: `850 ms`, `6.0 s`, `2.5 min`. */
export const formatMs = (ms: number): string => {
  const size = Math.abs(ms);
  if (size < 1_000) return `${Math.round(ms)} ms`;
  return size < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;
};
