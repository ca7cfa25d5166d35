// Secrets that nobody has registered, known by how they look: headers, tokens of providers, private keys, passwords in
// addresses. What is left of a text that was redacted by shape looks like none any more.

import { HEADER_TRIGGERS, HEADERS } from './header-shapes.ts';

/** `from` to `to` is hidden; it is known as a secret by what begins at `since` (a header's name). */
export type Range = { readonly since: number; readonly from: number; readonly to: number };

const BEARER = /\bbearer(?:\s|\\[nrt])+([^\s"',;\\]+)/dgi;
/** Every maker of keys gives them a beginning of their own. */
const KEYS = [
  'sk-[\\w-]{8,}',
  '[srp]k_(?:live|test)_[A-Za-z0-9]{8,}',
  '(?:AKIA|ASIA)[A-Z0-9]{16}',
  'gh[opsur]_[A-Za-z0-9]{20,}',
  'github_pat_\\w{20,}',
  'glpat-[\\w-]{16,}',
  'xox[abeprs]-[\\w-]{10,}',
  'AIza[\\w-]{30,}',
  'npm_[A-Za-z0-9]{30,}',
  'gsk_[A-Za-z0-9]{20,}',
  'hf_[A-Za-z0-9]{20,}',
  'eyJ[\\w-]{8,}\\.eyJ[\\w-]{4,}(?:\\.[\\w-]*){1,3}',
];
const KEY = new RegExp(`(?<![A-Za-z0-9])(${KEYS.join('|')})`, 'dg');
/** Without an end it was cut off: then all of the rest is taken for it. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----([^]*?)(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/dg;
/** `scheme://user:password@host`: the password. Not `[redacted]`, which was one. */
const USERINFO = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#"'<>\\@:]{0,200}:([^\s/?#"'<>\\@]{1,400})@/dgi;

const PATTERNS = [...HEADERS, BEARER, KEY, PRIVATE_KEY, USERINFO] as const;

/** Four characters, of any case, without which none of the shapes is there; but for addresses, which need an @. */
export const TRIGGERS: readonly string[] = [
  ...HEADER_TRIGGERS,
  'bear',
  'k_li',
  'k_te',
  'akia',
  'asia',
  'gho_',
  'ghp_',
  'ghs_',
  'ghu_',
  'ghr_',
  'gith',
  'glpa',
  'xoxa',
  'xoxb',
  'xoxe',
  'xoxp',
  'xoxr',
  'xoxs',
  'aiza',
  'npm_',
  'gsk_',
  'vate',
  ...['sk-', 'hf_', 'eyj'].flatMap((start) => [...'abcdefghijklmnopqrstuvwxyz0123456789_-'].map((next) => start + next)),
];

const isQuoted = (text: string): boolean => /^(["']).*\1$/s.test(text);

const PIECE = String.raw`(?:[\w.-]{1,40}=)?\$\{[A-Za-z][\w.-]{0,80}\}`;
const REFERENCES = new RegExp(String.raw`^(?:\\{0,31}["'])?(?:(?:basic|bearer|digest|token|api-?key)[ \t]+)?${PIECE}(?:(?::|;[ \t]?)${PIECE}){0,20}(?:\\{0,31}["'])?[ \t]*$`, 'i');

/** Only names of what is filled in later, as in a card: that is no secret, and without them nobody can use it again. */
const isReference = (text: string): boolean => text.length <= 2_048 && text.includes('${') && REFERENCES.test(text);

/** Where values of these shapes stand. */
export const shapedRanges = (text: string): readonly Range[] =>
  PATTERNS.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const [from, to] = match.indices![1]!;
      const since = match.index;
      const isWhole = isQuoted(match[1]!) && to - from >= 2;
      // At the end of what has come of a stream it may be only where the value begins.
      if ((isWhole || to < text.length) && isReference(match[1]!)) return [];
      // The quotes stay, so that a line of JSON is still one.
      return isWhole ? { since, from: from + 1, to: to - 1 } : { since, from, to };
    }),
  );

/** The tokens, keys and passwords in a text, for those who want to know them elsewhere too. */
export const shapedIn = (text: string): readonly string[] =>
  [KEY, PRIVATE_KEY, USERINFO].flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!));
