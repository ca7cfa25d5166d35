// Verdicts of then beside those of now, claim by claim.
import type { Verdicts } from '../bundle/format.ts';
import { EXIT } from '../model/exit-code.ts';
import type { ExitCode } from '../model/exit-code.ts';
import type { Verdict } from '../model/verdict.ts';
import { columns, oneLine, plural } from '../reports/text.ts';

export type ClaimComparison = {
  readonly id: string;
  readonly was: Verdict | null;
  readonly is: Verdict | null;
  /** The same outcome. That reasons differ is no change: they hold what was measured. */
  readonly isSame: boolean;
};

export type Comparison = { readonly claims: readonly ClaimComparison[]; readonly isSame: boolean };

type Compared = Pick<Verdicts, 'outcome' | 'verdicts'>;

export const compareVerdicts = (was: Compared, is: Compared): Comparison => {
  const ids = [...new Set([...was.verdicts, ...is.verdicts].map(({ id }) => id))];
  const claims = ids.map((id): ClaimComparison => {
    const [before, after] = [was, is].map(({ verdicts }) => verdicts.find((each) => each.id === id) ?? null) as [
      Verdict | null,
      Verdict | null,
    ];
    return { id, was: before, is: after, isSame: before?.outcome === after?.outcome };
  });
  return { claims, isSame: was.outcome === is.outcome && claims.every(({ isSame }) => isSame) };
};

const wordOf = (verdict: Verdict | null): string =>
  verdict === null ? 'not claimed' : `${verdict.outcome}${verdict.class === undefined ? '' : ` (${verdict.class})`}`;

const rowOf = ({ id, was, is, isSame }: ClaimComparison): readonly string[] => {
  const [before, after] = [wordOf(was), wordOf(is)];
  return [
    `  ${!isSame ? 'changed' : before === after ? 'same' : 'same outcome'}`,
    oneLine(id),
    before === after ? after : `was ${before}, is ${after}`,
    isSame ? '' : oneLine(is?.reason ?? '', 200),
  ];
};

/** A run that was not judged says nothing of one that was. */
const isCompared = (was: Compared, is: Compared): boolean => was.verdicts.length > 0 && is.verdicts.length > 0;

/** @returns the exit code: of what became of this run, else of how it is beside that of then */
export const codeOf = (was: Compared, is: Compared): ExitCode => {
  if (is.outcome === 'interrupted') return EXIT.interrupted;
  if (is.outcome === 'error') return EXIT.error;
  if (is.outcome === 'untestable') return EXIT.inconclusive;
  if (!compareVerdicts(was, is).isSame) return isCompared(was, is) ? EXIT.failed : EXIT.inconclusive;
  return is.outcome === 'does-not-apply' ? EXIT.nothing : EXIT.passed;
};

const conclusion = (was: Compared, is: Compared, { claims, isSame }: Comparison): string => {
  if (was.verdicts.length === 0 && is.verdicts.length > 0) return 'That run was not judged, so there is nothing to compare.';
  if (is.verdicts.length === 0) return 'This run was not judged, so there is nothing to compare.';
  const others = claims.filter((each) => each.isSame && each.was?.class !== each.is?.class).length;
  const otherwise = others === 0 ? '' : ` ${plural(others, 'claim')} of another class.`;
  if (isSame) return `The same outcome, and the same of ${plural(claims.length, 'claim')}.${otherwise}`;
  const changed = claims.filter((each) => !each.isSame).length;
  return `${changed} of ${plural(claims.length, 'claim')} changed.${otherwise}`;
};

/** For people, with a line end. */
export const comparisonText = (scenario: string, was: Compared, is: Compared): string => {
  const comparison = compareVerdicts(was, is);
  return [
    `${oneLine(scenario)}: was ${was.outcome}, is ${is.outcome}`,
    ...(isCompared(was, is) ? columns(comparison.claims.map(rowOf)) : []),
    conclusion(was, is, comparison),
    '',
  ].join('\n');
};
