// What to look for so that one secret is found in any form. Escapes need none of it: the text is read without them.
// What remains is what changes every character: base64, whose groups may begin at any of three places, and hex; and
// what a secret becomes where it is cut short or broken into lines.
import { readingsOf } from './readings.ts';
import { GRAM } from './needles.ts';

export type Form = {
  readonly text: string;
  /** Of its beginning, so many characters give it away. */
  readonly least: number;
  /** It is the end of a form, and this stands before it there. */
  readonly before: string;
};

/** Longer ones are looked for in pieces, so that what is kept back of a stream stays small. */
const PIECE = 2_048;
/** A line of a secret that has several, such as a private key, and half of one that was cut short: not shorter than this. */
const TELLING = 12;

/** The characters of base64 text that are the same whatever stands before and after the secret. */
const base64Cores = (bytes: Buffer): readonly string[] =>
  [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const core = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });

const hexForms = (bytes: Buffer): readonly string[] => {
  const hex = bytes.toString('hex');
  const pairs = hex.match(/../g) ?? [];
  const upper = hex.toUpperCase();
  // As a dump shows it, as a fingerprint, and as programs print bytes.
  return [hex, upper, pairs.join(' '), pairs.join(':'), [...bytes].join(','), [...bytes].join(', ')];
};

const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const lowerCodes = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

/** How it is written before it is made base64 or hex. */
const writtenAs = (secret: string): readonly string[] => [
  secret,
  escapeJson(secret),
  encodeURIComponent(secret.toWellFormed()),
];

/**
 * As it is, and as programs change single characters of it: spaces of a form, quotes of SQL, UTF-8 taken for Latin-1. The
 * usual escapes too: what stands before it may look like an escape that takes its first character away.
 */
const spellings = (secret: string): readonly string[] => [
  ...writtenAs(secret),
  escapeJson(escapeJson(secret)),
  lowerCodes(encodeURIComponent(secret.toWellFormed())),
  new URLSearchParams({ s: secret }).toString().slice(2),
  secret.normalize('NFC'),
  secret.normalize('NFD'),
  secret.replaceAll(' ', '+'),
  secret.replaceAll("'", "''"),
  Buffer.from(secret, 'utf8').toString('latin1'),
  // What it holds of escapes may be taken out of it.
  ...readingsOf(secret).map(({ text }) => text),
];

const linesOf = (secret: string): readonly string[] => {
  const lines = secret.split(/\s*[\r\n]+\s*/).filter((line) => line.length >= TELLING);
  return /[\r\n]/.test(secret) ? lines : [];
};

/** Half of it gives it away, where half is enough to be no other text. Addresses begin alike; of several lines each is looked for. */
const leastOf = (text: string): number =>
  text.length >= 2 * TELLING - GRAM && !/:\/\/|[\r\n]/.test(text) ? Math.max(TELLING, Math.ceil(text.length / 2)) : text.length;

const formsOfPiece = (piece: string): readonly Form[] => {
  const encoded = writtenAs(piece).map((text) => Buffer.from(text, 'utf8'));
  const texts = [...spellings(piece), ...encoded.flatMap(base64Cores), ...encoded.flatMap(hexForms)];
  return texts.flatMap((text) => {
    const least = leastOf(text);
    const end = least < text.length ? [{ text: text.slice(-least), least, before: text.slice(0, -least) }] : [];
    return [{ text, least, before: '' }, ...end];
  });
};

/** All forms of one secret. What is shorter than four characters could be any text, and is left out. */
export const formsOf = (given: string): readonly Form[] => {
  // A line's end before it would be taken for its beginning, and every line held back.
  const secret = given.trim().length >= GRAM ? given.trim() : given;
  const pieces = Array.from({ length: Math.ceil(secret.length / PIECE) }, (_, index) => secret.slice(index * PIECE, (index + 1) * PIECE));
  const forms = [...pieces, ...linesOf(secret)].flatMap(formsOfPiece);
  return [...new Map(forms.map((form) => [form.text, form])).values()].filter(({ text }) => text.length >= GRAM);
};
