// What `hangup run` was asked to do, read from the command line and checked at once.
import { problem } from '../model/problem.ts';
import { parseSize } from '../model/size.ts';
import { parseDuration } from '../model/time.ts';
import type { Jobs } from '../plan/jobs.ts';
import { defaultReporters } from './choose-reporters.ts';
import type { KeepWish, ShardWish } from './option-values.ts';

export type RunOptions = {
  readonly paths: readonly string[];
  readonly runtime: 'auto' | 'docker' | 'process';
  readonly system: string | null;
  readonly defects: readonly string[];
  readonly output: string | null;
  /** `none`: nothing is kept on the disk. */
  readonly evidence: 'full' | 'none';
  /** Bytes of packets that are kept of each run; null: none. */
  readonly captureBytes: number | null;
  readonly secrets: Readonly<Record<string, string>>;
  readonly reporters: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  /** Axis to the values that are wanted. */
  readonly where: Readonly<Record<string, readonly string[]>>;
  /** Axis of the systems to the values that are wanted, as written: a value, a range `a..b`, or `*`. */
  readonly axes: Readonly<Record<string, readonly string[]>>;
  readonly shard: ShardWish | null;
  /** A file of how long each cell took, by which shards are balanced; null: the one in the output folder. */
  readonly durations: string | null;
  /** Looked for in ids and names of cells. */
  readonly grep: RegExp | null;
  readonly grepInvert: RegExp | null;
  readonly lastFailed: boolean;
  readonly jobs: Jobs;
  /** Attempts of each cell; with `untilFailure` at most. */
  readonly repeat: number;
  readonly untilFailure: boolean;
  /** After so many failures nothing is begun any more; null: all is run. */
  readonly maxFailures: number | null;
  /** Null: any. */
  readonly seed: number | null;
  /** The order comes from the seed, not from the files. */
  readonly shuffle: boolean;
  readonly keep: KeepWish | null;
  readonly gitBisect: boolean;
  /** Claim or fingerprint of the violation that is looked for, or the path of a bundle that has it. */
  readonly symptom: string | null;
  readonly strict: boolean;
  readonly dryRun: boolean;
};

/** As the command line spells them, where given; a flag that may be repeated is in the singular. */
export type RunFlags = {
  readonly runtime: RunOptions['runtime'];
  readonly system?: string;
  readonly defect?: readonly string[];
  readonly output?: string;
  readonly evidence?: RunOptions['evidence'];
  readonly pcap?: boolean;
  readonly pcapLimit?: number;
  readonly secret?: Readonly<Record<string, string>>;
  readonly reporter?: readonly string[];
  readonly var?: Readonly<Record<string, string>>;
  readonly tag?: readonly string[];
  readonly where?: RunOptions['where'];
  readonly axis?: RunOptions['axes'];
  readonly shard?: ShardWish;
  readonly durations?: string;
  readonly grep?: RegExp;
  readonly grepInvert?: RegExp;
  readonly lastFailed?: boolean;
  readonly jobs?: Jobs;
  readonly repeat?: number;
  readonly untilFailure?: boolean;
  readonly maxFailures?: number;
  readonly seed?: number;
  readonly shuffle?: boolean;
  readonly keep?: KeepWish;
  readonly gitBisect?: boolean;
  readonly symptom?: string;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
};

const CAPTURE_BYTES = 64 * 1024 * 1024;

const captureBytesOf = ({ pcap, pcapLimit, evidence }: RunFlags): number | null => {
  if (pcap !== true && pcapLimit === undefined) return null;
  if (evidence === 'none') throw problem('scenario', 'bad-option', '--pcap has nowhere to go with --evidence none', { hint: 'leave one of the two out' });
  return pcapLimit ?? CAPTURE_BYTES;
};

/** What stands alone would be ignored, and is refused. */
const checkPartners = ({ symptom, gitBisect, durations, shard }: RunFlags): void => {
  if (symptom !== undefined && !gitBisect)
    throw problem('scenario', 'bad-option', '--symptom means nothing without --git-bisect', { hint: 'give both, or leave it out' });
  if (durations !== undefined && shard === undefined)
    throw problem('scenario', 'bad-option', '--durations means nothing without --shard', { hint: 'give both, or leave it out' });
};

/** A failure that has not come by then is rare, or is none; every attempt leaves a bundle. */
export const MOST_ATTEMPTS = 100;

