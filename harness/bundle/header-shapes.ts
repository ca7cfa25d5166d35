// Headers whose values are secrets, and how programs write a header down: as a line, a field of JSON, a list of names and values,
// an object or an element with a name and a value.

/** Keys that are none: of caches, requests that are repeated, rows. Tokens that say where a list goes on. */
const PLAIN = 'idempotency|cache|surrogate|routing|partition|sort|primary|foreign|row|group|public|continuation|page|next|sync|cursor';
const NAME = [
  // As a variable of CGI too.
  '(?:http_)?(?:proxy[-_])?authorization',
  '(?:http_)?(?:set-)?cookie',
  '[\\w-]{0,40}api[-_]?key',
  `x-(?!(?:[\\w-]{0,40}-)?(?:${PLAIN})-)(?:[\\w-]{1,40}-)?(?:key|token|secret)`,
  'x-amz-signature',
].join('|');
const HEADER_NAME = new RegExp(`^(?:${NAME})$`, 'i');
/** Wherever it stands in a text, what is behind it is hidden. */
const HIDING_NAME = new RegExp(`(?:(?<![\\w-])(?:${NAME}|cookies)|\\bbearer)$`, 'i');
/** Four characters of each, by which a text that may hold one is told. */
export const HEADER_TRIGGERS: readonly string[] = ['auth', 'cook', 'apik', 'api-', 'api_', '-key', '-tok', '-sec', 'x-am'];

const QUOTED = [String.raw`"(?:[^"\\\r\n]|\\.)*"?`, String.raw`'(?:[^'\\\r\n]|\\.)*'?`, String.raw`\\+"(?:(?!\\+").)*`].join('|');
/** In quotes nothing ends a list, nor in escaped ones or where the text breaks off in them. A quote that ends nowhere is a sign as any other. */
const IN_QUOTES = [
  String.raw`(?<deep>\\+)"(?:(?!(?<!\\)\k<deep>")[^\r\n]){0,4096}(?:(?<!\\)\k<deep>"|$)`,
  String.raw`"(?:[^"\\\r\n]|\\.){0,4096}(?:"|$)`,
  String.raw`'(?:[^'\\\r\n]|\\.){0,4096}(?:'|$)`,
].join('|');
const itemsUntil = (end: string): string => String.raw`(?:${IN_QUOTES}|[^${end}"'\\]{1,16}|["'\\]){0,1024}`;
/** In Go `[]` is the begin of a type, and the list follows in other brackets. */
const LIST = String.raw`\[(?!\]\w)${itemsUntil(String.raw`\]`)}\]?`;
/** A list, a quoted text, a text in escaped quotes, or the rest of the line: what a header's name is followed by. */
const VALUES = [LIST, QUOTED, String.raw`[^\s][^\r\n]*`].join('|');
/** Bounded, as all that may be long and lead nowhere. */
const QUOTE = String.raw`\\{0,31}["']`;
const GAP = String.raw`\s{0,80}`;
const COMMA_GAP = String.raw`${GAP}(?:,${GAP})?`;
const VALUE_WORD = String.raw`(?:raw_?)?values?(?:${QUOTE})?${GAP}[:=]${GAP}`;
const NAME_WORD = String.raw`(?:name|key|header)(?:${QUOTE})?[ \t]{0,8}[:=][ \t]{0,8}`;
/** Of a name and a value on lines of their own, as YAML has them. */
const NEXT_LINE = String.raw`(?=[ \t]{0,8}\r?\n)(?<=${NAME_WORD}[\w-]{1,60})[ \t]{0,8}\r?\n[ \t]{1,80}`;
/** As servers and proxies are told to set one: a value in quotes, which may be cut off. */
const SET_TO = String.raw`[ \t]{1,80}(?="[^"\r\n]{0,8192}(?:"|$)|'[^'\r\n]{0,8192}(?:'|$))`;
/** Behind an empty value, on a line of its own that is indented: it was folded, or is a list in YAML. No other field. */
const FOLDED = String.raw`\r?\n[ \t]{1,80}(?:- )?(?![\w.-]{1,80}[ \t]{0,8}:(?:\s|$))`;

