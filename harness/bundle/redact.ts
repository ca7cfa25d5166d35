// Secrets never reach the disk: everything that a bundle writes passes here first. Registered values
// are found in all their encoded forms; headers, bearer tokens and `sk-` keys are found by shape, for
// those that nobody registered.
import { problem } from '../model/problem.ts';
import { formsOf } from './secret-forms.ts';

/** `from` to `to` is hidden; it is known as a secret by what begins at `since` (a header's name). */
export type Range = { readonly since: number; readonly from: number; readonly to: number };

export type Redactor = {
  /** To be called before the secret is used. @throws ProblemError `secret-too-short` below 4 characters */
  readonly register: (secret: string) => void;
  readonly text: (text: string) => string;
  /** A copy of plain data with every string redacted, keys too, and the values of secret headers masked. */
  readonly value: <T>(value: T) => T;
  /** `JSON.stringify(value(data))`, and cheap where there is nothing to hide. */
  readonly json: (data: unknown) => string;
  /** Where secrets stand in a text; a text must not be cut between `since` and `to`. */
  readonly ranges: (text: string) => readonly Range[];
  /** Length of the longest form of a registered secret. */
  readonly longest: () => number;
};

const MINIMUM_SECRET = 4;
/** The first that holds no registered secret itself is used. */
const MASKS = ['[redacted]', '********', ''];
const NAME = '(?:proxy-)?authorization|(?:set-)?cookie|[\\w-]{0,40}api[-_]?key';
const HEADER_NAME = new RegExp(`^(?:${NAME})$`, 'i');
/** A list, a quoted text, a text in escaped quotes, or the rest of the line: what a header's name is followed by. */
const VALUES = [
  String.raw`\[[^\]]{0,8192}\]?`, String.raw`"(?:[^"\\\r\n]|\\.)*"?`, String.raw`'(?:[^'\\\r\n]|\\.)*'?`,
  String.raw`\\+"(?:(?!\\+").)*`, String.raw`[^\s][^\r\n]*`,
].join('|');
/** A quoted name may be followed by a comma: that is how raw headers are listed. */
const HEADER = new RegExp(String.raw`(?<![\w-])(?:${NAME})(?:\\*["']\s*[:=,]|\s*[:=])[ \t]*(${VALUES})`, 'dgi');
const BEARER = /\bbearer(?:\s|\\[nrt])+([^\s"',;\\]+)/dgi;
const KEY = /(?<![A-Za-z0-9])(sk-[A-Za-z0-9_-]{8,})/dg;

const isQuoted = (text: string): boolean => /^(["']).*\1$/s.test(text);

const shapedRanges = (text: string): readonly Range[] =>
  [HEADER, BEARER, KEY].flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => {
      const [from, to] = match.indices![1]!;
      const since = match.index;
      // The quotes stay, so that a line of JSON is still one.
      return isQuoted(match[1]!) && to - from >= 2 ? { since, from: from + 1, to: to - 1 } : { since, from, to };
    }));

const literalRanges = (text: string, forms: readonly string[]): readonly Range[] =>
  forms.flatMap((form) => {
    const found: Range[] = [];
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) found.push({ since: at, from: at, to: at + form.length });
    return found;
  });

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

/** Creates a redactor that knows no secret yet, only their shapes. */
export const createRedactor = (): Redactor => {
  let forms: readonly string[] = [];
  let mask = MASKS[0]!;

  const ranges = (text: string): readonly Range[] => merge([...literalRanges(text, forms), ...shapedRanges(text)]);

  const once = (text: string): string => {
    let at = 0;
    let result = '';
    for (const { from, to } of ranges(text)) {
      result += text.slice(at, from) + mask;
      at = to;
    }
    return result + text.slice(at);
  };

  const text = (given: string): string => {
    const result = once(given);
    // What is left beside a mask could make up a secret again: then nothing of it is kept.
    return forms.some((form) => result.includes(form)) ? mask : result;
  };

  const hide = (value: unknown): unknown => (Array.isArray(value) ? value.map(hide) : typeof value === 'string' ? mask : walk(value));

  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) {
      return value.map((each, index) => (HEADER_NAME.test(String(value[index - 1])) ? hide(each) : walk(each)));
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [text(key), HEADER_NAME.test(key) ? hide(each) : walk(each)]));
  };

  return {
    register: (secret) => {
      if (secret.length < MINIMUM_SECRET) {
        throw problem('scenario', 'secret-too-short', `a secret of ${secret.length} characters cannot be told from other text`, {
          hint: `give a secret of at least ${MINIMUM_SECRET} characters`,
        });
      }
      forms = [...new Set([...forms, ...formsOf(secret)])].sort((a, b) => b.length - a.length);
      mask = MASKS.find((candidate) => !forms.some((form) => candidate.includes(form)))!;
    },
    text,
    value: <T>(value: T): T => walk(value) as T,
    json: (data) => {
      const json = JSON.stringify(data);
      return ranges(json).length === 0 ? json : JSON.stringify(walk(data));
    },
    ranges,
    longest: () => forms[0]?.length ?? 0,
  };
};
