// What `hangup run` was asked to do, read from the command line and checked at once.
import { problem } from '../model/problem.ts';

export type RunOptions = {
  readonly paths: readonly string[];
  readonly runtime: 'auto' | 'docker' | 'process';
  readonly system: string | null;
  readonly defects: readonly string[];
  readonly output: string | null;
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

export const toRunOptions = (paths: readonly string[], flags: RunFlags): RunOptions => ({
  paths, runtime: flags.runtime, system: flags.system ?? null, defects: flags.defect ?? [], output: flags.output ?? null, secrets: flags.secret ?? {},
  reporters: flags.reporter?.length ? flags.reporter : ['terminal'], variables: flags.var ?? {}, tags: flags.tag ?? [], where: flags.where ?? {},
  jobs: flags.jobs ?? null, repeat: flags.repeat, strict: flags.strict ?? false, dryRun: flags.dryRun ?? false,
});

/** `a,b` given once or several times. */
export const splitList = (value: string, before: readonly string[] = []): readonly string[] =>
  [...before, ...value.split(',').map((word) => word.trim()).filter((word) => word !== '')];

/** `NAME=VALUE`, repeatable. @throws ProblemError `bad-option` */
export const pair = (option: string) => (value: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
  const at = value.indexOf('=');
  if (at < 1) throw problem('scenario', 'bad-option', `${option} takes name=value, not "${value}"`, { hint: `for example ${option} how=rst` });
  return { ...before, [value.slice(0, at)]: value.slice(at + 1) };
};

/** `axis=a,b`, repeatable. */
export const axis = (value: string, before: Readonly<Record<string, readonly string[]>> = {}): Readonly<Record<string, readonly string[]>> => {
  const [entry] = Object.entries(pair('--where')(value));
  return { ...before, [entry![0]]: splitList(entry![1]) };
};

/** @throws ProblemError `bad-option` for what is not a whole number of at least one */
export const positive = (option: string) => (value: string): number => {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw problem('scenario', 'bad-option', `${option} takes a whole number of at least 1, not "${value}"`);
  return number;
};
