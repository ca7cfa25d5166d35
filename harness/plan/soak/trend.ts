// Says of each thing that was read all night whether it grows, is flat, or that nobody can tell, and why. What grows must be more than
// chance (with all questions of the night taken together), more than matters, and must go on growing: a cache that fills is no leak.
import { median } from '../../model/median.ts';
import type { MeasureName, Trend } from '../../model/soak.ts';
import { formatMs } from '../../model/time.ts';
import { adjustedForMany, slopeOf, testTrend } from './statistics.ts';
import type { Point } from './statistics.ts';

export type Question = {
  readonly of: string;
  readonly how: string;
  readonly measure: MeasureName;
  readonly points: readonly Point[];
  readonly readings: number;
  /** The first part is a process that is still filling its caches. */
  readonly warmsUp: boolean;
  /** Why what did not grow says nothing, or nothing of it. */
  readonly doubt?: string | null;
};

/** Of a whole night, whatever is asked: how often one flat thing or more is accused. */
const ALPHA = 0.01;
const CONFIDENCE = 0.95;
/** Fewer say nothing: the test could not reach its level with them. */
const MINIMUM_POINTS = 12;
/** Blocks of a long series: neighbours resemble each other, medians of blocks hardly do. */
const MAXIMUM_BLOCKS = 48;
/** A process that warms up is not warm in less, and what is still being compiled looks like a leak; nothing that is seen in less is true of a night. */
const SHORTEST_MS = 10 * 60_000;
const WARM_UP_SHARE = 0.25;
const WARM_UP_AT_MOST_MS = 30 * 60_000;
const LEAST_STEP = 0.4;
const STRETCHES = 8;
/** Student's t for seven steps, one-sided, at one in fifty. */
const STUDENT = 2.6;
const HOUR_MS = 3_600_000;
const MEBIBYTE = 1024 * 1024;

/** What is called flat must stay below what matters for as long as a night is, however short it was watched. */
const HORIZON_MS = 8 * HOUR_MS;
/** Of things that are counted: whoever saw none come within the time that was watched knows of nothing slower than one in that time. */
const WHOLE: Partial<Record<MeasureName, number>> = { fds: 1, sockets: 1, reserved: 1 };
/** One that is lost in a night cannot be told from none within it; as many as this can. */
const LEAST_WHOLE = 3;

/** Growth within the time that was watched which nobody would look into. */
const matters = (measure: MeasureName, level: number): number => {
  switch (measure) {
    case 'memory': return Math.max(4 * MEBIBYTE, 0.05 * level);
    case 'heap': return Math.max(2 * MEBIBYTE, 0.05 * level);
    case 'fds': case 'sockets': return 3;
    case 'reserved': return 1;
    case 'lag': return Math.max(20, level);
  }
};

/** A number of that measure as people read it. */
export const measured = (measure: MeasureName, value: number): string => {
  const size = Math.abs(value);
  const digits = (scaled: number): string => scaled.toFixed(size === 0 || Math.abs(scaled) >= 100 ? 0 : Math.abs(scaled) >= 10 ? 1 : 2);
  switch (measure) {
    case 'memory': case 'heap': return `${digits(value / MEBIBYTE)} MiB`;
    case 'lag': return `${digits(value)} ms`;
    default: return digits(value);
  }
};

const withoutWarmUp = ({ points, warmsUp }: Question): readonly Point[] => {
  const [first, last] = [points[0], points.at(-1)];
  if (!warmsUp || !first || !last) return points;
  const fromMs = first.at + Math.min(WARM_UP_AT_MOST_MS, WARM_UP_SHARE * (last.at - first.at));
  return points.filter(({ at }) => at >= fromMs);
};

/** Medians of equal numbers of neighbours. */
const blocksOf = (points: readonly Point[], maximum = MAXIMUM_BLOCKS): readonly Point[] => {
  const size = Math.ceil(points.length / maximum);
  return Array.from({ length: Math.ceil(points.length / size) }, (_, block) => points.slice(block * size, (block + 1) * size)).map((part) => ({
    at: median(part.map(({ at }) => at)),
    value: median(part.map(({ value }) => value)),
  }));
};

/** Each quarter of the time is above the one before, by no less than a share of what the others are: what leaks does not tire. */
const isSteady = (blocks: readonly Point[]): boolean => {
  const quarter = (index: number): number =>
    median(blocks.slice(Math.floor((index * blocks.length) / 4), Math.floor(((index + 1) * blocks.length) / 4)).map(({ value }) => value));
  const steps = [quarter(1) - quarter(0), quarter(2) - quarter(1), quarter(3) - quarter(2)];
  const mean = (steps[0]! + steps[1]! + steps[2]!) / 3;
  return mean > 0 && steps.every((step) => step >= mean * LEAST_STEP);
};

/**
 * More than a thing does that only wanders, each value near the last one: its steps from stretch to stretch have a mean of nothing.
 * Readings that resemble their neighbours for minutes look like a trend to any test that takes them for independent.
 */
const isMoreThanWandering = (blocks: readonly Point[]): boolean => {
  const values = blocksOf(blocks, STRETCHES).map(({ value }) => value);
  const steps = values.slice(1).map((value, index) => value - values[index]!);
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  const variance = steps.reduce((sum, step) => sum + (step - mean) ** 2, 0) / (steps.length - 1);
  return mean > STUDENT * Math.sqrt(variance / steps.length);
};

type Weighed = { readonly question: Question; readonly blocks: readonly Point[]; readonly why: string | null; readonly p: number | null };

