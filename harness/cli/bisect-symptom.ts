// What `--symptom` of a search stands for. A bundle may be another one tomorrow, or gone, and the search must not look for another
// symptom than it began with: so the question holds what the bundle showed, and how it was given only for people.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { didYouMean } from '../model/nearest.ts';
import { problem, problemsOf } from '../model/problem.ts';
import { claimOf } from '../plan/bisect-run/answer.ts';
import type { Question } from '../plan/bisect-run/question.ts';
import { readState } from '../plan/bisect-run/state.ts';
import type { BisectOptions } from './bisect-options.ts';
import type { Asked } from './bisect-question.ts';
import type { Terminal } from './command.ts';
import { namedSymptom } from './symptom-option.ts';
import type { NamedSymptom } from './symptom-option.ts';

type Wanted = Pick<BisectOptions, 'symptom' | 'fresh'>;

/** What the search before was asked. What cannot be read is as good as none to one that begins anew: it is set aside for that. */
const earlier = async (state: string, fresh: boolean): Promise<Partial<Question>> => {
  try {
    return (await readState(state))?.question ?? {};
  } catch (error) {
    if (fresh && problemsOf(error).every(({ code }) => code === 'bisect-unreadable')) return {};
    throw error;
  }
};

/** A bundle that is gone, of a search that knows what it showed. @returns null: it is not so */
const recorded = async (text: string, fresh: boolean, { cwd, secrets }: Terminal, state: string): Promise<NamedSymptom | null> => {
  if (existsSync(resolve(cwd, text))) return null;
  const { symptom = null, symptomFrom = null } = await earlier(state, fresh);
  if (symptom === null || symptom === text || symptomFrom !== secrets.shown.value(text)) return null;
  if (!fresh) return { wanted: symptom, words: `${symptom}, as this search has it: ${text} is not there any more`, from: null };
  throw problem('scenario', 'bad-option', `--symptom "${text}" is not there any more, and a search that begins anew does not know it`, {
    hint: `it was ${symptom} in the one before: --symptom ${symptom}`,
  });
};

const wantedOf = async (text: string, fresh: boolean, terminal: Terminal, { question, cellAt }: Asked, state: string): Promise<NamedSymptom> => {
  const claims = cellAt(question.axes.map(({ values }) => values[0]!)).claims.map(({ id }) => id);
  // What names a claim itself needs nothing of the search before, whatever state that is in.
  const before = claims.includes(claimOf(text)) ? null : await recorded(text, fresh, terminal, state);
  const named = before ?? (await namedSymptom(text, terminal.cwd));
  const claim = claimOf(named.wanted);
  if (claims.includes(claim)) return named;
  throw problem('scenario', 'bad-option', `${question.scenario} makes no claim "${claim}"`, { hint: didYouMean(claim, claims, 'it makes') });
};

/**
 * @param state path of the search's state, which need not be there
 * @returns what is looked for, in the question too; null: what the ends differ in
 * @throws ProblemError `bad-option` also for a claim that the scenario does not make: it would be looked for in vain
 */
export const withSymptom = async (terminal: Terminal, { symptom, fresh }: Wanted, asked: Asked, state: string): Promise<{ readonly asked: Asked; readonly named: NamedSymptom | null }> => {
  if (symptom === null) return { asked, named: null };
  const named = await wantedOf(symptom, fresh, terminal, asked, state);
  return { asked: { ...asked, question: { ...asked.question, symptom: named.wanted } }, named };
};