const AFTER_NAME = [
  String.raw`${QUOTE}${COMMA_GAP}(?:${QUOTE})?${VALUE_WORD}`,
  String.raw`(?:[ \t,]{1,80}|${NEXT_LINE})(?:${QUOTE})?${VALUE_WORD}`,
  // A quoted name may be followed by a comma: that is how raw headers are listed, also over lines.
  String.raw`${QUOTE}${GAP}[:=,](?:[ \t]*|${GAP}(?=["'\[\\]))`,
  String.raw`${GAP}[:=][ \t]*(?:${FOLDED})?`,
  SET_TO,
].join('|');
/** Not as the name of a variable, behind which stands what is taken where nobody gives one: `${cookie:none}`. */
const HEADER = new RegExp(String.raw`(?<![\w-]|\$\{)(?:${NAME})(?:${AFTER_NAME})(${VALUES})`, 'dgi');
const THEN_NAME = String.raw`(?:${QUOTE})?${COMMA_GAP}(?:${QUOTE})?(?:name|key|header)(?:${QUOTE})?${GAP}[:=]${GAP}${QUOTE}(?:${NAME})${QUOTE}`;
/** Taken whole or not at all: given back one by one, the characters of a padded line would each be tried as the end of the value. */
const CLOSED_TEXT = [String.raw`"(?:[^"\\\r\n]|\\.)*"`, String.raw`'(?:[^'\\\r\n]|\\.)*'`, String.raw`\\+"(?:(?!\\+").)*\\+"`].join('|');
const CLOSED = String.raw`${CLOSED_TEXT}|\[(?:${CLOSED_TEXT}|[^\]"'\\]){0,512}\]`;
const VALUE_ALONE = String.raw`(?<![\w-])${VALUE_WORD}(?=(${CLOSED}))\1`;
const VALUE_FIRST = new RegExp(String.raw`${VALUE_ALONE}${THEN_NAME}`, 'dgi');
/** As archives of requests list them; empty ones hide nothing. */
const cookies = (begin: string, end: string): RegExp =>
  new RegExp(String.raw`(?<=["'])cookies${QUOTE}${GAP}:${GAP}(${begin}(?!\s*${end})${itemsUntil(end)}${end}?)`, 'dgi');

export const HEADERS = [HEADER, VALUE_FIRST, cookies(String.raw`\[`, String.raw`\]`), cookies(String.raw`\{`, String.raw`\}`)] as const;

export const isSecretHeader = (name: string): boolean => HEADER_NAME.test(name);

/** Nothing that is told apart by what follows its name may be called so: an axis, a client, an upstream. */
export const hidesWhatFollows = (name: string): boolean => HIDING_NAME.test(name);

/** So much of the end of a text is looked at. */
const LONGEST_BEGIN = 256;
const WORD_BEGUN = String.raw`(?:r(?:aw?)?)?_?(?:v|va|val|valu|values?)?`;
const NAME_ENDED = [
  String.raw`(?:${NAME}|cookies)${QUOTE}\s*(?:[:=,]\s*)?(?:(?:${QUOTE})?${WORD_BEGUN}(?:${QUOTE})?\s*(?:[:=]\s*)?)?`,
  String.raw`(?:${NAME})\s*[:=][ \t]*(?:\r?\n?[ \t]*(?:-[ \t]*)?)?`,
  String.raw`(?:${NAME})[ \t,]+${WORD_BEGUN}[ \t]*(?:[:=]\s*)?`,
  String.raw`${NAME_WORD}(?:${NAME})[ \t]{0,8}(?:\r?\n?[ \t]{0,80}(?:${QUOTE})?${WORD_BEGUN}(?:${QUOTE})?[ \t]{0,8}(?:[:=]\s*)?)?`,
].join('|');
const BEGUN = new RegExp(String.raw`(?<![\w-]|\$\{)(?:${NAME_ENDED})$`, 'i');

/** A value with its name behind it, which may be on the next line. */
const LONGEST_VALUE = 8192;
const NAME_BEGUN = String.raw`[\\"']{0,34}(?:[a-z]{1,6}[\\"']{0,34}${GAP}(?:[:=]${GAP}(?:[\\"']{1,34}[\w-]{0,60})?)?)?`;
const VALUE_BEGUN = new RegExp(String.raw`${VALUE_ALONE}${COMMA_GAP}${NAME_BEGUN}$`, 'i');

const beginOf = (pattern: RegExp, longest: number, text: string): number => {
  const before = Math.max(0, text.length - longest);
  const begun = pattern.exec(text.slice(before));
  return begun === null ? text.length : before + begun.index;
};

/**
 * Where a header begins of which not all has come yet; the text's length: none does.
 * @param isWhole whole lines are kept, and nobody waits for one: also where only a value has come, whose name may follow
 */
export const headerBegun = (text: string, isWhole: boolean): number =>
  Math.min(beginOf(BEGUN, LONGEST_BEGIN, text), isWhole ? beginOf(VALUE_BEGUN, LONGEST_VALUE, text) : text.length);

const NAMES_ONE = /^(?:name|key|header)$/i;
const VALUES_ONE = /^(?:raw_?)?values?$/i;

/** Which values of an object are secrets, for a header or a cookie stands in it. @param isCookie whatever its name is */
export const secretKeys = (fields: Readonly<Record<string, unknown>>, isCookie = false): ((key: string) => boolean) => {
  const namesOne = ([key, value]: readonly [string, unknown]): boolean =>
    NAMES_ONE.test(key) && typeof value === 'string' && isSecretHeader(value);
  const isPair = isCookie || Object.entries(fields).some(namesOne);
  return (key) => isSecretHeader(key) || (isPair && VALUES_ONE.test(key));
};
