// A text as those read it who take escapes out of it: JSON in JSON, a URL, HTML, base64 over several lines. Each
// character remembers where in the written text it stands, so that what is found can be hidden there.
import { ENTITIES } from './entities.ts';

/** `starts[i]` and `ends[i]`: where the written form of character i begins, and the place behind it. */
export type Reading = { readonly text: string; readonly starts: Int32Array; readonly ends: Int32Array };

/** The character that an escape at `at` stands for, and the escape's length; 0: there is none. Reused, since it is asked often. */
type Found = { code: number; low: number; length: number };
type Decoder = { readonly signs: string; readonly read: (text: string, at: number, found: Found) => void };

const BACKSLASH = 92;
const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  '"': '"',
  "'": "'",
  '/': '/',
  '\\': '\\',
  0: '\0',
};

const hexAt = (text: string, at: number, digits: number): number => {
  let value = 0;
  for (let index = at; index < at + digits; index += 1) {
    const digit = text.charCodeAt(index);
    const worth = digit >= 48 && digit <= 57 ? digit - 48 : (digit | 32) >= 97 && (digit | 32) <= 102 ? (digit | 32) - 87 : -1;
    if (worth < 0) return -1;
    value = value * 16 + worth;
  }
  return value;
};

const put = (found: Found, code: number, length: number): void => {
  if (code > 0x10ffff || code < 0) return;
  found.code = code > 0xffff ? 0xd800 + ((code - 0x10000) >> 10) : code;
  found.low = code > 0xffff ? 0xdc00 + ((code - 0x10000) & 0x3ff) : -1;
  found.length = length;
};

/** Bytes written one by one, `%C3%A4`; each takes `width` characters, the last two are its digits. Not UTF-8: one character a byte. */
const readBytes = (text: string, at: number, width: number, lead: string, found: Found): void => {
  const byte = (index: number): number => (text.startsWith(lead, at + index * width) ? hexAt(text, at + index * width + width - 2, 2) : -1);
  const first = byte(0);
  if (first < 0) return;
  const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  let code = more === 0 ? first : first & (0x3f >> more);
  for (let index = 1; index <= more; index += 1) {
    const next = byte(index);
    if (next < 0x80 || next > 0xbf) return put(found, first, width);
    code = (code << 6) | (next & 0x3f);
  }
  put(found, code, width * (more + 1));
};

const readBackslash = (text: string, at: number, found: Found): void => {
  const next = text[at + 1] ?? '';
  if (next === 'u') {
    const code = hexAt(text, at + 2, 4);
    if (code >= 0) return put(found, code, 6);
    const braced = /^\{([0-9a-f]{1,6})\}/i.exec(text.slice(at + 2, at + 10));
    if (braced) put(found, Number.parseInt(braced[1]!, 16), braced[0].length + 2);
  } else if (next === 'U') put(found, hexAt(text, at + 2, 8), 10);
  else if (next === 'x') readBytes(text, at, 4, '\\x', found);
  else if (Object.hasOwn(SIMPLE, next)) put(found, SIMPLE[next]!.charCodeAt(0), 2);
};

/** However deep it is nested, and whatever stands before it: all backslashes before an escape belong to it. */
const readBackslashes = (text: string, at: number, found: Found): void => {
  let last = at;
  while (text.charCodeAt(last + 1) === BACKSLASH) last += 1;
  readBackslash(text, last, found);
  if (found.length > 0) found.length += last - at;
};

const readEntity = (text: string, at: number, found: Found): void => {
  const end = text.indexOf(';', at);
  if (end < 0 || end - at > 10) return;
  const name = text.slice(at + 1, end);
  const number = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name);
  const code = number ? Number.parseInt(number[1] ?? number[2]!, number[1] === undefined ? 10 : 16) : ENTITIES.get(name);
  if (code !== undefined) put(found, code, end + 1 - at);
};

const isWord = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  ((code | 32) >= 97 && (code | 32) <= 122) ||
  code === 43 ||
  code === 45 ||
  code === 47 ||
  code === 61 ||
  code === 95;

/** A line end, with the next line's indentation, within what could be one word that was too long for a line: it stands for nothing. */
const readWrap = (text: string, at: number, found: Found): void => {
  if (!isWord(text.charCodeAt(at - 1))) return;
  let to = at;
  while (text.charCodeAt(to) === 13 || text.charCodeAt(to) === 10) to += 1;
  while (text.charCodeAt(to) === 32 || text.charCodeAt(to) === 9) to += 1;
  if (!isWord(text.charCodeAt(to))) return;
  found.code = -1;
  found.length = to - at;
};

