// What `hangup run` was asked to do, read from the command line and checked at once.
import { problem } from '../model/problem.ts';
import { parseSize } from '../model/size.ts';
import { parseDuration } from '../model/time.ts';
import { defaultReporters } from './choose-reporters.ts';

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
  readonly jobs: number | null;
  readonly repeat: number;
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
  readonly jobs?: number;
  readonly repeat: number;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
};

const CAPTURE_BYTES = 64 * 1024 * 1024;

const captureBytesOf = ({ pcap, pcapLimit, evidence }: RunFlags): number | null => {
  if (pcap !== true && pcapLimit === undefined) return null;
  if (evidence === 'none') throw problem('scenario', 'bad-option', '--pcap has nowhere to go with --evidence none', { hint: 'leave one of the two out' });
  return pcapLimit ?? CAPTURE_BYTES;
};

export const toRunOptions = (paths: readonly string[], flags: RunFlags): RunOptions => ({
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
  jobs: flags.jobs ?? null,
  repeat: flags.repeat,
  strict: flags.strict ?? false,
  dryRun: flags.dryRun ?? false,
});

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

/** `axis=a,b`, repeatable; values of one axis add up. @throws ProblemError `bad-option` */
export const axis = (
  value: string,
  before: Readonly<Record<string, readonly string[]>> = {},
): Readonly<Record<string, readonly string[]>> => {
  const [name, text] = splitPair('--where', 'how=rst,fin', value);
  const values = splitList(text, before[name]);
  if (values.length === 0)
    throw problem('scenario', 'bad-option', `--where ${name}= names no value`, { hint: 'for example --where how=rst,fin' });
  return { ...before, [name]: values };
};

/** @throws ProblemError `bad-option` for what is not a whole number of at least one */
export const positive =
  (option: string) =>
  (value: string): number => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < 1)
      throw problem('scenario', 'bad-option', `${option} takes a whole number of at least 1, not "${value}"`);
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
