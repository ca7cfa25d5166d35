// What one run says about the question of a search: good, bad, something else that is wrong, nothing, or that this version cannot be
// tested at all. A search that took another fault for the one it is after would name the wrong version, so only the same symptom is bad.
import type { Problem } from '../../model/problem.ts';
import { isSymptom, symptomsOf } from '../../model/symptom.ts';
import type { Symptom } from '../../model/symptom.ts';
import type { Outcome, ScenarioOutcome } from '../../model/verdict.ts';
import type { CellResult } from '../run-cell.ts';

/**
 * `other`: violated, and not what is looked for. `unclear`: the record does not allow to say. `untestable`: it cannot be built or does
 * not become ready. `stopped`: not this version's doing (the machine, hangup, an interruption): the search cannot go on.
 */
export type Answer = 'good' | 'bad' | 'other' | 'unclear' | 'untestable' | 'stopped';

/** What is kept of a run: enough to answer any question about it later. */
export type Seen = {
  readonly outcome: ScenarioOutcome;
  readonly claims: Readonly<Record<string, Outcome>>;
  readonly symptoms: readonly Symptom[];
  /** Why it is no verdict, one line; '' for one that was judged. */
  readonly why: string;
  /** Where it was no verdict: the version's own doing, or that of the machine or of hangup. */
  readonly blame: 'system' | 'elsewhere' | null;
};

/** What is looked for: a fingerprint, or a claim for whatever reason. `background`: fingerprints that are seen where all is well. */
export type Sought = { readonly wanted: string; readonly background?: ReadonlySet<string> };

/** What keeps a version from being judged and is of its own making: it does not build, start, or take what its card tells it. */
const OF_THE_SYSTEM: ReadonlySet<string> = new Set([
  'system-not-started', 'system-exited', 'system-not-ready', 'system-not-stopped', 'setup-failed', 'ledger-unreadable',
  'install-failed', 'image-not-built', 'image-missing', 'source-not-built',
]);

/** @returns whether these are of the system that is judged, all of them */
export const isOfTheSystem = (problems: readonly Pick<Problem, 'code'>[]): boolean =>
  problems.length > 0 && problems.every(({ code }) => OF_THE_SYSTEM.has(code));

const firstLine = (text: string): string => text.split('\n')[0]!;

const blameOf = ({ outcome, problems }: Pick<CellResult, 'outcome' | 'problems'>): Seen['blame'] => {
  if (outcome === 'interrupted') return 'elsewhere';
  if (outcome === 'untestable') return 'system';
  return outcome === 'error' ? (isOfTheSystem(problems) ? 'system' : 'elsewhere') : null;
};

const whyOf = ({ outcome, problems, verdicts }: Pick<CellResult, 'outcome' | 'problems' | 'verdicts'>): string => {
  if (problems.length > 0) return firstLine(problems.map(({ message }) => message).join('; '));
  if (outcome === 'failed' || outcome === 'passed') return '';
  const open = verdicts.find((verdict) => verdict.outcome === 'inconclusive') ?? verdicts[0];
  return open ? `${open.id}: ${firstLine(open.reason)}` : outcome;
};

export const seenOf = (result: Pick<CellResult, 'outcome' | 'problems' | 'verdicts'>): Seen => ({
  outcome: result.outcome,
  claims: Object.fromEntries(result.verdicts.map(({ id, outcome }) => [id, outcome])),
  symptoms: symptomsOf(result.verdicts),
  why: whyOf(result),
  blame: blameOf(result),
});

/** @returns the claim of a fingerprint, or the claim itself */
export const claimOf = (wanted: string): string => wanted.replace(/@[0-9a-f]{8}$/, '');

/** The same rule for every run of a search, also for those that were made before it was known what is looked for. */
export const answerOf = (seen: Seen, { wanted, background = new Set() }: Sought): Answer => {
  const { symptoms, blame, claims } = seen;
  if (blame !== null) return blame === 'system' ? 'untestable' : 'stopped';
  if (symptoms.some((symptom) => isSymptom(symptom, wanted) && !background.has(symptom.fingerprint))) return 'bad';
  const others = symptoms.filter(({ fingerprint }) => !background.has(fingerprint));
  if (others.length > 0) return 'other';
  // Held, or violated for a reason that is there where all is well too.
  const outcome = claims[claimOf(wanted)];
  return outcome === 'held' || outcome === 'violated' ? 'good' : 'unclear';
};
