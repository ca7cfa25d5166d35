// From a sealed record to verdicts. The same record gives the same bytes: nothing here knows a clock,
// a chance or an order that is not the record's own.
import { eachClient } from '../model/facts.ts';
import type { Claim, Facts } from '../model/facts.ts';
import type { Options } from '../model/fields.ts';
import { messageOf } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import type { Timeline } from '../model/timeline.ts';
import { atOnce } from '../model/turns.ts';
import type { Finding, Verdict } from '../model/verdict.ts';
import { worstOf } from './parts/finding.ts';
import { expectations } from './registry.ts';

export type Case = {
  readonly timeline: Timeline;
  readonly control: Timeline | null;
  readonly facts: Facts;
  readonly claims: readonly Claim[];
};

const FAULT = 'harness fault: ';

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => [key, sorted(entry)]),
  );
};

/** Of copies the worst, by name; else the one there is. */
const ofAll = (each: readonly Options[], findings: readonly Finding[]): Finding => {
  if (each.length === 1) return findings[0]!;
  const worst = worstOf(findings);
  const others = findings.filter(({ outcome }) => outcome === worst.outcome).length - 1;
  const name = String(each[findings.indexOf(worst)]!.client);
  if (worst.outcome === 'held') return { ...worst, reason: `each of ${each.length} copies; ${String(each[0]!.client)}: ${worst.reason}` };
  return { ...worst, reason: `${name}${others > 0 ? ` and ${others} more` : ''} of ${each.length} copies: ${worst.reason}` };
};

function* judgeClaim({ timeline, control, facts }: Case, claim: Claim): Generator<void, Verdict> {
  const name = claim.as === undefined ? {} : { as: claim.as };
  const base = { claim: claim.kind, id: claim.id, ...name, options: sorted(claim.options) as Options };
  try {
    const definition = expectations.get(claim.kind);
    if (!definition) throw new Error(`no expectation ${claim.kind}; there are ${expectations.kinds.join(', ')}`);
    const each = eachClient(facts, claim.options);
    const reasons = each.map((options) => definition.notApplicable(facts, options));
    const reason = claim.notApplicable ?? reasons.find((one) => one !== null) ?? null;
    if (reason !== null) return { ...base, outcome: 'does-not-apply', reason, evidence: [] };
    const findings: Finding[] = [];
    for (const options of each) {
      findings.push(definition.judge({ timeline, control, facts, options }));
      yield;
    }
    const finding = ofAll(each, findings);
    return {
      ...base,
      outcome: finding.outcome,
      reason: finding.reason,
      evidence: [...new Set(finding.evidence)],
      ...(finding.class === undefined ? {} : { class: finding.class }),
      ...(finding.interval === undefined ? {} : { interval: { fromMs: finding.interval.fromMs, toMs: finding.interval.toMs } }),
    };
  } catch (error) {
    // A judge that fails has judged nothing: it accuses nobody and clears nobody.
    return { ...base, outcome: 'inconclusive', reason: `${FAULT}the judge of ${claim.kind} failed: ${messageOf(error)}`, evidence: [] };
  }
}

/** One verdict a claim, in the order of the claims. Yields after each client of each: claims on a hundred copies take a while. */
export function* judging(input: Case): Generator<void, readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const claim of input.claims) verdicts.push(yield* judgeClaim(input, claim));
  return verdicts;
}

/** The same, at once. */
export const judge = (input: Case): readonly Verdict[] => atOnce(judging(input));

/** The judges that failed, as the harness's own problems. */
export const harnessFaultsOf = (verdicts: readonly Verdict[]): readonly Problem[] =>
  verdicts
    .filter(({ reason }) => reason.startsWith(FAULT))
    .map(({ reason }) => ({ family: 'harness', code: 'judge-failed', message: reason.slice(FAULT.length) }));
