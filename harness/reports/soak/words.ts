// What all pages of a night say in the same words: where to look first, rates with their intervals, what was kept and removed.
import { formatMs } from '../../model/time.ts';
import type { SoakCell, SoakNight, SoakSymptom, Trend } from '../../model/soak.ts';
import { plural } from '../text.ts';

const MEBIBYTE = 1024 * 1024;

export const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(bytes < 10 * MEBIBYTE ? 1 : 0)} MiB`;

const percent = (share: number): string => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

/** `3 of 40 (1.6 % to 20 %)`. */
export const rateText = ({ count, of, low, high }: { readonly count: number; readonly of: number; readonly low: number; readonly high: number }): string =>
  of === 0 ? 'never judged' : `${count} of ${of} (${percent(low)} to ${percent(high)})`;

/** Intervals that do not meet: more often, or less, than before. */
export const changeOf = ({ notPassed, before }: SoakCell): 'more often' | 'less often' | null => {
  if (before === null || notPassed.of === 0 || before.of === 0) return null;
  if (notPassed.low > before.high) return 'more often';
  return notPassed.high < before.low ? 'less often' : null;
};

export const OUTCOME_WORDS: Readonly<Record<Trend['outcome'], string>> = { flat: 'flat', grows: 'grows', 'cannot-tell': 'cannot tell' };
/** Of the look that verdicts have. */
export const OUTCOME_LOOKS: Readonly<Record<Trend['outcome'], string>> = { flat: 'held', grows: 'violated', 'cannot-tell': 'inconclusive' };

/** Rows of the table: something was not passed, or something changed. */
export const isTold = (cell: SoakCell): boolean =>
  cell.notPassed.count > 0 || cell.symptoms.length > 0 || cell.gone.length > 0 || changeOf(cell) !== null;

export type Look = { readonly what: string; readonly bundle: string | null };

const MAXIMUM_LOOKS = 6;
const MAXIMUM_NAMED = 5;
const GRAVEST: readonly SoakSymptom['outcome'][] = ['violated', 'error', 'inconclusive'];

/** Where there is nothing to look at; for an exit code of 0 only. */
export const NOWHERE = 'everything passed, as before';

/** What goes on as before, or nobody can say whether it is new; and what was not passed without a symptom. */
const continuing = (cells: readonly SoakCell[]): readonly Look[] => [
  ...cells.flatMap((cell) => cell.symptoms.filter(({ isNew }) => !isNew).map((symptom) => ({ cell, symptom })))
    .toSorted((a, b) => GRAVEST.indexOf(a.symptom.outcome) - GRAVEST.indexOf(b.symptom.outcome))
    .map(({ cell, symptom }) => ({
      what: `${cell.before === null ? '' : 'as before: '}${symptom.outcome}: ${cell.cell}: ${symptom.words}, ${plural(symptom.count, 'time')}`, bundle: symptom.bundle,
    })),
  ...cells.filter(({ notPassed, symptoms }) => notPassed.count > 0 && symptoms.length === 0)
    .map((cell) => ({ what: `not passed: ${cell.cell}: ${rateText(cell.notPassed)}`, bundle: null })),
];

/** The first of them by name. */
const someOf = (all: readonly string[]): string =>
  all.slice(0, MAXIMUM_NAMED).join(', ') + (all.length > MAXIMUM_NAMED ? ` and ${all.length - MAXIMUM_NAMED} more` : '');

/** Where whoever reads it in the morning should look, the first first. */
export const looksFirst = ({ cells, trends, notReached, endedEarly, outages, exitCode }: SoakNight): readonly Look[] => {
  const symptoms = cells.flatMap((cell) => cell.symptoms.map((symptom) => ({ cell, symptom })));
  const fresh = symptoms.filter(({ symptom }) => symptom.isNew).map(({ cell, symptom }) => ({ what: `new tonight: ${cell.cell}: ${symptom.words}, ${plural(symptom.count, 'time')}`, bundle: symptom.bundle }));
  const growing = trends.filter(({ outcome }) => outcome === 'grows').map(({ of, measure, why, how }) => ({ what: `${measure} of ${of} grows ${why} (${how})`, bundle: null }));
  const often = cells.filter((cell) => changeOf(cell) === 'more often').map((cell) => ({
    what: `not passed more often than before: ${cell.cell}: ${rateText(cell.notPassed)}, before ${rateText(cell.before!)}`, bundle: cell.symptoms[0]?.bundle ?? null,
  }));
  const short = [
    ...(endedEarly === null ? [] : [{ what: `it ended before its time: ${endedEarly}`, bundle: null }]),
    ...(outages.length === 0 ? [] : [{ what: `the engine was away ${plural(outages.length, 'time')}, ${formatMs(outages.reduce((sum, { forMs }) => sum + forMs, 0))} in all`, bundle: null }]),
    ...(notReached.length === 0 ? [] : [{ what: `nothing is known of ${plural(notReached.length, 'scenario')} that had no turn: ${someOf(notReached)}`, bundle: null }]),
  ];
  const all = [...fresh, ...growing, ...often, ...continuing(cells)];
  const left = all.length - MAXIMUM_LOOKS;
  // A page that says that all is well must not come with a code that says otherwise.
  if (all.length + short.length === 0 && exitCode !== 0) return [{ what: `not all is well, and no symptom of it is known: the exit code is ${exitCode}`, bundle: null }];
  return [...all.slice(0, MAXIMUM_LOOKS), ...(left > 0 ? [{ what: `and ${left} more, in the table below`, bundle: null }] : []), ...short];
};

export const headline = (night: SoakNight): string => {
  const fresh = night.cells.reduce((sum, { symptoms }) => sum + symptoms.filter(({ isNew }) => isNew).length, 0);
  const grows = night.trends.filter(({ outcome }) => outcome === 'grows').length;
  const notPassed = night.cells.filter(({ notPassed: { count } }) => count > 0).length;
  const wasJudged = night.cells.some(({ notPassed: { of } }) => of > 0);
  const errors = night.cells.reduce((sum, { outcomes }) => sum + (outcomes.error ?? 0) + (outcomes.untestable ?? 0), 0);
  const known = night.cells.filter((cell) => cell.known > 0).length;
  const all = errors > 0 || night.notReached.length > 0 ? 'all that was judged passed' : 'all passed';
  const parts = [
    ...(night.history.nights === 0 ? [] : [fresh === 0 ? 'nothing new' : `${fresh} new`]),
    notPassed > 0 ? `${plural(notPassed, 'scenario')} not always passed` : wasJudged ? all : 'nothing was judged',
    ...(known > 0 ? [`known violations in ${plural(known, 'scenario')}`] : []),
    ...(errors > 0 ? [`${plural(errors, 'run')} in error`] : []),
    ...(night.notReached.length > 0 ? [`${plural(night.notReached.length, 'scenario')} had no turn`] : []),
    ...(grows > 0 ? [`${grows} growing`] : []),
  ];
  return parts.join(', ');
};

export const factsLine = ({ startedAt, tookMs, budgetMs, runtime, rounds, runs, cells, seed, jobs, version, exitCode }: SoakNight): string =>
  `begun ${startedAt}, ${formatMs(tookMs)} of ${formatMs(budgetMs)}, ${plural(runs, 'run')} of ${plural(cells.length, 'scenario')} in ${plural(rounds, 'round')}, ` +
  `runtime ${runtime}, ${jobs === null ? 'auto' : jobs} side by side, seed ${seed}, hangup ${version}, exit code ${exitCode}`;

export const diskLines = ({ disk: { limitBytes, keptBytes, largestBytes, removed } }: SoakNight): readonly string[] => [
  `${mebibytes(keptBytes)} are kept; never more than ${mebibytes(largestBytes)} were taken of ${mebibytes(limitBytes)} allowed.`,
  removed.length === 0
    ? 'Nothing was removed for want of room. Passes between the first and the last of a scenario are never kept.'
    : `Removed for want of room: ${removed.map(({ what, count, bytes }) => `${count} ${what} (${mebibytes(bytes)})`).join(', ')}.`,
];
