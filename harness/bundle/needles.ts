// Finds many texts in one pass. The writer asks about every line of a run, and most lines hold none: so one look at
// four characters in a table says no, and only what the table knows is compared. Grows while it is used: keys of
// accounts are made during a run. Short of an automaton, since a table costs nothing to add to.

/** A match; `to` is behind its last character. */
export type Hit = { readonly from: number; readonly to: number };

export type Scan = { readonly hits: readonly Hit[]; /** One of the triggers stands there. */ readonly triggered: boolean };

export type Needles = {
  /**
   * @param least characters of its beginning that are a match already: what was cut short is found too. At least 4
   * @param before what may stand before it, as much of its end as there is: a match begins with that
   */
  readonly add: (text: string, least?: number, before?: string) => void;
  readonly scan: (text: string) => Scan;
  /** From where on a text that began already may go on behind the end; the text's length where none has. */
  readonly openFrom: (text: string) => number;
  /** Length of the longest. */
  readonly longest: () => number;
};

type Needle = { readonly text: string; readonly least: number; readonly before: string };

export const GRAM = 4;
const BITS = 18;
const MASK = (1 << BITS) - 1;
/** With this shift four characters fill the table's index, and the fifth is out of it. */
const SHIFT = 5;
const IS_NEEDLE = 1;
const IS_TRIGGER = 2;
const NOTHING: Scan = { hits: [], triggered: false };

/** Blind to the case of letters: triggers are, and needles are compared anyway. */
const push = (hash: number, code: number): number => ((hash << SHIFT) ^ (code | 32)) & MASK;

const hashAt = (text: string, at: number): number => {
  let hash = 0;
  for (let index = at; index < at + GRAM; index += 1) hash = push(hash, text.charCodeAt(index));
  return hash;
};

/** How many characters of the needle stand at that place. */
const commonLength = (text: string, at: number, needle: string): number => {
  const limit = Math.min(needle.length, text.length - at);
  let length = 0;
  while (length < limit && text.charCodeAt(at + length) === needle.charCodeAt(length)) length += 1;
  return length;
};

/** How many characters before that place are the end of `before`. */
const commonBefore = (text: string, at: number, before: string): number => {
  const limit = Math.min(before.length, at);
  let length = 0;
  while (length < limit && text.charCodeAt(at - 1 - length) === before.charCodeAt(before.length - 1 - length)) length += 1;
  return length;
};

type Buckets = ReadonlyMap<number, readonly Needle[]>;

/** The longest match at a place whose four characters are those of some needle. */
const matchAt = (buckets: Buckets, text: string, at: number, hash: number): Hit | null => {
  let from = at;
  let to = 0;
  for (const needle of buckets.get(hash) ?? []) {
    const length = commonLength(text, at, needle.text);
    if (length < needle.least) continue;
    to = Math.max(to, at + length);
    from = Math.min(from, at - commonBefore(text, at, needle.before));
  }
  return to === 0 ? null : { from, to };
};

/** Whether all from that place on is the beginning of some needle that is longer. */
const isOpenAt = (buckets: Buckets, beginnings: ReadonlySet<string>, text: string, at: number): boolean => {
  const left = text.length - at;
  if (left < GRAM) return beginnings.has(text.slice(at));
  const candidates = buckets.get(hashAt(text, at)) ?? [];
  return candidates.some((needle) => needle.text.length > left && commonLength(text, at, needle.text) === left);
};

const tableOf = (triggers: readonly string[]): Uint8Array => {
  const table = new Uint8Array(MASK + 1);
  for (const trigger of triggers) table[hashAt(trigger, 0)]! |= IS_TRIGGER;
  return table;
};

/** The table of each list of triggers: hundreds of runs side by side know no more, and share it. */
const tables = new WeakMap<readonly string[], Uint8Array>();

const sharedTableOf = (triggers: readonly string[]): Uint8Array => {
  const table = tables.get(triggers) ?? tableOf(triggers);
  tables.set(triggers, table);
  return table;
};

/** @param triggers of four characters each, of any case */
export const createNeedles = (triggers: readonly string[]): Needles => {
  let table = sharedTableOf(triggers);
  const buckets = new Map<number, Needle[]>();
  const beginnings = new Set<string>();
  const known = new Set<string>();
  let longest = 0;

  return {
    add: (text, least = text.length, before = '') => {
      if (known.has(text)) return;
      // What is added is this one's alone.
      if (known.size === 0) table = table.slice();
      known.add(text);
      longest = Math.max(longest, text.length);
      const hash = hashAt(text, 0);
      table[hash]! |= IS_NEEDLE;
      const bucket = buckets.get(hash);
      if (bucket) bucket.push({ text, least, before });
      else buckets.set(hash, [{ text, least, before }]);
      for (let length = 1; length < GRAM; length += 1) beginnings.add(text.slice(0, length));
    },
    scan: (text) => {
      let hash = 0;
      let triggered = false;
      let hits: Hit[] | undefined;
      const { length } = text;
      for (let at = 0; at < length; at += 1) {
        hash = ((hash << SHIFT) ^ (text.charCodeAt(at) | 32)) & MASK;
        const found = table[hash]!;
        if (found === 0 || at < GRAM - 1) continue;
        if ((found & IS_TRIGGER) !== 0) triggered = true;
        const hit = (found & IS_NEEDLE) === 0 ? null : matchAt(buckets, text, at - GRAM + 1, hash);
        if (hit) (hits ??= []).push(hit);
      }
      return hits ? { hits, triggered } : triggered ? { hits: [], triggered } : NOTHING;
    },
    openFrom: (text) => {
      for (let at = Math.max(0, text.length - longest + 1); at < text.length; at += 1)
        if (isOpenAt(buckets, beginnings, text, at)) return at;
      return text.length;
    },
    longest: () => longest,
  };
};
