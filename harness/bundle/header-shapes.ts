// Headers whose values are secrets, and how programs write a header down: as a line, a field of JSON, a list of names and values,
// an object or an element with a name and a value.

/** Keys that are none: of caches, requests that are repeated, rows. Tokens that say where a list goes on. */
const PLAIN = 'idempotency|cache|surrogate|routing|partition|sort|primary|foreign|row|group|public|continuation|page|next|sync|cursor';
const NAME = [
  '(?:proxy-)?authorization',
  '(?:set-)?cookie',
  '[\\w-]{0,40}api[-_]?key',
  `x-(?!(?:[\\w-]{0,40}-)?(?:${PLAIN})-)(?:[\\w-]{1,40}-)?(?:key|token|secret)`,
  'x-amz-signature',
].join('|');
const HEADER_NAME = new RegExp(`^(?:${NAME})$`, 'i');
/** Four characters of each, by which a text that may hold one is told. */
export const HEADER_TRIGGERS: readonly string[] = ['auth', 'cook', 'apik', 'api-', 'api_', '-key', '-tok', '-sec', 'x-am'];

const QUOTED = [String.raw`"(?:[^"\\\r\n]|\\.)*"?`, String.raw`'(?:[^'\\\r\n]|\\.)*'?`, String.raw`\\+"(?:(?!\\+").)*`].join('|');
const LIST = String.raw`\[[^\]]{0,8192}\]?`;
/** A list, a quoted text, a text in escaped quotes, or the rest of the line: what a header's name is followed by. */
const VALUES = [LIST, QUOTED, String.raw`[^\s][^\r\n]*`].join('|');
/** Bounded, as all that may be long and lead nowhere. */
const QUOTE = String.raw`\\{0,31}["']`;
const GAP = String.raw`\s{0,80}`;
const COMMA_GAP = String.raw`${GAP}(?:,${GAP})?`;
const VALUE_WORD = String.raw`(?:raw_?)?value(?:${QUOTE})?${GAP}[:=]${GAP}`;
/** Behind an empty value, on a line of its own that is indented: it was folded, or is a list in YAML. No other field. */
const FOLDED = String.raw`\r?\n[ \t]{1,80}(?:- )?(?![\w.-]{1,80}[ \t]{0,8}:(?:\s|$))`;

const AFTER_NAME = [
  String.raw`${QUOTE}${COMMA_GAP}(?:${QUOTE})?${VALUE_WORD}`,
  String.raw`[ \t,]{1,80}(?:${QUOTE})?${VALUE_WORD}`,
  // A quoted name may be followed by a comma: that is how raw headers are listed, also over lines.
  String.raw`${QUOTE}${GAP}[:=,](?:[ \t]*|${GAP}(?=["'\[\\]))`,
  String.raw`${GAP}[:=][ \t]*(?:${FOLDED})?`,
].join('|');
const HEADER = new RegExp(String.raw`(?<![\w-])(?:${NAME})(?:${AFTER_NAME})(${VALUES})`, 'dgi');
const THEN_NAME = String.raw`(?:${QUOTE})?${COMMA_GAP}(?:${QUOTE})?(?:name|key|header)(?:${QUOTE})?${GAP}[:=]${GAP}${QUOTE}(?:${NAME})${QUOTE}`;
/** Taken whole or not at all: given back one by one, the characters of a padded line would each be tried as the end of the value. */
const CLOSED = [String.raw`"(?:[^"\\\r\n]|\\.)*"`, String.raw`'(?:[^'\\\r\n]|\\.)*'`, String.raw`\\+"(?:(?!\\+").)*\\+"`].join('|');
const VALUE_FIRST = new RegExp(String.raw`(?<![\w-])${VALUE_WORD}(?=(${CLOSED}))\1${THEN_NAME}`, 'dgi');
/** As archives of requests list them; empty ones hide nothing. */
const COOKIES = new RegExp(String.raw`(?<=["'])cookies${QUOTE}${GAP}:${GAP}(\[(?!\s*\])[^\]]{0,8192}\]?|\{(?!\s*\})[^}]{0,8192}\}?)`, 'dgi');

export const HEADERS = [HEADER, VALUE_FIRST, COOKIES] as const;

export const isSecretHeader = (name: string): boolean => HEADER_NAME.test(name);

/** So much of the end of a text is looked at. */
const LONGEST_BEGIN = 256;
const WORD_BEGUN = String.raw`(?:raw?)?_?(?:v|va|val|valu|value)?`;
const NAME_ENDED = [
  String.raw`(?:${NAME}|cookies)${QUOTE}\s*(?:[:=,]\s*)?(?:(?:${QUOTE})?${WORD_BEGUN}(?:${QUOTE})?\s*(?:[:=]\s*)?)?`,
  String.raw`(?:${NAME})\s*[:=][ \t]*(?:\r?\n?[ \t]*(?:-[ \t]*)?)?`,
  String.raw`(?:${NAME})[ \t,]+${WORD_BEGUN}[ \t]*(?:[:=]\s*)?`,
].join('|');
const BEGUN = new RegExp(String.raw`(?<![\w-])(?:${NAME_ENDED})$`, 'i');

/** Where a header begins of which no value has come yet; the text's length: none does. */
export const headerBegun = (text: string): number => {
  const before = Math.max(0, text.length - LONGEST_BEGIN);
  const begun = BEGUN.exec(text.slice(before));
  return begun === null ? text.length : before + begun.index;
};

const NAMES_ONE = /^(?:name|key|header)$/i;
const VALUES_ONE = /^(?:raw_?)?value$/i;

/** Which values of an object are secrets, for a header or a cookie stands in it. @param isCookie whatever its name is */
export const secretKeys = (fields: Readonly<Record<string, unknown>>, isCookie = false): ((key: string) => boolean) => {
  const namesOne = ([key, value]: readonly [string, unknown]): boolean =>
    NAMES_ONE.test(key) && typeof value === 'string' && isSecretHeader(value);
  const isPair = isCookie || Object.entries(fields).some(namesOne);
  return (key) => isSecretHeader(key) || (isPair && VALUES_ONE.test(key));
};
