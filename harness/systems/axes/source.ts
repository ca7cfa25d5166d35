// The contract of where an axis has its values from, and how its tools are asked: a program of the registry's own, which
// knows the machine's mirrors, proxies and passwords.
import { messageOf, problem } from '../../model/problem.ts';
import type { Card, CardAxis } from '../card.ts';
import { LONG_MS, runTool } from '../run-tool.ts';

export type AxisContext = {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  /** Told of what takes longer than two seconds. */
  readonly progress: (line: string) => void;
  /** How long a repository may take to be fetched, and a step of a build. Default: half an hour. */
  readonly longMs?: number;
};

export type AxisInput = { readonly card: Card; readonly name: string; readonly axis: CardAxis; readonly context: AxisContext };

export type AxisValues = {
  /** Oldest first; without what was withdrawn, or is no release yet. */
  readonly offered: readonly string[];
  /** With those: each may be named. */
  readonly all: readonly string[];
  /** By those that are only names of others, which move on with each release: what they stand for now. Absent: there are none. */
  readonly moving?: ReadonlyMap<string, string>;
};

export type AxisSource = (input: AxisInput) => Promise<AxisValues>;

/** Where nothing is left out. */
export const everything = (values: readonly string[]): AxisValues => ({ offered: values, all: values });

const ASK_LIMIT_MS = 120_000;
const OUTPUT_BYTES = 64 * 1024 * 1024;

/** For what is fetched as a whole, or built. */
export const longMsOf = ({ longMs = LONG_MS }: AxisContext): number => longMs;

type More = {
  readonly variables?: NodeJS.ProcessEnv;
  /** What is being done, in words: said where it takes its time. */
  readonly about?: string;
  /** Default: two minutes. */
  readonly limitMs?: number;
};

/** What the program printed. @throws what `runTool` throws */
export const ask = (program: string, words: readonly string[], context: AxisContext, { variables, about, limitMs = ASK_LIMIT_MS }: More = {}): Promise<string> => {
  const { environment, signal, progress } = context;
  return runTool(program, words, {
    cwd: '/', environment: { ...environment, ...variables }, limitMs, outputBytes: OUTPUT_BYTES, ...(signal ? { signal } : {}), ...(about === undefined ? {} : { about, progress }),
  });
};

/** The lines that a failed program printed as errors; its own message where it printed none, or took too long. */
export const saidBy = (cause: unknown): string => {
  const text = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : '';
  return text === '' ? messageOf(cause).split('\n')[0]! : text.split('\n').map((line) => line.trim()).filter(Boolean).slice(0, 3).join('; ');
};

/** What an axis cannot say of itself. */
export const noValues = ({ card, name }: Pick<AxisInput, 'card' | 'name'>, why: string, hint: string, cause?: unknown): Error =>
  problem('environment', 'axis-not-read', `${card.system}: the values of the axis "${name}" cannot be had: ${why}`, { hint, cause });

/** The name in the registry. @throws ProblemError `no-package` */
export const packageOf = ({ card, name, axis }: AxisInput): string => {
  if (axis.package !== null) return axis.package;
  throw problem('scenario', 'no-package', `${card.file}: the axis "${name}" does not say what it is called at ${axis.from}`, {
    hint: `write package: ... beside from: ${axis.from}; values that are named one by one need none`,
  });
};
