// Whether verdicts.json is one, whoever wrote it: outcomes are words that readers choose colours and counts by and print as
// they are, so that each must be one of those there are; what else they rely on must be of its kind.
import { problem } from '../model/problem.ts';
import type { Outcome, ScenarioOutcome } from '../model/verdict.ts';
import { FILES } from './format.ts';
import type { Verdicts } from './format.ts';

const OF_CLAIMS: readonly Outcome[] = ['held', 'violated', 'inconclusive', 'does-not-apply'];
const OF_RUNS: readonly ScenarioOutcome[] = ['passed', 'failed', 'inconclusive', 'error', 'interrupted', 'does-not-apply'];

type Raw = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrAbsent = (value: unknown): boolean => value === undefined || isText(value);
const isListOf = <T>(value: unknown, is: (each: unknown) => each is T): value is readonly T[] => Array.isArray(value) && value.every(is);

const isIntervalOrAbsent = (value: unknown): boolean =>
  value === undefined || (isRecord(value) && Number.isFinite(value.fromMs) && Number.isFinite(value.toMs));

const isVerdict = (value: unknown): value is Raw =>
  isRecord(value) &&
  [value.claim, value.id, value.reason].every(isText) &&
  (OF_CLAIMS as readonly unknown[]).includes(value.outcome) &&
  isListOf(value.evidence, isText) &&
  [value.as, value.class].every(isTextOrAbsent) &&
  isIntervalOrAbsent(value.interval);

const isProblem = (value: unknown): value is Raw =>
  isRecord(value) && [value.family, value.code, value.message].every(isText) && isTextOrAbsent(value.hint);

const wrongIn = (raw: Raw): string | null => {
  if (!Number.isInteger(raw.judge) || !isText(raw.scenario)) return 'it names no judge or no scenario';
  if (!(OF_RUNS as readonly unknown[]).includes(raw.outcome)) return 'its outcome is none';
  if (!isListOf(raw.problems, isProblem)) return 'its problems are none';
  if (!Array.isArray(raw.verdicts)) return 'it lists no verdicts';
  const at = raw.verdicts.findIndex((each) => !isVerdict(each));
  return at < 0 ? null : `verdict ${at + 1} is none`;
};

/** @throws ProblemError `bundle-damaged`, with what is wrong and nothing of what stands there */
export const checkVerdicts = (raw: unknown): Verdicts => {
  const wrong = isRecord(raw) ? wrongIn(raw) : 'it is no object';
  if (wrong === null) return raw as Verdicts;
  throw problem('scenario', 'bundle-damaged', `${FILES.verdicts} cannot be read: ${wrong}`, {
    hint: 'it was not written by hangup as it stands; take the bundle again from where it was made',
  });
};
