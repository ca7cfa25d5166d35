// What is believed of failure rates before anything was seen. A symptom is often certain where it is and
// impossible where it is not, so both have weight of their own; between them is Jeffreys' prior, whose
// integral over nodes spaced evenly in angle is a plain sum (Gauss-Chebyshev; exact to 63 runs).

const NODES = 32;
const ALWAYS_AFTER = 0.25;
const NEVER_BEFORE = 0.7;
/** A rate of those that are "good" is rather small: a node's weight falls with this power of what is left to 1. */
const BEFORE_FALLS = 4;
/** A difference of less than this in odds is none that a search could find. */
const ODDS_RATIO = 2;
const SAME_NEVER = 0.4;
const SAME_ALWAYS = 0.2;

/** Rates in (0, 1), rising, each as likely as another, below 0 and above 1. Ends are exact. */
export const RATES: readonly number[] = [
  0,
  ...Array.from({ length: NODES }, (_, index) => Math.sin((Math.PI * (2 * index + 1)) / (4 * NODES)) ** 2),
  1,
];

const LAST = RATES.length - 1;

/** How likely one rate is for all versions, where nothing changes. */
export const SAME_PRIOR: readonly number[] = RATES.map((_, index) =>
  index === 0 ? SAME_NEVER : index === LAST ? SAME_ALWAYS : (1 - SAME_NEVER - SAME_ALWAYS) / NODES);

/** Pairs of rates, after well above before: indices into RATES, and how likely each pair is. The sum is 1. */
export type Pairs = { readonly after: Int32Array; readonly before: Int32Array; readonly weight: Float64Array };

const odds = (rate: number): number => rate / (1 - rate);
const differ = (after: number, before: number): boolean => before < 1 && after > 0 && odds(after) >= ODDS_RATIO * odds(before);

const fallen = (rate: number): number => (1 - rate) ** BEFORE_FALLS;
const fallenSum = RATES.slice(1, -1).reduce((sum, rate) => sum + fallen(rate), 0);

const pairs = (): Pairs => {
  const all = RATES.flatMap((_, after) => RATES.flatMap((__, before) => (differ(RATES[after]!, RATES[before]!) ? [{ after, before }] : [])));
  const weightOf = ({ after, before }: { readonly after: number; readonly before: number }): number =>
    (after === LAST ? ALWAYS_AFTER : (1 - ALWAYS_AFTER) / NODES) * (before === 0 ? NEVER_BEFORE : ((1 - NEVER_BEFORE) * fallen(RATES[before]!)) / fallenSum);
  const sum = all.reduce((total, pair) => total + weightOf(pair), 0);
  return {
    after: Int32Array.from(all, ({ after }) => after),
    before: Int32Array.from(all, ({ before }) => before),
    weight: Float64Array.from(all, (pair) => weightOf(pair) / sum),
  };
};

export const PAIRS: Pairs = pairs();
/** The same as rates, for inner loops. */
export const AFTER = Float64Array.from(PAIRS.after, (index) => RATES[index]!);
export const BEFORE = Float64Array.from(PAIRS.before, (index) => RATES[index]!);
