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

/** Timers end at once where they are given more than 2^31 - 1 ms (setTimeout of Node), so nothing longer is taken: 20 days. */
export const LONGEST_MS = 480 * 3_600_000;

/**
 * Parses `500ms`, `2s`, `5m`, `1h`, `3 renewals`, `1 lease`, `2 sweeps`.
 * @returns undefined when the text is none of them, or longer than `LONGEST_MS`
 */
export const parseDuration = (text: string): Duration | undefined => {
  const fixed = FIXED.exec(text);
  if (fixed) {
    const ms = Number(fixed[1]) * UNIT_MS[fixed[2]!]!;
    return ms <= LONGEST_MS ? { ms } : undefined;
  }
  const periods = PERIODS.exec(text);
  if (periods) return { count: Number(periods[1]), period: periods[2] as PeriodName };
  return undefined;
};

/** A length that is chosen anew for each run, both ends included: `100ms..900ms`. */
export type DurationRange = { readonly from: Duration; readonly to: Duration };

/** The same once its ends are known, ms. */
export type LengthRange = { readonly from: number; readonly to: number };

/**
 * Parses `100ms..900ms`, `1 renewal..3 renewals`, `500ms..1 lease`.
 * @returns undefined when the text is none, or its ends are the wrong way round by themselves
 */
export const parseDurationRange = (text: string): DurationRange | undefined => {
  const ends = text.split('..').map((end) => parseDuration(end.trim()));
  const [from, to] = ends;
  if (ends.length !== 2 || from === undefined || to === undefined) return undefined;
  if ('ms' in from && 'ms' in to && from.ms > to.ms) return undefined;
  if ('period' in from && 'period' in to && from.period === to.period && from.count > to.count) return undefined;
  return { from, to };
};

export const isLengthRange = (value: unknown): value is LengthRange =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value && typeof value.from === 'number' && typeof value.to === 'number';

/** How long it is at most, ms; undefined for what is no length. */
export const longestOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : isLengthRange(value) ? value.to : undefined;

/** One line for people: `850 ms`, `6.0 s`, `2.5 min`. */
export const formatMs = (ms: number): string => {
  const size = Math.abs(ms);
  if (size < 1_000) return `${Math.round(ms)} ms`;
  return size < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;
};
