// For how long a probe may have said nothing, and what it said last is still so.
import type { View } from './view.ts';

/** Turns of its own that it may miss. */
const MISSED = 4;

/**
 * Four of its turns, and never less than the margin. But what it saw before the watch began is from a time in which the system was still
 * asked for something: where it looks seldom, as in a long life, it must have looked again since.
 */
export const silenceMs = ({ timeline, facts }: Pick<View, 'timeline' | 'facts'>, everyMs: number, untilMs: number): number => {
  const { beginMs = Infinity } = timeline.phase('watch');
  const watchedMs = beginMs <= untilMs ? untilMs - beginMs : Infinity;
  return Math.max(Math.min(MISSED * everyMs, watchedMs), facts.marginMs);
};

/** The same before anything has happened. */
export const plannedSilenceMs = ({ watchMs, marginMs }: View['facts'], everyMs: number): number => Math.max(Math.min(MISSED * everyMs, watchMs), marginMs);