/** Why nothing can be asked of it, or null. */
const whyTooLittle = (blocks: readonly Point[], { warmsUp }: Question): string | null => {
  const after = warmsUp ? ' after it had warmed up' : '';
  if (blocks.length < MINIMUM_POINTS) return `only ${blocks.length} readings${after}, ${MINIMUM_POINTS} are needed: soak longer`;
  const spanMs = blocks.at(-1)!.at - blocks[0]!.at;
  return spanMs < SHORTEST_MS ? `only ${formatMs(spanMs)} were watched${after}, ${formatMs(SHORTEST_MS)} are needed: soak longer` : null;
};

const weigh = (question: Question): Weighed => {
  const points = withoutWarmUp(question);
  const blocks = points.length === 0 ? [] : blocksOf(points);
  const why = whyTooLittle(blocks, question);
  return { question, blocks, why, p: why === null ? testTrend(blocks).pUp : null };
};

const chance = (p: number): string => (p < 0.0001 ? 'p < 0.0001' : `p = ${p.toPrecision(2)}`);

type Said = Pick<Trend, 'outcome' | 'why' | 'perHour'>;

/** @param p made up for all questions */
const conclude = ({ question: { measure }, blocks }: Weighed, p: number): Said => {
  const spanMs = blocks.at(-1)!.at - blocks[0]!.at;
  const { slope, low, high } = slopeOf(blocks, CONFIDENCE);
  const bound = matters(measure, median(blocks.map(({ value }) => value)));
  const [grown, atMost] = [slope * spanMs, high * spanMs];
  const show = (value: number): string => measured(measure, value);
  const perHour = { slope: slope * HOUR_MS, low: low * HOUR_MS, high: high * HOUR_MS };
  const interval = `${show(perHour.slope)} an hour (${show(perHour.low)} to ${show(perHour.high)})`;
  const watched = `in ${formatMs(spanMs)}`;
  if (p < ALPHA && grown >= bound)
    return isSteady(blocks) && isMoreThanWandering(blocks)
      ? { outcome: 'grows', why: `by ${interval}, ${show(grown)} ${watched}; by chance ${chance(p)}`, perHour }
      : { outcome: 'cannot-tell', why: `it has grown, by ${show(grown)} ${watched}, but not all along: look at the picture, and soak longer`, perHour };
  const whole = WHOLE[measure] ?? 0;
  // The slowest leak that can be excluded.
  const seenFrom = Math.max(high, whole / spanMs);
  const horizonMs = Math.max(spanMs, HORIZON_MS);
  const hours = `${Math.round(horizonMs / HOUR_MS)} h`;
  const allowed = whole > 0 ? Math.max(LEAST_WHOLE, bound) : bound;
  if (atMost < bound && seenFrom * horizonMs < allowed)
    return { outcome: 'flat', why: `${interval}; less than ${show(allowed)} in ${hours}, which is what would matter`, perHour };
  if (atMost < bound) {
    const why = `nothing that matters was seen ${watched}, but only a leak of more than ${show(seenFrom * HOUR_MS)} an hour can be excluded by that; ` +
      `${show(allowed)} in ${hours} would matter: soak longer, or let one system live longer (--live)`;
    return { outcome: 'cannot-tell', why, perHour };
  }
  return {
    outcome: 'cannot-tell',
    why: `between ${show(perHour.low)} and ${show(perHour.high)} an hour: too few or too uneven readings ${watched} to exclude ${show(bound)}; soak longer`,
    perHour,
  };
};

const isGrowingLag = ({ measure, outcome }: Trend): boolean => measure === 'lag' && outcome === 'grows';

/**
 * Who waits longer and longer for a processor may only have busier neighbours. Where hangup waits longer too, nobody can say whose it is;
 * and of hangup itself nobody can, unless it has grown in something else as well.
 */
const withoutBusyMachine = (trends: readonly Trend[]): readonly Trend[] => {
  if (!trends.some((trend) => trend.of === 'hangup' && isGrowingLag(trend))) return trends;
  const hasGrown = trends.some(({ of, measure, outcome }) => of === 'hangup' && measure !== 'lag' && outcome === 'grows');
  return trends.map((trend): Trend => {
    if (!isGrowingLag(trend) || (trend.of === 'hangup' && hasGrown)) return trend;
    const why = trend.of === 'hangup' ? 'nothing else of hangup has, so it may be the machine that was busier' : 'so has the lag of hangup, so it may be the machine that was busier';
    return { ...trend, outcome: 'cannot-tell', why: `it has grown ${trend.why}; but ${why}` };
  });
};

/** What was not asked to do anything any more takes no more and no less. */
const unlessDoubted = (said: Said, doubt: string | null | undefined): Said =>
  doubt && said.outcome === 'flat' ? { ...said, outcome: 'cannot-tell', why: `${said.why}; but ${doubt}` } : said;

/** All questions of a night at once, since asking many makes chance look like growth. In the order given. */
export const judgeTrends = (questions: readonly Question[]): readonly Trend[] => {
  const weighed = questions.map(weigh);
  const asked = weighed.flatMap(({ p }) => (p === null ? [] : [p]));
  const adjusted = adjustedForMany(asked);
  let next = 0;
  return withoutBusyMachine(weighed.map((each): Trend => {
    const { question: { of, how, measure, points, readings }, blocks, p } = each;
    const made = p === null ? null : adjusted[next++]!;
    const said = unlessDoubted(made === null ? { outcome: 'cannot-tell', why: each.why!, perHour: null } : conclude(each, made), each.question.doubt);
    return { of, how, measure, ...said, p: made, readings, points, fromMs: blocks[0]?.at ?? 0 };
  }));
};
