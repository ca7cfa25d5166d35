// Where whoever reads it in the morning should look first: what is new, what grows, what is more often, what goes on. One fault shows in
// many scenarios, and is one line: by its symptom, with the smallest bundle that shows it.
import type { SoakCell, SoakNight, SoakSymptom } from '../../model/soak.ts';
import { formatMs } from '../../model/time.ts';
import { plural } from '../text.ts';
import { rateText } from './words.ts';

export type Look = { readonly what: string; readonly bundle: string | null };

type Shown = { readonly cell: SoakCell; readonly symptom: SoakSymptom };

const MAXIMUM_LOOKS = 6;
const MAXIMUM_NAMED = 5;
const GRAVEST: readonly SoakSymptom['outcome'][] = ['violated', 'error', 'inconclusive'];

/** Where there is nothing to look at; for an exit code of 0 only. */
export const NOWHERE = 'everything passed';

/** The first of them by name. */
const someOf = (all: readonly string[]): string =>
  all.slice(0, MAXIMUM_NAMED).join(', ') + (all.length > MAXIMUM_NAMED ? ` and ${all.length - MAXIMUM_NAMED} more` : '');

const smallestOf = (shown: readonly Shown[]): string | null =>
  shown.map(({ symptom }) => symptom).filter(({ bundle }) => bundle !== null).toSorted((a, b) => (a.bundleBytes ?? 0) - (b.bundleBytes ?? 0))[0]?.bundle ?? null;

/** One line for each symptom: the gravest first, then what shows in most scenarios. @param lead what is said before it */
const bySymptom = (shown: readonly Shown[], lead: (one: Shown) => string): readonly Look[] =>
  [...Map.groupBy(shown, ({ symptom }) => symptom.fingerprint).values()]
    .toSorted((a, b) => GRAVEST.indexOf(a[0]!.symptom.outcome) - GRAVEST.indexOf(b[0]!.symptom.outcome) || b.length - a.length)
    .map((same) => {
      const [one] = same as [Shown];
      const times = plural(same.reduce((sum, { symptom }) => sum + symptom.count, 0), 'time');
      const what = same.length === 1
        ? `${one.cell.cell}: ${one.symptom.words}, ${times}`
        : `${one.symptom.words}, ${times} in ${same.length} scenarios: ${someOf(same.map(({ cell }) => cell.cell))}`;
      return { what: `${lead(one)}${what}`, bundle: smallestOf(same) };
    });

/** What goes on as before, or nobody can say whether it is new; and what was not passed without a symptom. */
const continuing = (shown: readonly Shown[], cells: readonly SoakCell[]): readonly Look[] => [
  ...bySymptom(shown.filter(({ symptom }) => !symptom.isNew), ({ cell, symptom }) => `${cell.before === null ? '' : 'as before: '}${symptom.outcome}: `),
  ...cells.filter(({ notPassed, symptoms }) => notPassed.count > 0 && symptoms.length === 0)
    .map((cell) => ({ what: `not passed: ${cell.cell}: ${rateText(cell.notPassed)}`, bundle: null })),
];

/** What the night itself has not done. */
const fellShort = ({ notReached, endedEarly, outages }: SoakNight): readonly Look[] => [
  ...(endedEarly === null ? [] : [{ what: `it ended before its time: ${endedEarly}`, bundle: null }]),
  ...(outages.length === 0 ? [] : [{ what: `the engine was away ${plural(outages.length, 'time')}, ${formatMs(outages.reduce((sum, { forMs }) => sum + forMs, 0))} in all`, bundle: null }]),
  ...(notReached.length === 0 ? [] : [{ what: `nothing is known of ${plural(notReached.length, 'scenario')} that had no turn: ${someOf(notReached)}`, bundle: null }]),
];

/** The first first. */
export const looksFirst = (night: SoakNight): readonly Look[] => {
  const { cells, trends, exitCode } = night;
  const shown = cells.flatMap((cell) => cell.symptoms.map((symptom) => ({ cell, symptom })));
  const growing = trends.filter(({ outcome }) => outcome === 'grows').map(({ of, measure, why, how }) => ({ what: `${measure} of ${of} grows ${why} (${how})`, bundle: null }));
  const often = cells.filter(({ change }) => change === 'more often').map((cell) => ({
    what: `not passed more often than before: ${cell.cell}: ${rateText(cell.notPassed)}, before ${rateText(cell.before!)}`, bundle: cell.symptoms[0]?.bundle ?? null,
  }));
  const all = [...bySymptom(shown.filter(({ symptom }) => symptom.isNew), () => 'new tonight: '), ...growing, ...often, ...continuing(shown, cells)];
  const short = fellShort(night);
  const left = all.length - MAXIMUM_LOOKS;
  // A page that says that all is well must not come with a code that says otherwise.
  if (all.length + short.length === 0 && exitCode !== 0) return [{ what: `not all is well, and no symptom of it is known: the exit code is ${exitCode}`, bundle: null }];
  return [...all.slice(0, MAXIMUM_LOOKS), ...(left > 0 ? [{ what: `and ${left} more, in the table below`, bundle: null }] : []), ...short];
};
