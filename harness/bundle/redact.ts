// Secrets never leave: everything that a bundle or the terminal writes passes here first. Registered values are hidden
// in all their forms, however they are escaped; headers, tokens and keys of a known look also where nobody registered
// them.
import { problem } from '../model/problem.ts';
import { createFinder } from './find-secrets.ts';
import type { Finder } from './find-secrets.ts';
import { isSecretHeader, secretKeys } from './header-shapes.ts';
import type { Range } from './shapes.ts';

export type { Range } from './shapes.ts';

export type Redactor = {
  /** To be called before the secret is used. @throws ProblemError `secret-too-short` below 4 characters */
  readonly register: (secret: string) => void;
  readonly text: (text: string) => string;
  /** A copy of plain data with every string redacted, keys too, and the values of secret headers masked. Numbers stay: they are judged. */
  readonly value: <T>(value: T) => T;
  /** `JSON.stringify(value(data))`, and cheap where there is nothing to hide. */
  readonly json: (data: unknown) => string;
  /** Where secrets stand in a text; a text must not be cut between `since` and `to`. */
  readonly ranges: (text: string) => readonly Range[];
  /** The text with these of its ranges hidden. */
  readonly masked: (text: string, ranges: readonly Range[]) => string;
  /** From where on a secret that began already may go on behind the end of the text. @param wraps also one that is broken into lines */
  readonly openFrom: (text: string, wraps: boolean) => number;
};

export const MINIMUM_SECRET = 4;
/** The first that holds no registered secret itself is used. */
const MASKS = ['[redacted]', '********', ''];

/** Whether something was hidden in a text that evidence holds. */
export const holdsMask = (text: string): boolean => MASKS.some((mask) => mask !== '' && text.includes(mask));

/** Line ends stay: what is said of a log by numbers of lines stays true. */
const maskFor = (mask: string, hidden: string): string => (hidden.includes('\n') ? mask + hidden.replace(/[^\n]+/g, '') : mask);

/** What is left beside a mask could make up a secret again: then nothing of it is kept. */
const hideRanges = (finder: Finder, mask: string, text: string, ranges: readonly Range[]): string => {
  if (ranges.length === 0) return text;
  let at = 0;
  let result = '';
  for (const { from, to } of ranges) {
    result += text.slice(at, from) + maskFor(mask, text.slice(from, to));
    at = to;
  }
  result += text.slice(at);
  return finder.holdsRegistered(result) ? maskFor(mask, text) : result;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What strangers wrote may be an object that cannot be made a text. */
const namesHeader = (value: unknown): boolean => typeof value === 'string' && isSecretHeader(value);

/** @param text hides what is in one text */
const walkWith = (text: (given: string) => string, mask: () => string) => {
  const hide = (value: unknown): unknown => (Array.isArray(value) ? value.map(hide) : typeof value === 'string' ? mask() : walk(value));
  const field = (key: string, value: unknown): unknown => (/^cookies$/i.test(key) ? cookies(value) : walk(value));
  const fields = (value: Readonly<Record<string, unknown>>, isSecret: (key: string) => boolean): unknown =>
    Object.fromEntries(Object.entries(value).map(([key, each]) => [text(key), isSecret(key) ? hide(each) : field(key, each)]));
  /** As archives of requests hold them: a list of pairs, or an object by their names. */
  const cookies = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((each) => (isRecord(each) ? fields(each, secretKeys(each, true)) : hide(each)));
    return isRecord(value) ? fields(value, () => true) : walk(value);
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) {
      return value.map((each, index) => (namesHeader(value[index - 1]) ? hide(each) : walk(each)));
    }
    return isRecord(value) ? fields(value, secretKeys(value)) : value;
  };
  return walk;
};

/** Creates a redactor that knows no secret yet, only their shapes. */
export const createRedactor = (): Redactor => {
  const finder = createFinder();
  let mask = MASKS[0]!;
  const masked: Redactor['masked'] = (text, ranges) => hideRanges(finder, mask, text, ranges);
  const text = (given: string): string => masked(given, finder.ranges(given));
  const walk = walkWith(text, () => mask);
  return {
    register: (secret) => {
      if (secret.length < MINIMUM_SECRET) {
        throw problem('scenario', 'secret-too-short', `a secret of ${secret.length} characters cannot be told from other text`, {
          hint: `give a secret of at least ${MINIMUM_SECRET} characters`,
        });
      }
      finder.add(secret);
      mask = MASKS.find((candidate) => !finder.holdsRegistered(candidate))!;
    },
    text,
    masked,
    value: <T>(value: T): T => walk(value) as T,
    json: (data) => {
      const json = JSON.stringify(data);
      // Text by text where there is any doubt: what stands around one in JSON is none of it.
      return finder.mayHold(json) ? JSON.stringify(walk(data)) : json;
    },
    ranges: finder.ranges,
    openFrom: finder.openFrom,
  };
};
