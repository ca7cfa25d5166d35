// The order of Maven's versions, by its own published rules (POM Reference, "Version Order Specification"); no package that is kept
// has them alone. The test beside it holds this against Maven's own class.

type Token = { readonly separator: '.' | '-'; readonly value: number | string };

/** Before a release, in this order; the empty one is the release itself, `sp` comes after it, and any other word after that. */
const QUALIFIERS: readonly string[] = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp'];
const ALIASES: Readonly<Record<string, string>> = { cr: 'rc', ga: '', final: '', release: '' };
const SHORT: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', m: 'milestone' };

const isNull = ({ value }: Token): boolean => value === 0 || value === '';

/** What says nothing at the end, before a hyphen and before a word is left out: 1.0.0-foo and 1.0.foo are 1-foo. */
const trimmed = (tokens: readonly Token[]): readonly Token[] => {
  const kept: Token[] = [];
  for (const token of tokens) {
    if (token.separator === '-' || typeof token.value === 'string') while (kept.length > 0 && isNull(kept.at(-1)!)) kept.pop();
    kept.push(token);
  }
  while (kept.length > 0 && isNull(kept.at(-1)!)) kept.pop();
  return kept;
};

const tokensOf = (version: string): readonly Token[] => {
  const found: Token[] = [];
  let separator: Token['separator'] = '-';
  const parts = version.toLowerCase().split(/([.-])/);
  for (const part of parts) {
    if (part === '.' || part === '-') {
      separator = part;
      continue;
    }
    const words = part === '' ? ['0'] : part.match(/\d+|\D+/g)!;
    for (const [index, word] of words.entries()) {
      const isShort = index + 1 < words.length && Object.hasOwn(SHORT, word);
      const value = /^\d/.test(word) ? Number(word) : isShort ? SHORT[word]! : (ALIASES[word] ?? word);
      // A change between digits and letters is a hyphen.
      found.push({ separator: index === 0 ? separator : '-', value });
    }
  }
  return trimmed(found);
};

const rankOf = (word: string): number => (QUALIFIERS.includes(word) ? QUALIFIERS.indexOf(word) : QUALIFIERS.length);

const compareWords = (a: string, b: string): number => rankOf(a) - rankOf(b) || (a < b ? -1 : a > b ? 1 : 0);

const compareTokens = (a: Token, b: Token): number => {
  if (typeof a.value === 'number' && typeof b.value === 'number')
    return a.separator === b.separator ? a.value - b.value : a.separator === '.' ? 1 : -1;
  if (typeof a.value === 'string' && typeof b.value === 'string') return compareWords(a.value, b.value);
  return typeof a.value === 'number' ? 1 : -1;
};

/** What the shorter one is compared with. */
const padding = ({ separator, value }: Token): Token => ({ separator, value: typeof value === 'number' ? 0 : '' });

/** Negative, zero or positive. */
export const compareMaven = (a: string, b: string): number => {
  const [left, right] = [tokensOf(a), tokensOf(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [one, other] = [left[index], right[index]];
    const order = compareTokens(one ?? padding(other!), other ?? padding(one!));
    if (order !== 0) return order;
  }
  return 0;
};

/** Whether it is called something that comes before a release. */
export const isMavenPreRelease = (version: string): boolean =>
  tokensOf(version).some(({ value }) => typeof value === 'string' && QUALIFIERS.indexOf(value) >= 0 && rankOf(value) < QUALIFIERS.indexOf(''));
