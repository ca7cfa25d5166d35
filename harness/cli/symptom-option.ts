// What `--symptom` names: a fingerprint, a claim for whatever reason, or evidence whose first violation is meant.
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readBundle } from '../bundle/read.ts';
import { problem } from '../model/problem.ts';
import { createScope } from '../model/scope.ts';
import { symptomsOf, symptomWords } from '../model/symptom.ts';
import type { Symptom } from '../model/symptom.ts';
import { oneLine } from '../reports/text.ts';
import { findOne } from './found-bundles.ts';

export type NamedSymptom = {
  /** What `isSymptom` takes. */
  readonly wanted: string;
  /** For people. */
  readonly words: string;
  /** Where the bundle is in truth, of which it was read; null: none was named. */
  readonly from: string | null;
};

const NAMED = /^[a-z][\w-]*(?:#\d+)?(?:@[0-9a-f]{8})?$/;

/** What is new is meant before what the card lists as known. */
const firstOf = (symptoms: readonly Symptom[], known: readonly string[]): Symptom | undefined =>
  symptoms.find(({ claim }) => !known.includes(claim.replace(/#\d+$/, ''))) ?? symptoms[0];

const ofBundle = async (path: string, cwd: string): Promise<NamedSymptom> => {
  await using scope = createScope();
  const { verdicts, resolved } = await readBundle((await findOne(path, cwd, scope)).folder);
  const symptoms = symptomsOf(verdicts.verdicts);
  const first = firstOf(symptoms, (resolved.run.known ?? []).flatMap(({ violates }) => violates));
  if (!first)
    throw problem('scenario', 'bad-option', `${path} has no violation that could be looked for`, { hint: 'name the bundle of a run that failed' });
  const which = symptoms.length > 1 ? `, of the ${symptoms.length} that ${path} has` : '';
  return { wanted: first.fingerprint, words: `${oneLine(symptomWords(first))}, ${first.fingerprint}${which}`, from: await realpath(resolve(cwd, path)) };
};

/** @throws ProblemError `bad-option`, and what reading a bundle throws */
export const namedSymptom = async (text: string, cwd: string): Promise<NamedSymptom> => {
  if (existsSync(resolve(cwd, text))) return ofBundle(text, cwd);
  if (NAMED.test(text)) return { wanted: text, words: text.includes('@') ? text : `${text}, for whatever reason`, from: null };
  throw problem('scenario', 'bad-option', `--symptom "${text}" is neither a claim, a fingerprint nor a bundle`, {
    hint: 'for example --symptom upstream-closed, upstream-closed@1f3c9a2b, or the folder of a run that failed',
  });
};
