// What a violation is known by from one run to the next: the claim, its class, and its reason without what differs by chance. It is
// how a search for the version that broke something tells the same fault from another one.
import { createHash } from 'node:crypto';
import type { Verdict } from './verdict.ts';

export type Symptom = {
  /** Id of the claim in its scenario. */
  readonly claim: string;
  readonly class: string | null;
  /** Why, without numbers, ids, lengths of time and sizes; each of them stands as `#`. */
  readonly reason: string;
  /** `<claim>@<8 hexadecimal digits>`: short enough for a command line. */
  readonly fingerprint: string;
};

/** What systems answer is theirs: it holds ids and clocks in forms that nobody knows. */
const ANSWER = /\s*\{.*\}/s;
/** How much was taken differs from run to run, and says nothing about why. */
const TAKEN = / and took [^;]*$/;
/** Stay as they are: which code it was is the reason. */
const CODE = String.raw`\b(?:exit code|status) \d+`;
const MEASURE = String.raw`\b\d+(?:[.,]\d+)*(?: ?(?:ns|us|ms|s|min|h|d|B|KiB|MiB|GiB|%))?(?![\w-])`;
/** Anything in which a digit stands: ids, markers, numbered names; and the few ids of eight letters. */
const NAMED = String.raw`\b(?=[A-Za-z_-]*\d)[\w-]+\b|\b[a-f]{8}\b`;
const VARYING = new RegExp(`(${CODE})|${MEASURE}|${NAMED}`, 'g');

/** A client that closes with something unread sends RST in place of FIN: which of both it was is chance. */
const WIRE = /'s (?:FIN|RST)\b/g;

/** The first clause of a reason, which says what was wrong; what follows it are details. */
const clauseOf = (reason: string): string => reason.replace(ANSWER, '').split(/[;\n]/)[0]!.replace(TAKEN, '').replace(WIRE, "'s leave");

/** The reason as it will be in every run in which the same goes wrong. */
export const reasonWithoutChance = (reason: string): string =>
  clauseOf(reason)
    .replace(VARYING, (_, code: string | undefined) => code ?? '#')
    // `1 row` and `2 rows`, `pids 7` and `pids 7, 8`.
    .replace(/#(?:(?:,| and|, and) #)+/g, '#')
    .replace(/(# (?:more |live |data )?(?!was\b|is\b|has\b)[a-z]+?)s\b/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/[\s,:]+$/, '')
    .trim();

export const symptomOf = ({ id, class: kind, reason }: Pick<Verdict, 'id' | 'class' | 'reason'>): Symptom => {
  const why = reasonWithoutChance(reason);
  const hash = createHash('sha256').update(JSON.stringify([id, kind ?? null, why])).digest('hex').slice(0, 8);
  return { claim: id, class: kind ?? null, reason: why, fingerprint: `${id}@${hash}` };
};

/** One for each violated claim, in the order of the scenario. */
export const symptomsOf = (verdicts: readonly Pick<Verdict, 'id' | 'class' | 'reason' | 'outcome'>[]): readonly Symptom[] =>
  verdicts.filter(({ outcome }) => outcome === 'violated').map(symptomOf);

/** `upstream-closed@1f3c9a2b` stands for one reason, `upstream-closed` for all that this claim may be violated for. */
export const isSymptom = ({ claim, fingerprint }: Symptom, wanted: string): boolean => fingerprint === wanted || claim === wanted;

/** In words: `upstream-closed (upstream exchange # was still open # after alice's leave)`. */
export const symptomWords = ({ claim, class: kind, reason }: Omit<Symptom, 'fingerprint'>): string =>
  `${claim} (${kind === null ? '' : `${kind}: `}${reason})`;
