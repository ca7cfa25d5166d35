// What claims ask for, for pages and issues: judges know it, and reports do not import them.
import { expectations } from '../expectations/registry.ts';
import type { Facts } from '../model/facts.ts';
import type { RightOf } from '../reports/believe.ts';

/** In a run of these facts. Bundles may name claims that this version does not know: null. */
export const rightIn =
  (facts: Facts): RightOf =>
  ({ kind, options }) => {
    const known = expectations.get(kind);
    if (!known) return null;
    return {
      about: known.about,
      violatedIf: known.explain?.(facts, options).violatedIf ?? [],
      usesControl: known.usesControl === true,
    };
  };
