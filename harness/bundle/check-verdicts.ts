// Whether verdicts.json is one, whoever wrote it: outcomes are words that readers choose colours and counts by and print as
// they are, so that each must be one of those there are; what else they rely on must be of its kind.
import type { Outcome, ScenarioOutcome } from '../model/verdict.ts';
import { FILES } from './format.ts';
import type { Verdicts } from './format.ts';
import { anything, listOf, maybe, number, record, text, whole, word } from './kinds.ts';
import type { Kind } from './kinds.ts';
import { unreadable } from './unreadable.ts';

const OF_CLAIMS: readonly Outcome[] = ['held', 'violated', 'inconclusive', 'does-not-apply'];
const OF_RUNS: readonly ScenarioOutcome[] = ['passed', 'failed', 'inconclusive', 'error', 'interrupted', 'untestable', 'does-not-apply'];

const verdict = record({
  claim: text, id: text, reason: text, outcome: word(...OF_CLAIMS), evidence: listOf(text), as: maybe(text), class: maybe(text),
  interval: maybe(record({ fromMs: number, toMs: number })),
});
const problemKind = record({ family: text, code: text, message: text, hint: maybe(text) });

/** In the order in which they are asked: each takes those before it for granted. */
const STEPS: readonly (readonly [kind: Kind, otherwise: string])[] = [
  [record({}), 'it is no object'],
  [record({ judge: whole, scenario: text }), 'it names no judge or no scenario'],
  [record({ outcome: word(...OF_RUNS) }), 'its outcome is none'],
  [record({ problems: listOf(problemKind) }), 'its problems are none'],
  [record({ verdicts: listOf(anything) }), 'it lists no verdicts'],
];

const wrongIn = (raw: unknown): string | null => {
  const step = STEPS.find(([kind]) => kind(raw) !== null);
  if (step) return step[1];
  const at = (raw as { readonly verdicts: readonly unknown[] }).verdicts.findIndex((each) => verdict(each) !== null);
  return at < 0 ? null : `verdict ${at + 1} is none`;
};

/** @throws ProblemError `bundle-damaged`, with what is wrong and nothing of what stands there */
export const checkVerdicts = (raw: unknown): Verdicts => {
  const wrong = wrongIn(raw);
  if (wrong !== null) throw unreadable(FILES.verdicts, wrong);
  return raw as Verdicts;
};
