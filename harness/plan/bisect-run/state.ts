// The file in which a search lives: one JSON that people can read, replaced as a whole after every run, so that whatever happens to
// hangup or the machine at most the runs under way are lost.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { toJsonText, writeAtomically } from '../../bundle/atomic.ts';
import { isRecord } from '../../bundle/kinds.ts';
import { messageOf, problem, ProblemError } from '../../model/problem.ts';
import type { Location, Problem } from '../../model/problem.ts';
import type { Symptom } from '../../model/symptom.ts';
import { createSource, locationAt } from '../../scenario/source.ts';
import type { Seen } from './answer.ts';
import { wrongInState } from './check-state.ts';
import { pathText, placeInJson } from './place-in-json.ts';
import type { JsonPath } from './place-in-json.ts';
import { differingParts } from './question.ts';
import type { Question } from './question.ts';

export const STATE_FORMAT = 5;

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

const HINT = 'begin anew with --fresh, which keeps the old one beside it';
/** More than these from one file help nobody. */
const MOST_TOLD = 20;

const unreadable = (file: string, why: string, more: Partial<Pick<Problem, 'cause' | 'location'>> = {}): Problem => ({
  family: 'scenario', code: 'bisect-unreadable', message: `${basename(file)} is no search that could be taken up: ${why}`, hint: HINT, ...more,
});

const parsed = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const at = /at position (\d+)/.exec(messageOf(cause))?.[1];
    const location = locationAt(createSource(file, text), at === undefined ? text.length : Number(at));
    throw new ProblemError(unreadable(file, messageOf(cause), { cause, location }));
  }
};

const placeOf = (file: string, text: string, path: JsonPath): Location => {
  const { start, length } = placeInJson(text, path);
  return locationAt(createSource(file, text), start, length);
};

/** @returns null where there is none. @throws ProblemError `bisect-unreadable`, one for each thing that is wrong, at its line */
export const readState = async (file: string): Promise<SearchState | null> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new ProblemError(unreadable(file, error.message, { cause: error }));
  });
  if (text === null) return null;
  const state = parsed(file, text);
  if (!isRecord(state)) throw new ProblemError(unreadable(file, 'it is no object', { location: placeOf(file, text, []) }));
  if (state['format'] !== STATE_FORMAT) {
    const why = `it is not of format ${STATE_FORMAT}, which this hangup reads`;
    throw new ProblemError(unreadable(file, why, { location: placeOf(file, text, ['format']) }));
  }
  const wrong = wrongInState(state);
  if (wrong.length === 0) return state as SearchState;
  const told = wrong.slice(0, MOST_TOLD).map(({ path, why }) =>
    unreadable(file, `${pathText(path)} ${why}`, { location: placeOf(file, text, path) }));
  const more = wrong.length - told.length;
  throw new ProblemError(more > 0 ? [...told, unreadable(file, `${more} more things are wrong in it`)] : told);
};

/** The last one written is there, whole, whenever the process or the machine ends. */
export const writeState = (file: string, state: SearchState): Promise<void> => writeAtomically(file, toJsonText(state), true);

/** @throws ProblemError `bisect-changed` at the line of the state that says otherwise */
export const checkSameQuestion = async (file: string, state: SearchState, now: Question): Promise<void> => {
  const [first, ...more] = differingParts(state.question, now);
  if (!first) return;
  const also = more.length > 0 ? ` (also: ${more.map(({ what }) => what).join(', ')})` : '';
  const location = placeOf(file, await readFile(file, 'utf8'), ['question', ...first.path]);
  throw problem('scenario', 'bisect-changed', `${first.what} is not as it was when this search began${also}: its answers would be of another question`, {
    hint: 'put it back to go on, or begin anew with --fresh, which keeps the old search beside it',
    location,
  });
};