const json: Decoder = { signs: '\\', read: readBackslash };
const nested: Decoder = { signs: '\\', read: readBackslashes };
const percent: Decoder = { signs: '%', read: (text, at, found) => readBytes(text, at, 3, '%', found) };
const entity: Decoder = { signs: '&', read: readEntity };
const wrap: Decoder = { signs: '\n\r', read: readWrap };

/** By the code of the sign that an escape begins with. */
type Signs = readonly (Decoder | undefined)[];
const signsOf = (...decoders: readonly Decoder[]): Signs => {
  const signs: (Decoder | undefined)[] = new Array(128).fill(undefined);
  for (const decoder of decoders) for (const sign of decoder.signs) signs[sign.charCodeAt(0)] = decoder;
  return signs;
};
const ALL = signsOf(json, percent, entity);
const DEEP = signsOf(nested, percent, entity);
const SINGLE = [json, percent, entity].map((decoder) => [decoder.signs, signsOf(decoder)] as const);
const WRAPS = signsOf(wrap);
const LAYERS = 4;

/** Not by a decoder of UTF-16: one half of a pair must stay what it is, since the other may come with the next chunk. */
const toText = (codes: Uint16Array): string => {
  let text = '';
  for (let at = 0; at < codes.length; at += 8_192) text += String.fromCharCode(...codes.subarray(at, at + 8_192));
  return text;
};

/** One layer of these escapes less; null where there are none. */
const decode = (before: Reading, signs: Signs): Reading | null => {
  const { text, starts: given, ends: givenEnds } = before;
  const codes = new Uint16Array(text.length);
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  const found: Found = { code: 0, low: -1, length: 0 };
  let size = 0;
  let hasAny = false;
  const add = (code: number, from: number, to: number): void => {
    codes[size] = code;
    starts[size] = given[from]!;
    ends[size] = givenEnds[to - 1]!;
    size += 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const decoder = code < 128 ? signs[code] : undefined;
    found.length = 0;
    decoder?.read(text, at, found);
    if (found.length === 0) {
      codes[size] = code;
      starts[size] = given[at]!;
      ends[size] = givenEnds[at]!;
      size += 1;
      continue;
    }
    hasAny = true;
    if (found.code >= 0) add(found.code, at, at + found.length);
    if (found.code >= 0 && found.low >= 0) add(found.low, at, at + found.length);
    at += found.length - 1;
  }
  return hasAny ? { text: toText(codes.subarray(0, size)), starts: starts.subarray(0, size), ends: ends.subarray(0, size) } : null;
};

const asWritten = (text: string): Reading => {
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    starts[at] = at;
    ends[at] = at + 1;
  }
  return { text, starts, ends };
};

/** Whether anybody would read it otherwise than it is written; cheap. */
export const hasEscapes = (text: string): boolean =>
  text.includes('\\') || text.includes('%') || text.includes('&') || text.includes('\n') || text.includes('\r');

const layersOf = (first: Reading, signs: Signs): readonly Reading[] => {
  const layers: Reading[] = [];
  for (let last: Reading | null = first; layers.length < LAYERS; layers.push(last)) {
    last = decode(last, signs);
    if (last === null) break;
  }
  return layers;
};

const ESCAPE = /[\\%&]/;
/** Where a line may go on in the next one. */
const WRAP = /[\w+/=-][\r\n]+[ \t]*[\w+/=-]/;

/** Whether a text stays what it is when escapes are taken out of it. */
export const isPlain = (text: string): boolean => !ESCAPE.test(text);

/**
 * All ways to read a text, but for the way it is written: layer by layer.
 * @param forPlain what is looked for is plain. Otherwise each kind of escape is also read by itself, and exactly: another
 *   kind may be part of what is looked for
 */
export const readingsOf = (text: string, forPlain = false): readonly Reading[] => {
  const isEscaped = ESCAPE.test(text);
  if (!isEscaped && !WRAP.test(text)) return [];
  const first = asWritten(text);
  const deep = isEscaped ? layersOf(first, DEEP) : [];
  const exact = forPlain || !isEscaped ? [] : [ALL, ...SINGLE.filter(([sign]) => text.includes(sign)).map(([, signs]) => signs)];
  const readings = [...deep, ...exact.flatMap((signs) => layersOf(first, signs))];
  const unwrapped = [first, ...readings].filter((reading) => WRAP.test(reading.text)).map((reading) => decode(reading, WRAPS));
  return [...readings, ...unwrapped.filter((reading) => reading !== null)];
};
