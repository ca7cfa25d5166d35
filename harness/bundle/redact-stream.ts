// Redacts text that comes in chunks. A secret may be split over two of them, so what could still be
// the beginning of one is held back until it is known, or the text ends.
import type { Range, Redactor } from './redact.ts';

/** A line longer than this is cut all the same: a log without line ends must not be kept in memory. */
const MAXIMUM_HELD = 256 * 1024;
/** Looked at in one go: what fits the processor's cache is done in a third of the time. */
const SLICE = 64 * 1024;

export type RedactedStream = {
  /** @returns what can be written now, redacted */
  readonly push: (chunk: string) => string;
  readonly end: () => string;
};

/**
 * @param isLive somebody waits for it: only what may be the beginning of a secret is held back. Otherwise whole lines
 *   are, which shows headers that come in pieces
 */
export const createRedactedStream = (redactor: Redactor, { isLive = false } = {}): RedactedStream => {
  let held = '';

  /** Before this place every secret is complete: at a line's end, and inside none of them. */
  const safeCut = (ranges: readonly Range[]): number => {
    const isFull = held.length > MAXIMUM_HELD;
    const end = isLive || isFull ? held.length : held.lastIndexOf('\n') + 1;
    // A header whose value ends where the text does may not be at its end.
    const last = ranges.at(-1);
    const open = last && last.to === held.length && last.since < last.from ? last.since : held.length;
    /** Outside of all secrets; a line's end where lines are kept whole, which may be within one before it. */
    const settle = (cut: number): number => {
      const outside = ranges.find((range) => range.since < cut && cut < range.to)?.since ?? cut;
      const settled = isLive || isFull ? outside : held.lastIndexOf('\n', outside - 1) + 1;
      return settled === cut ? cut : settle(settled);
    };
    const cut = settle(Math.min(end, open, redactor.openFrom(held, !isLive)));
    return cut === 0 && isFull ? held.length : cut;
  };

  const pushSlice = (slice: string): string => {
    held += slice;
    if (!isLive && held.length <= MAXIMUM_HELD && !slice.includes('\n')) return '';
    const ranges = redactor.ranges(held);
    const cut = safeCut(ranges);
    const ready = held.slice(0, cut);
    held = held.slice(cut);
    return redactor.masked(
      ready,
      ranges.filter(({ to }) => to <= cut),
    );
  };

  return {
    push: (chunk) => {
      let ready = '';
      for (let at = 0; at < chunk.length; at += SLICE) ready += pushSlice(chunk.slice(at, at + SLICE));
      return ready;
    },
    end: () => {
      const rest = held;
      held = '';
      return redactor.text(rest);
    },
  };
};

const BLOCK = 64 * 1024;

/** The same as `redactor.text`, in turns (`inTurns` of model/turns.ts): a page of megabytes holds nobody up. */
export function* redactingText(redactor: Redactor, text: string): Generator<void, string> {
  const stream = createRedactedStream(redactor);
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += BLOCK) {
    parts.push(stream.push(text.slice(at, at + BLOCK)));
    yield;
  }
  return parts.join('') + stream.end();
}