const repeatOf = ({ repeat, untilFailure }: RunFlags): number => repeat ?? (untilFailure ? MOST_ATTEMPTS : 1);

const optionsOf = (paths: readonly string[], flags: RunFlags): RunOptions => ({
  paths,
  runtime: flags.runtime,
  system: flags.system ?? null,
  defects: flags.defect ?? [],
  output: flags.output ?? null,
  evidence: flags.evidence ?? 'full',
  captureBytes: captureBytesOf(flags),
  secrets: flags.secret ?? {},
  reporters: flags.reporter?.length ? flags.reporter : defaultReporters(flags.evidence !== 'none'),
  variables: flags.var ?? {},
  tags: flags.tag ?? [],
  where: flags.where ?? {},
  axes: flags.axis ?? {},
  shard: flags.shard ?? null,
  durations: flags.durations ?? null,
  grep: flags.grep ?? null,
  grepInvert: flags.grepInvert ?? null,
  lastFailed: flags.lastFailed ?? false,
  jobs: flags.jobs ?? null,
  repeat: repeatOf(flags),
  untilFailure: flags.untilFailure ?? false,
  maxFailures: flags.maxFailures ?? null,
  seed: flags.seed ?? null,
  shuffle: flags.shuffle ?? false,
  keep: flags.keep ?? null,
  gitBisect: flags.gitBisect ?? false,
  symptom: flags.symptom ?? null,
  strict: flags.strict ?? false,
  dryRun: flags.dryRun ?? false,
});

/** @throws ProblemError `bad-option` for what does not go together */
export const toRunOptions = (paths: readonly string[], flags: RunFlags): RunOptions => {
  checkPartners(flags);
  return optionsOf(paths, flags);
};

/** `a,b` given once or several times. */
export const splitList = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== ''),
];

const splitPair = (option: string, example: string, value: string): readonly [string, string] => {
  const at = value.indexOf('=');
  if (at >= 1) return [value.slice(0, at), value.slice(at + 1)];
  // Not what was given: it may be a secret without its name.
  throw problem('scenario', 'bad-option', `${option} takes name=value`, { hint: `for example ${option} ${example}` });
};

/** `NAME=VALUE`, repeatable. @throws ProblemError `bad-option` */
export const pair =
  (option: string, example: string) =>
  (value: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
    const [name, text] = splitPair(option, example, value);
    return { ...before, [name]: text };
  };

type Axes = Readonly<Record<string, readonly string[]>>;

/** `axis=a,b`, repeatable; values of one axis add up. @throws ProblemError `bad-option` */
export const axisOf =
  (option: string, example: string) =>
  (value: string, before: Axes = {}): Axes => {
    const [name, text] = splitPair(option, example, value);
    const values = splitList(text, Object.hasOwn(before, name) ? before[name] : []);
    if (values.length === 0) throw problem('scenario', 'bad-option', `${option} ${name}= names no value`, { hint: `for example ${option} ${example}` });
    return { ...before, [name]: values };
  };

export const axis = axisOf('--where', 'how=rst,fin');

/** @throws ProblemError `bad-option` for what is not a whole number of at least one, or larger than there is room for */
export const positive =
  (option: string, largest = Number.MAX_SAFE_INTEGER) =>
  (value: string): number => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < 1)
      throw problem('scenario', 'bad-option', `${option} takes a whole number of at least 1, not "${value}"`);
    if (number > largest) throw problem('scenario', 'bad-option', `${option} takes ${largest} at most, not ${number}`, { hint: 'hangup soak goes on for a time instead of a number' });
    return number;
  };

/** Such as `64MiB`, in bytes. @throws ProblemError `bad-option` */
export const size =
  (option: string) =>
  (value: string): number => {
    const bytes = parseSize(value);
    if (bytes === undefined || bytes < 1) throw problem('scenario', 'bad-option', `${option} takes a size such as 512KiB or 64MiB, not "${value}"`);
    return bytes;
  };

/** A fixed time such as `110s`, in ms. @throws ProblemError `bad-option` */
export const length =
  (option: string) =>
  (value: string): number => {
    const duration = parseDuration(value);
    if (duration === undefined || !('ms' in duration) || duration.ms <= 0)
      throw problem('scenario', 'bad-option', `${option} takes a time such as 500ms, 110s or 5m, not "${value}"`);
    return duration.ms;
  };
