// What `hangup bisect` was asked to do, read from the command line and checked at once.
import { problem } from '../model/problem.ts';
import type { Jobs } from '../plan/jobs.ts';
import { splitList } from './run-options.ts';

/** One of the axes: as it was written, with the ends that were named. */
export type AxisWish = {
  readonly axis: string;
  /** As written: values, ranges, `*`; empty: all that the card's source offers. */
  readonly values: readonly string[];
  readonly good: string | null;
  readonly bad: string | null;
};

export type BisectOptions = {
  readonly path: string;
  readonly system: string | null;
  readonly where: Readonly<Record<string, readonly string[]>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly defects: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
  readonly axes: readonly AxisWish[];
  readonly findGood: boolean;
  readonly symptom: string | null;
  /** 0 to 1. */
  readonly confidence: number;
  readonly maxProbes: number;
  /** Runs of the bad end in which the symptom must have been seen once. */
  readonly endRuns: number;
  readonly jobs: Jobs;
  readonly runtime: 'auto' | 'docker' | 'process';
  readonly output: string | null;
  readonly fresh: boolean;
  readonly dryRun: boolean;
};

export type BisectFlags = {
  readonly system?: string;
  readonly where?: BisectOptions['where'];
  readonly var?: BisectOptions['variables'];
  readonly defect?: readonly string[];
  readonly secret?: BisectOptions['secrets'];
  readonly axis?: readonly (readonly [string, readonly string[]])[];
  readonly good?: readonly string[];
  readonly bad?: readonly string[];
  readonly findGood?: boolean;
  readonly symptom?: string;
  readonly confidence: number;
  readonly maxProbes: number;
  readonly endRuns: number;
  readonly jobs?: Jobs;
  readonly runtime: BisectOptions['runtime'];
  readonly output?: string;
  readonly fresh?: boolean;
  readonly dryRun?: boolean;
};

const wrong = (message: string, hint: string): Error => problem('scenario', 'bad-option', message, { hint });

/** `version`, or `version=1.0,1.1`; repeatable. */
export const searchAxis = (value: string, before: readonly (readonly [string, readonly string[]])[] = []): readonly (readonly [string, readonly string[]])[] => {
  const at = value.indexOf('=');
  const name = at < 0 ? value : value.slice(0, at);
  const values = at < 0 ? [] : splitList(value.slice(at + 1));
  if (name === '' || (at >= 0 && values.length === 0)) throw wrong(`--axis "${value}" names no axis or no value`, 'for example --axis version, or --axis version=1.0,1.1,1.2');
  return [...before, [name, values]];
};

/** `0.99`, `99%`. @throws ProblemError `bad-option` */
export const confidence = (value: string): number => {
  const share = value.endsWith('%') ? Math.round(Number(value.slice(0, -1)) * 1e6) / 1e8 : Number(value);
  if (value.trim() === '' || !(share >= 0.5 && share < 1)) throw wrong(`--confidence takes a share from 0.5 to below 1, not "${value}"`, 'for example --confidence 0.99, or 99%');
  return share;
};

export const repeated = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** An end of one axis is a value; of two each says of which. */
const endsOf = (option: string, given: readonly string[], axes: readonly string[]): ReadonlyMap<string, string> => {
  const ends = new Map<string, string>();
  for (const text of given) {
    const named = axes.find((axis) => text.startsWith(`${axis}=`));
    if (named === undefined && axes.length > 1) throw wrong(`${option} ${text} does not say of which axis`, `for example ${option} ${axes[0]}=${text}`);
    const axis = named ?? axes[0]!;
    if (ends.has(axis)) throw wrong(`${option} was given twice for ${axis}`, 'give it once');
    ends.set(axis, named === undefined ? text : text.slice(named.length + 1));
  }
  return ends;
};

const axesOf = (flags: BisectFlags): readonly AxisWish[] => {
  const written: readonly (readonly [string, readonly string[]])[] = flags.axis ?? [['version', []]];
  const names = written.map(([name]) => name);
  if (new Set(names).size < names.length) throw wrong('an axis is named twice', 'name its values in one --axis');
  if (names.length > 2) throw wrong(`${names.length} axes are too many`, 'one, or two for the minimal pair');
  const [good, bad] = [endsOf('--good', flags.good ?? [], names), endsOf('--bad', flags.bad ?? [], names)];
  return written.map(([axis, values]) => ({ axis, values, good: good.get(axis) ?? null, bad: bad.get(axis) ?? null }));
};

const checkEnds = (axes: readonly AxisWish[], findGood: boolean): void => {
  for (const { axis, values, good, bad } of axes) {
    if (findGood && good !== null) throw wrong('--good and --find-good say different things', 'leave one of the two out');
    if (good === null && !findGood && values.length === 0)
      throw wrong(`no good end is named on ${axis}`, 'give --good <value>, or --find-good to have one looked for');
    if (good !== null && good === bad) throw wrong(`both ends are ${good}`, 'name two different values');
  }
  if (findGood && axes.length > 1) throw wrong('--find-good looks along one axis', 'name both good ends by --good');
};

/** @throws ProblemError `bad-option` */
export const toBisectOptions = (path: string, flags: BisectFlags): BisectOptions => {
  const axes = axesOf(flags);
  checkEnds(axes, flags.findGood === true);
  return {
    path,
    system: flags.system ?? null,
    where: flags.where ?? {},
    variables: flags.var ?? {},
    defects: flags.defect ?? [],
    secrets: flags.secret ?? {},
    axes,
    findGood: flags.findGood ?? false,
    symptom: flags.symptom ?? null,
    confidence: flags.confidence,
    maxProbes: flags.maxProbes,
    endRuns: flags.endRuns,
    jobs: flags.jobs ?? null,
    runtime: flags.runtime,
    output: flags.output ?? null,
    fresh: flags.fresh ?? false,
    dryRun: flags.dryRun ?? false,
  };
};
