// Whether what was read back from bisect.json is a search, whoever wrote it: every field is checked before any is believed, and all
// that is wrong is told at once. What follows from runs that never were would be a wrong answer with a confidence beside it.
import { isAbsolute, normalize } from 'node:path';
import { flag, isRecord, listOf, mapOf, maybe, orNull, record, text, whole, word } from '../../bundle/kinds.ts';
import type { Kind } from '../../bundle/kinds.ts';
import { isSymptom } from '../../model/symptom.ts';
import type { Outcome, ScenarioOutcome } from '../../model/verdict.ts';
import type { JsonPath } from './place-in-json.ts';
import type { SearchAxis } from './question.ts';
import type { Probe } from './state.ts';

/** Where in the file, and what is wrong there; never what stands there. */
export type Wrong = { readonly path: JsonPath; readonly why: string };

const OF_CLAIMS: readonly Outcome[] = ['held', 'violated', 'inconclusive', 'does-not-apply'];
const OF_RUNS: readonly ScenarioOutcome[] = ['passed', 'failed', 'inconclusive', 'error', 'interrupted', 'untestable', 'does-not-apply'];

const when = (test: (value: unknown) => boolean): Kind => (value) => (test(value) ? null : '');
const time = when((value) => typeof value === 'string' && Number.isFinite(Date.parse(value)));
const length = when((value) => Number.isFinite(value) && (value as number) >= 0);
const fingerprint = when((value) => typeof value === 'string' && /@[0-9a-f]{8}$/.test(value));
/** Evidence is read, shown and linked to: it lies in the folder of the search. */
const inside = when((value) => typeof value === 'string' && value !== '' && !isAbsolute(value) && !/^\.\.?(?:\/|$)/.test(normalize(value)));
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((one) => typeof one === 'string');
const values = when((value) => isTexts(value) && value.length >= 2 && new Set(value).size === value.length);

const symptom = record({ claim: text, class: orNull(text), reason: text, fingerprint });
const axis = record({ axis: text, values, isBackwards: maybe(flag) });
const oneOrTwo: Kind = (value) => listOf(axis)(value) ?? ([1, 2].includes((value as readonly unknown[]).length) ? null : '');

type Kinds = Readonly<Record<string, Kind>>;

const QUESTION: Kinds = {
  scenario: text, scenarioHash: text, card: text, cardHash: text, cardFiles: mapOf(orNull(text)),
  commits: mapOf(listOf(orNull(text))), images: mapOf(orNull(text)), hangup: text, judge: whole, runtime: text,
  defects: listOf(text), variables: mapOf(text), variablesHash: text, axes: oneOrTwo, findGood: flag, symptom: orNull(text), symptomFrom: orNull(text),
};
const STATE: Kinds = { hangup: text, startedAt: time, symptom: orNull(symptom), background: orNull(listOf(fingerprint)) };
const SEEN: Kinds = {
  outcome: word(...OF_RUNS), claims: mapOf(word(...OF_CLAIMS)), symptoms: listOf(symptom), why: text,
  blame: orNull(word('system', 'elsewhere')),
};
const PROBE: Kinds = { evidence: orNull(inside), prepareMs: maybe(length), tookMs: length, endedAt: time };

const SAID: Readonly<Record<string, string>> = {
  evidence: 'leads out of the folder of the search, or is no path', outcome: 'is no outcome of a run',
  axes: 'is not one axis or two, each with two values or more, each once',
};

/** `.rows[3].local` as keys. */
const keysIn = (path: string): JsonPath =>
  [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)].map(([, key, index]) => key ?? Number(index)).filter((key) => key !== '*');

const fieldsOf = (value: unknown, kinds: Kinds, at: JsonPath): readonly Wrong[] => {
  if (!isRecord(value)) return [{ path: at, why: 'is missing, or is no object' }];
  return Object.entries(kinds).flatMap(([key, kind]): readonly Wrong[] => {
    const wrong = kind(Object.hasOwn(value, key) ? value[key] : undefined);
    return wrong === null ? [] : [{ path: [...at, key, ...keysIn(wrong)], why: SAID[key] ?? 'is missing, or is not what it must be' }];
  });
};

/** What each field allows alone, and all of them together do not: a claim is violated where a symptom is of it, and nowhere else. */
const disagreeing = ({ seen: { claims, symptoms, outcome } }: Probe, at: JsonPath): readonly Wrong[] => {
  const violated = Object.keys(claims).filter((claim) => claims[claim] === 'violated');
  const isSame = violated.length === symptoms.length && violated.every((claim) => symptoms.some((one) => isSymptom(one, claim)));
  if (!isSame) return [{ path: [...at, 'seen', 'symptoms'], why: 'are not those of the claims that were violated' }];
  const isOther = violated.length === 0 ? outcome === 'failed' : outcome === 'passed';
  return isOther ? [{ path: [...at, 'seen', 'outcome'], why: 'is not that of its claims' }] : [];
};

const probeWrong = (probe: unknown, index: number, axes: readonly SearchAxis[] | null): readonly Wrong[] => {
  const path: JsonPath = ['probes', index];
  if (!isRecord(probe)) return [{ path, why: 'is no run' }];
  const { at } = probe;
  const isOn = (place: readonly string[]): boolean =>
    axes === null || (place.length === axes.length && axes.every((one, each) => one.values.includes(place[each]!)));
  const isPlace = isTexts(at) && isOn(at);
  const fields = [...fieldsOf(probe, PROBE, path), ...fieldsOf(probe['seen'], SEEN, [...path, 'seen'])];
  return [
    ...(probe['number'] === index + 1 ? [] : [{ path: [...path, 'number'], why: `is not ${index + 1}, its place in the list` }]),
    ...(isPlace ? [] : [{ path: [...path, 'at'], why: 'is no place on the axes of the question' }]),
    ...fields,
    ...(fields.length === 0 ? disagreeing(probe as unknown as Probe, path) : []),
  ];
};

/** @returns all that is wrong, in the order of the file; nothing: it is a search of this format */
export const wrongInState = (state: Readonly<Record<string, unknown>>): readonly Wrong[] => {
  const { question, probes } = state;
  const ofQuestion = fieldsOf(question, QUESTION, ['question']);
  const axes = isRecord(question) && oneOrTwo(question['axes']) === null ? (question['axes'] as readonly SearchAxis[]) : null;
  const ofProbes = Array.isArray(probes)
    ? probes.flatMap((probe, index) => probeWrong(probe, index, axes))
    : [{ path: ['probes'], why: 'is missing, or is no list of runs' }];
  return [...fieldsOf(state, STATE, []), ...ofQuestion, ...ofProbes];
};
