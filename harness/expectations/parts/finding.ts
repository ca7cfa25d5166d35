// Findings, and the one order in which every claim is weighed: what it presupposes, what was plainly
// seen to be wrong, what makes the record untrustworthy, and only then what was or was not seen.
import type { Evidence, Finding } from '../../model/verdict.ts';

type More = Pick<Finding, 'class' | 'interval'>;

export const held = (reason: string, evidence: readonly Evidence[]): Finding => ({ outcome: 'held', reason, evidence });
export const inconclusive = (reason: string, evidence: readonly Evidence[] = []): Finding => ({
  outcome: 'inconclusive',
  reason,
  evidence,
});
export const violated = (reason: string, evidence: readonly Evidence[], more: More = {}): Finding => ({
  outcome: 'violated',
  reason,
  evidence,
  ...more,
});

/** Null: nothing to object to. */
export type Check = () => Finding | null;

export type Stages = {
  /** Whether what the claim is about was provoked at all; without it nothing that was seen means anything. */
  readonly premises?: readonly Check[];
  /** What must not be and was seen. It stands whatever else went wrong. */
  readonly wrong?: readonly Check[];
  /** Whether what was not seen could have been seen. */
  readonly guards?: readonly Check[];
  /** Presence, then absence. */
  readonly decide: () => Finding;
  /** Held only if nothing objects: what a clean record must still show. */
  readonly confirm?: readonly Check[];
  /** Violated by what was not seen only if nothing objects: who may not have been able to do it in time. */
  readonly excuse?: readonly Check[];
};

const firstOf = (checks: readonly Check[] = []): Finding | null => {
  for (const check of checks) {
    const finding = check();
    if (finding) return finding;
  }
  return null;
};

export const weigh = ({ premises, wrong, guards, decide, confirm, excuse }: Stages): Finding => {
  const objection = firstOf(premises) ?? firstOf(wrong) ?? firstOf(guards);
  if (objection) return objection;
  const finding = decide();
  const objections = { held: confirm, violated: excuse, inconclusive: [] }[finding.outcome];
  return firstOf(objections) ?? finding;
};

const RANK = { violated: 2, inconclusive: 1, held: 0 } as const;

/** The worst of several, the first of its kind. @throws Error where there is none */
export const worstOf = (findings: readonly Finding[]): Finding =>
  findings.reduce((worst, finding) => (RANK[finding.outcome] > RANK[worst.outcome] ? finding : worst));

/** The same with something added to its line. */
export const noting = (finding: Finding, note: string | null): Finding =>
  note === null ? finding : { ...finding, reason: `${finding.reason}; ${note}` };

/** Tells what could not be found from what was. */
export const isFinding = (value: object): value is Finding => 'outcome' in value && 'reason' in value;

/** For settling: what is still waited for, as long as the limit is not over. */
export const stillWaiting = (finding: Finding, nowMs: number, untilMs: number): string | null =>
  finding.outcome === 'inconclusive' && nowMs <= untilMs ? finding.reason : null;

/** The first of several that object. */
export const firstFinding = <T>(items: readonly T[], check: (item: T) => Finding | null): Finding | null =>
  firstOf(items.map((item) => () => check(item)));
