// What claims ask for, for pages and issues: judges know it, and reports do not import them.
import type { ExpectationDefinition } from '../expectations/expectation.ts';
import { expectations } from '../expectations/registry.ts';
import type { Claim, Facts } from '../model/facts.ts';
import type { RightOf } from '../reports/believe.ts';

/** Nothing where its options are not those of this version: whoever wrote the bundle may have had others. */
const waysOf = ({ explain }: ExpectationDefinition, facts: Facts, options: Claim['options']): readonly string[] => {
  try {
    return explain?.(facts, options).violatedIf ?? [];
  } catch {
    return [];
  }
};

/** In a run of these facts. Bundles may name claims that this version does not know: null. */
export const rightIn =
  (facts: Facts): RightOf =>
  ({ kind, options }) => {
    const known = expectations.get(kind);
    if (!known) return null;
    return { about: known.about, violatedIf: waysOf(known, facts, options), usesControl: known.usesControl === true };
  };
