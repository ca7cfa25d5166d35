// Where secrets stand in a text: registered ones in any of their forms, as written and as any reader of escapes would
// read it, and those that are known by their shape. Most texts hold none: to find that out must cost next to nothing.
import { headerBegun } from './header-shapes.ts';
import { createNeedles } from './needles.ts';
import type { Needles } from './needles.ts';
import { hasEscapes, isPlain, readingsOf } from './readings.ts';
import type { Reading } from './readings.ts';
import { formsOf } from './secret-forms.ts';
import { shapedRanges, TRIGGERS } from './shapes.ts';
import type { Range } from './shapes.ts';

export type Finder = {
  readonly add: (secret: string) => void;
  /** Sorted, and none within another. */
  readonly ranges: (text: string) => readonly Range[];
  /** False where there is nothing to be found for sure, and cheap. */
  readonly mayHold: (text: string) => boolean;
  /** Whether a registered one stands there, in any form. */
  readonly holdsRegistered: (text: string) => boolean;
  readonly openFrom: (text: string, wraps: boolean) => number;
};

/** An escape of which the end has not come yet; of bytes beyond ASCII nobody can tell which is the last of a character. */
const CUT_ESCAPE = /(?:\\+(?:[uUx][0-9a-f{]{0,7})?|(?:%[89a-f][0-9a-f]|\\x[89a-f][0-9a-f])*(?:%[0-9a-f]?|\\(?:x[0-9a-f]?)?)?|&#?\w{0,8})$/i;
/** An escape that a match begins within. */
const BEGUN_ESCAPE = /(?<!\\)(?:\\\\)*(\\(?:u[0-9a-f]{0,3})?)$/i;
const ODD_BACKSLASHES = /(?<!\\)(?:\\\\)*\\$/;
/** So far an escape is looked for before a place. */
const LONGEST_LOOK = 256;
/** Characters that one is written as at most: `\\\\u0041`, `%25252541`. */
const ESCAPED_TO = 12;

const cutEscape = (text: string): number => {
  const before = Math.max(0, text.length - LONGEST_LOOK);
  return before + CUT_ESCAPE.exec(text.slice(before))!.index;
};

/** Grown to whole escapes: what is left of one would break a line of JSON. */
const fit = (text: string, from: number, to: number): Range => {
  const begun = from > 0 ? BEGUN_ESCAPE.exec(text.slice(Math.max(0, from - LONGEST_LOOK), from)) : null;
  const since = from - (begun ? begun[1]!.length : 0);
  const isCut =
    text[to - 1] === '\\' && /[\\"]/.test(text[to] ?? '') && ODD_BACKSLASHES.test(text.slice(Math.max(0, to - LONGEST_LOOK), to));
  return { since, from: since, to: isCut ? to + 1 : to };
};

const merge = (ranges: readonly Range[]): readonly Range[] => {
  const merged: { since: number; from: number; to: number }[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && range.from < last.to) {
      last.to = Math.max(last.to, range.to);
      last.since = Math.min(last.since, range.since);
    } else if (range.to > range.from) merged.push({ ...range });
  }
  return merged;
};

type Read = (text: string) => readonly Reading[];

/** What a stream must hold back: a secret that has begun, also behind an escape that has not ended. */
const createOpen = (needles: Needles, readings: Read): Finder['openFrom'] => {
  /** Before what some reader would still wait to see the end of. */
  const withoutCutEscapes = (text: string): string => {
    const cuts = readings(text).map((reading) => reading.starts[cutEscape(reading.text)] ?? text.length);
    const cut = Math.min(cutEscape(text), ...cuts);
    return cut < text.length ? withoutCutEscapes(text.slice(0, cut)) : text;
  };
  const openIn = (text: string): number =>
    Math.min(needles.openFrom(text), ...readings(text).map((reading) => reading.starts[needles.openFrom(reading.text)] ?? text.length));
  return (text, wraps) => {
    if (needles.longest() === 0) return text.length;
    const before = Math.max(0, text.length - needles.longest() * ESCAPED_TO - LONGEST_LOOK);
    const whole = withoutCutEscapes(text.slice(before));
    const ended = wraps ? whole.replace(/\s+$/, '') : whole;
    const opens = [whole, ended].map((each) => {
      const open = openIn(each);
      return open < each.length ? open : whole.length;
    });
    return before + Math.min(...opens);
  };
};

export const createFinder = (): Finder => {
  const needles = createNeedles(TRIGGERS);
  let arePlain = true;
  const readings: Read = (text) => (needles.longest() > 0 && hasEscapes(text) ? readingsOf(text, arePlain) : []);
  const openFrom = createOpen(needles, readings);
  return {
    add: (secret) => {
      arePlain &&= isPlain(secret);
      for (const { text, least, before } of formsOf(secret)) needles.add(text, least, before);
    },
    ranges: (text) => {
      const { hits, triggered } = needles.scan(text);
      return merge([
        ...hits.map(({ from, to }) => fit(text, from, to)),
        ...readings(text).flatMap((reading) =>
          needles.scan(reading.text).hits.map(({ from, to }) => fit(text, reading.starts[from]!, reading.ends[to - 1]!)),
        ),
        ...(triggered || text.includes('@') ? shapedRanges(text) : []),
      ]);
    },
    mayHold: (text) => {
      const { hits, triggered } = needles.scan(text);
      return hits.length > 0 || triggered || text.includes('@') || (needles.longest() > 0 && hasEscapes(text));
    },
    holdsRegistered: (text) =>
      needles.scan(text).hits.length > 0 || readings(text).some((reading) => needles.scan(reading.text).hits.length > 0),
    openFrom: (text, wraps) => Math.min(headerBegun(text, wraps), openFrom(text, wraps)),
  };
};
