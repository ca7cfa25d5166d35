// The claims of a scenario as they are judged in one cell: numbered, with their lengths in ms, and with the reason where
// one cannot be shown. The claims by which a stored record is judged anew are made here too.
import { eachClient } from '../model/facts.ts';
import type { Claim, Facts } from '../model/facts.ts';
import type { Item } from '../model/fields.ts';
import { registries } from '../scenario/registries.ts';
import type { ScenarioClaim } from '../scenario/scenario.ts';
import { resolveDurations } from './periods.ts';

/** Waits counted in periods that a card does not have are never used: what needs them does not apply. */
export const withDefaults = (periods: Facts['periods']): Facts['periods'] => ({
  renewalMs: 1_000, leaseMs: 3_000, sweepMs: 1_000, ...periods,
});

/** Numbers claims of one kind: `upstream-closed`, `upstream-closed#2`. */
const claimIds = (items: readonly Item[]): readonly string[] => {
  const seen = new Map<string, number>();
  return items.map(({ kind }) => {
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    return count === 1 ? kind : `${kind}#${count}`;
  });
};

/** A claim on a name with copies applies where it does to each of them. */
const whyNot = (facts: Facts, kind: string, options: Item['options']): string | null => {
  const { notApplicable, withoutSystem } = registries.expectations.get(kind)!;
  if (facts.system.absent && !withoutSystem) return 'there is no system';
  return eachClient(facts, options).map((one) => notApplicable(facts, one)).find((reason) => reason !== null) ?? null;
};

/**
 * @param missing why nothing of the scenario can be shown here, or null
 * @param where whose claims they are, for messages
 */
export const claimsOf = (expect: readonly ScenarioClaim[], facts: Facts, missing: string | null, where: string): readonly Claim[] => {
  const ids = claimIds(expect);
  const periods = withDefaults(facts.periods);
  return expect.map((item, index): Claim => {
    const options = resolveDurations(item.options, periods, `${where} ${item.kind}`);
    return {
      kind: item.kind,
      options,
      id: ids[index]!,
      ...(item.as === null ? {} : { as: item.as }),
      notApplicable: missing ?? whyNot(facts, item.kind, options),
    };
  });
};
