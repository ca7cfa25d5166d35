// Claims in a file of their own, by which a stored record is judged anew: the scenario's words for them, checked against
// the names that are in the record, and what else a reader may see otherwise: policy, bounds, price. Periods, leaves and
// sampling are what happened, and are nobody's to change.
import { z } from 'zod';
import { BOUND_NAMES, instancesOf } from '../model/facts.ts';
import type { Claim, Facts, Policy } from '../model/facts.ts';
import { ProblemError } from '../model/problem.ts';
import type { Timeline } from '../model/timeline.ts';
import { sortProblems } from '../scenario/build.ts';
import { displayPath } from '../scenario/identity.ts';
import { findingsOf, PARSE_OPTIONS } from '../scenario/issues.ts';
import type { Finding } from '../scenario/issues.ts';
import { loadTree } from '../scenario/load.ts';
import { locateAll } from '../scenario/locate.ts';
import { asMap, itemsOf, usesOf } from '../scenario/raw-items.ts';
import type { Data } from '../scenario/raw-items.ts';
import { checkUse } from '../scenario/references.ts';
import { registries } from '../scenario/registries.ts';
import { expectSchema } from '../scenario/schema.ts';
import { toData } from '../scenario/tree.ts';
import { durations, policyWords, priceSchema } from './card-parts.ts';
import { claimsOf } from './claims.ts';
import { resolveDurations } from './periods.ts';

const policySchema = z.strictObject({
  'on-disconnect': policyWords['on-disconnect'].optional(),
  'half-close': policyWords['half-close'].optional(),
  'partial-billing': policyWords['partial-billing'].optional(),
});

const fileSchema = z.strictObject({
  version: z.literal(1).prefault(1).describe('Version of the scenario language'),
  expect: expectSchema(registries.expectations).describe('What is claimed'),
  policy: policySchema.prefault({}).describe("Instead of the card's"),
  bounds: durations(BOUND_NAMES).prefault({}).describe('Instead of those that were in effect'),
  price: priceSchema.optional().describe("Instead of the card's"),
});

type ClaimsFile = z.output<typeof fileSchema>;

/** What a record can be judged by. */
export type Recorded = { readonly facts: Facts; readonly timeline: Timeline };

/** Names that are used and not in the record. A leave that never came was meant to, and may be asked about. */
const unknownNames = (data: Data, { facts, timeline }: Recorded): readonly Finding[] => {
  const marks = [...timeline.of('mark').map(({ mark }) => mark), ...facts.leaves.map(({ mark }) => mark)];
  const names = {
    client: [...Object.keys(facts.copies ?? {}), ...Object.keys(facts.clients)],
    upstream: Object.keys(facts.upstreams),
    mark: [...new Set(marks)],
  };
  const items = itemsOf({ expect: data.expect }, registries);
  return usesOf(items).flatMap((use) => checkUse(use, names, instancesOf(facts).length));
};

const policyOf = (given: ClaimsFile['policy'], policy: Policy): Policy => ({
  onDisconnect: given['on-disconnect'] ?? policy.onDisconnect,
  halfClose: given['half-close'] ?? policy.halfClose,
  partialBilling: given['partial-billing'] ?? policy.partialBilling,
});

const factsOf = ({ policy, bounds, price }: ClaimsFile, facts: Facts): Facts => ({
  ...facts,
  policy: policyOf(policy, facts.policy),
  bounds: { ...facts.bounds, ...(resolveDurations(bounds, facts.periods, 'bounds') as Facts['bounds']) },
  price: price ?? facts.price,
});

/**
 * Reads a file of claims for a record.
 * @returns what judges are then given in place of what the record's own scenario said
 * @throws ProblemError every problem of the file, each with its place
 */
export const readOtherClaims = async (path: string, recorded: Recorded): Promise<{ readonly facts: Facts; readonly claims: readonly Claim[] }> => {
  const { source, root, problems } = await loadTree(path, displayPath(path));
  if (root === null) throw new ProblemError(problems);
  const data = asMap(toData(root));
  const parsed = fileSchema.safeParse(data, PARSE_OPTIONS);
  const findings = [...(parsed.success ? [] : parsed.error.issues.flatMap(findingsOf)), ...unknownNames(data, recorded)];
  const all = sortProblems([...problems, ...locateAll(source, root, findings)]);
  if (!parsed.success || all.length > 0) throw new ProblemError(all);
  const facts = factsOf(parsed.data, recorded.facts);
  return { facts, claims: claimsOf(parsed.data.expect, facts, null, displayPath(path)) };
};
