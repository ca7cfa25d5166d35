// Redacts text that comes in chunks. A secret may be split over two of them, so what could still be
// the beginning of one is held back until it is known, or the text ends.
import type { Redactor } from './redact.ts';

/** A line longer than this is cut all the same: a log without line ends must not be kept in memory. */
const MAXIMUM_HELD = 256 * 1024;

export type RedactedStream = {
  /** @returns what can be written now, redacted */
  readonly push: (chunk: string) => string;
  readonly end: () => string;
};

export const createRedactedStream = (redactor: Redactor): RedactedStream => {
  let held = '';

  /** Before this place every secret is complete: at a line's end, and inside none of them. */
  const safeCut = (): number => {
    const limit = held.length - redactor.longest();
    const lineEnd = held.lastIndexOf('\n', limit - 1) + 1;
    const isFull = held.length > MAXIMUM_HELD;
    if (limit <= 0 || (lineEnd === 0 && !isFull)) return 0;
    const ranges = redactor.ranges(held);
    const outside = (cut: number): number => ranges.find((range) => range.since < cut && cut < range.to)?.since ?? cut;
    return outside(lineEnd) || (isFull ? outside(limit) || limit : 0);
  };

  return {
    push: (chunk) => {
      held += chunk;
      const cut = safeCut();
      const ready = held.slice(0, cut);
      held = held.slice(cut);
      return redactor.text(ready);
    },
    end: () => {
      const rest = held;
      held = '';
      return redactor.text(rest);
    },
  };
};
