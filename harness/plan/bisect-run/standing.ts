// What the runs of a search come to: which symptom is looked for, and what each run says to that. A pure fold over what was recorded,
// so that a search that was cut off goes on exactly where it was.
import { isSymptom } from '../../model/symptom.ts';
import type { Symptom } from '../../model/symptom.ts';
import { answerOf } from './answer.ts';
import type { Answer, Sought } from './answer.ts';
import type { Probe } from './state.ts';

/** So often a version may give no verdict, or not become ready, before it is no longer asked. */
const MOST_UNCLEAR = 3;
const MOST_NOT_READY = 2;
const MOST_OTHER = 3;

const fingerprints = (probes: readonly Probe[]): ReadonlySet<string> =>
  new Set(probes.flatMap(({ seen }) => seen.symptoms.map(({ fingerprint }) => fingerprint)));

const wasJudged = ({ seen }: Probe): boolean => seen.blame === null;

/** Runs that show it. */
export const timesIn = (probes: readonly Probe[], { fingerprint }: Symptom): number =>
  probes.filter(({ seen }) => seen.symptoms.some((symptom) => symptom.fingerprint === fingerprint)).length;

/**
 * The violation that the bad end has and the good end has not, of several the one that most of its runs show: another may have come up
 * by chance. If the good end has all of them, the commonest: whether it has it as often is for the search to find out.
 * @param good runs of the good end; none: not yet run
 * @returns null while the bad end has shown nothing
 */
export const symptomOfEnds = (bad: readonly Probe[], good: readonly Probe[]): Symptom | null => {
  const known = fingerprints(good);
  const times = new Map(bad.flatMap(({ seen }) => seen.symptoms.map((symptom) => [symptom.fingerprint, timesIn(bad, symptom)] as const)));
  const all = bad.flatMap(({ seen }) => seen.symptoms).toSorted((a, b) => times.get(b.fingerprint)! - times.get(a.fingerprint)!);
  const isNew = ({ fingerprint }: Symptom): boolean => !known.has(fingerprint);
  const isHeldThere = ({ claim }: Symptom): boolean => good.some(({ seen }) => seen.claims[claim] === 'held');
  return all.find((symptom) => isNew(symptom) && isHeldThere(symptom)) ?? all.find(isNew) ?? all[0] ?? null;
};

/** What one run shows may have been chance: it is looked for when two show it, or when no more are to be made. */
export const isShownTwice = (symptom: Symptom, bad: readonly Probe[], endRuns: number): boolean => timesIn(bad, symptom) >= 2 || bad.length >= endRuns;

/** The one that was asked for, where it has been seen. */
export const symptomLike = (wanted: string, probes: readonly Probe[]): Symptom | null =>
  probes.flatMap(({ seen }) => seen.symptoms).find((symptom) => isSymptom(symptom, wanted)) ?? null;

/** What the good end shows beside what is looked for is there where all is well. */
export const soughtOf = (wanted: string, good: readonly Probe[]): Sought => ({
  wanted,
  background: new Set(
    good.flatMap(({ seen }) => seen.symptoms.filter((symptom) => !isSymptom(symptom, wanted)).map(({ fingerprint }) => fingerprint)),
  ),
});

export type Tally = Readonly<Record<Exclude<Answer, 'stopped'>, number>> & {
  /** Why nothing more is asked of it; null: it can be asked. */
  readonly given: string | null;
};

const whyGiven = (probes: readonly Probe[], answers: readonly Answer[]): string | null => {
  const last = (probes.findLast(({ seen }) => seen.why !== '' || seen.symptoms.length > 0) ?? probes.at(-1))?.seen;
  if (!last) return null;
  // One that passed, and in which it did not apply, has no reason of its own.
  const why = last.why || 'nothing was said of what is looked for';
  const definite = probes.find(({ seen }) => seen.outcome === 'untestable');
  if (definite) return definite.seen.why;
  const count = (answer: Answer): number => answers.filter((each) => each === answer).length;
  const told = count('good') + count('bad');
  if (told > 0) return answers.length - told >= MOST_UNCLEAR * (told + 1) ? `mostly no verdict: ${why}` : null;
  if (count('untestable') >= MOST_NOT_READY) return last.why;
  if (count('other') >= MOST_OTHER) return `another symptom: ${last.symptoms[0]?.claim ?? 'violated'}`;
  return count('unclear') + count('other') + count('untestable') >= MOST_UNCLEAR ? `no verdict: ${why}` : null;
};

/** All runs of one version, as answers. */
export const tallyOf = (probes: readonly Probe[], sought: Sought): Tally => {
  const answers = probes.map(({ seen }) => answerOf(seen, sought));
  const count = (answer: Answer): number => answers.filter((each) => each === answer).length;
  return {
    good: count('good'), bad: count('bad'), other: count('other'), unclear: count('unclear'), untestable: count('untestable'),
    given: whyGiven(probes, answers),
  };
};

/** Before it is known what is looked for: why a version says nothing at all. */
export const whyMute = (probes: readonly Probe[]): string | null => {
  if (probes.some(wasJudged)) return null;
  const definite = probes.find(({ seen }) => seen.outcome === 'untestable');
  if (definite) return definite.seen.why;
  return probes.length >= MOST_NOT_READY ? probes.at(-1)!.seen.why : null;
};
