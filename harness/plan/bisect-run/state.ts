// The file in which a search lives: one JSON that people can read, replaced as a whole after every run, so that whatever happens to
// hangup or the machine at most the runs under way are lost.
import { readFile } from 'node:fs/promises';
import { toJsonText, writeAtomically } from '../../bundle/atomic.ts';
import { isRecord } from '../../bundle/kinds.ts';
import { messageOf, problem } from '../../model/problem.ts';
import type { Location } from '../../model/problem.ts';
import type { Symptom } from '../../model/symptom.ts';
import type { Seen } from './answer.ts';
import { differingParts } from './question.ts';
import type { Question } from './question.ts';

export const STATE_FORMAT = 2;

/** One run, or one version that could not be made ready. */
export type Probe = {
  /** From 1 on, in the order in which they ended. */
  readonly number: number;
  /** A value for each axis of the question. */
  readonly at: readonly string[];
  readonly seen: Seen;
  /** Folder of its bundle, from the folder of the search; null: none was made. */
  readonly evidence: string | null;
  /** What making it ready took, where it was not ready before. */
  readonly prepareMs?: number;
  readonly tookMs: number;
  readonly endedAt: string;
};

export type SearchState = {
  readonly format: number;
  readonly hangup: string;
  readonly startedAt: string;
  readonly question: Question;
  /** Known once the ends have been run. */
  readonly symptom: Symptom | null;
  /** Fingerprints that the good end shows too; null while it is not settled what is looked for. */
  readonly background: readonly string[] | null;
  readonly probes: readonly Probe[];
  /** What came of it; null: it is not over. */
  readonly result: unknown;
};

const damaged = (file: string, why: string, cause?: unknown): Error =>
  problem('scenario', 'bisect-unreadable', `${file} is no search that could be taken up: ${why}`, {
    hint: 'begin anew with --fresh, which keeps the old one beside it',
    ...(cause === undefined ? {} : { cause }),
  });

const isProbe = (value: unknown): value is Probe =>
  isRecord(value) && Array.isArray(value.at) && isRecord(value.seen) && Array.isArray(value.seen.symptoms) && isRecord(value.seen.claims);

const isQuestion = (value: unknown): value is Question =>
  isRecord(value) && typeof value.scenario === 'string' && Array.isArray(value.axes) &&
  value.axes.every((axis: unknown) => isRecord(axis) && Array.isArray(axis.values));

/** @returns null where there is none. @throws ProblemError `bisect-unreadable` */
export const readState = async (file: string): Promise<SearchState | null> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw damaged(file, error.message, error);
  });
  if (text === null) return null;
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch (error) {
    throw damaged(file, messageOf(error), error);
  }
  if (!isRecord(state) || !isQuestion(state.question) || !Array.isArray(state.probes) || !state.probes.every(isProbe)) throw damaged(file, 'parts of it are missing');
  if (state.format !== STATE_FORMAT) throw damaged(file, `it is of format ${String(state.format)}, and this hangup reads ${STATE_FORMAT}`);
  return state as SearchState;
};

/** The last one written is there, whole, whenever the process or the machine ends. */
export const writeState = (file: string, state: SearchState): Promise<void> => writeAtomically(file, toJsonText(state), true);

const placeOf = async (file: string, key: string): Promise<Location | undefined> => {
  const lines = (await readFile(file, 'utf8')).split('\n');
  const index = lines.findIndex((line) => line.startsWith(`    "${key}":`));
  if (index < 0) return undefined;
  const line = lines[index]!;
  const shown = line.length > 120 ? `${line.slice(0, 119)}…` : line;
  return { file, line: index + 1, column: 5, excerpt: `${shown}\n    ${'^'.repeat(key.length + 2)}` };
};

/** @throws ProblemError `bisect-changed` at the line of the state that says otherwise */
export const checkSameQuestion = async (file: string, state: SearchState, now: Question): Promise<void> => {
  const [first, ...more] = differingParts(state.question, now);
  if (!first) return;
  const also = more.length > 0 ? ` (also: ${more.map(({ what }) => what).join(', ')})` : '';
  const location = await placeOf(file, first.key);
  throw problem('scenario', 'bisect-changed', `${first.what} is not as it was when this search began${also}: its answers would be of another question`, {
    hint: 'put it back to go on, or begin anew with --fresh, which keeps the old search beside it',
    ...(location ? { location } : {}),
  });
};
