// What other claims say of a record, beside what was said when it was made.
import type { Verdicts } from '../bundle/format.ts';
import type { Verdict } from '../model/verdict.ts';
import { columns, oneLine } from '../reports/text.ts';

const isSameClaim = (a: Verdict, b: Verdict): boolean => a.claim === b.claim && JSON.stringify(a.options) === JSON.stringify(b.options);

/** Pairs of now and before: by kind and options first, then by what is left of the kind, in order. */
const pairsOf = (now: readonly Verdict[], before: readonly Verdict[]): readonly (readonly [Verdict, Verdict | null])[] => {
  const left = [...before];
  const take = (is: (each: Verdict) => boolean): Verdict | null => {
    const at = left.findIndex(is);
    return at < 0 ? null : left.splice(at, 1)[0]!;
  };
  const exact = now.map((verdict) => take((each) => isSameClaim(each, verdict)));
  return now.map((verdict, index) => [verdict, exact[index] ?? take((each) => each.claim === verdict.claim)]);
};

const rowOf = ([now, before]: readonly [Verdict, Verdict | null]): readonly string[] => {
  const was = before === null ? 'was not asked' : `${before.outcome === now.outcome ? 'also' : 'was'} ${before.outcome}`;
  const how = before === null || isSameClaim(now, before) ? '' : 'with other options';
  return [`  ${oneLine(now.id)}`, now.outcome, was, how];
};

/** One line for each claim, and one for those that were judged then and are not asked about now. */
export const compareClaims = (stored: Verdicts, now: Verdicts): { readonly lines: readonly string[]; readonly isSame: true } => {
  const pairs = pairsOf(now.verdicts, stored.verdicts);
  const taken = new Set(pairs.map(([, before]) => before));
  const unasked = stored.verdicts.filter((each) => !taken.has(each));
  return {
    isSame: true,
    lines: [
      `Beside verdicts.json (${stored.outcome} there, ${now.outcome} by these claims):`,
      ...columns(pairs.map(rowOf)),
      ...(unasked.length === 0 ? [] : [`  not asked now: ${unasked.map(({ id, outcome }) => `${oneLine(id)} (${outcome})`).join(', ')}`]),
    ],
  };
};
