// What all pages of a night say in the same words: its title, rates with their intervals, what was kept and removed.
import { formatMs } from '../../model/time.ts';
import type { SoakCell, SoakNight, SoakRemoved, SoakSymptom, Trend } from '../../model/soak.ts';
import { plural } from '../text.ts';

const MEBIBYTE = 1024 * 1024;

export const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(bytes < 10 * MEBIBYTE ? 1 : 0)} MiB`;

const percent = (share: number): string => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

/** `3 of 40 (1.6 % to 20 %)`. */
export const rateText = ({ count, of, low, high }: { readonly count: number; readonly of: number; readonly low: number; readonly high: number }): string =>
  of === 0 ? 'never judged' : `${count} of ${of} (${percent(low)} to ${percent(high)})`;

export const OUTCOME_WORDS: Readonly<Record<Trend['outcome'], string>> = { flat: 'flat', grows: 'grows', 'cannot-tell': 'cannot tell' };
/** Of the look that verdicts have. */
export const OUTCOME_LOOKS: Readonly<Record<Trend['outcome'], string>> = { flat: 'held', grows: 'violated', 'cannot-tell': 'inconclusive' };

/** Rows of the table: something was not passed, or something changed. */
export const isTold = (cell: SoakCell): boolean =>
  cell.notPassed.count > 0 || cell.symptoms.length > 0 || cell.gone.length > 0 || cell.fixed.length > 0 || cell.change !== null;

/** What a card lists for a scenario and nobody has seen: the list may be shortened. */
export const fixedWords = ({ fixed }: SoakCell): string | null =>
  fixed.length === 0 ? null : `listed as known, and held each time: ${fixed.join(', ')}`;

/** Since which night it is known; null: there is none to compare with. @param nights earlier ones */
export const sinceWords = ({ isNew, since }: SoakSymptom, nights: number): string | null =>
  isNew ? 'new tonight' : nights === 0 ? null : `since ${since}`;

/** The median of what its runs took, and that of earlier nights; null where none ended. */
export const tookWords = ({ medianMs, medianBeforeMs }: SoakCell): { readonly now: string; readonly before: string | null } | null =>
  medianMs === null ? null : { now: formatMs(medianMs), before: medianBeforeMs === null ? null : `before ${formatMs(medianBeforeMs)}` };

export const beforeWords = (before: NonNullable<SoakCell['before']>): string => `before ${rateText(before)} in ${plural(before.nights, 'night')}`;

export const comparedWords = ({ history }: SoakNight): string =>
  history.nights === 0 ? 'The first night of this folder: nothing to compare with yet.' : `Compared with ${plural(history.nights, 'earlier night')}.`;

export const headline = (night: SoakNight): string => {
  const fresh = new Set(night.cells.flatMap(({ symptoms }) => symptoms.filter(({ isNew }) => isNew).map(({ fingerprint }) => fingerprint))).size;
  const grows = night.trends.filter(({ outcome }) => outcome === 'grows').length;
  const notPassed = night.cells.filter(({ notPassed: { count } }) => count > 0).length;
  const wasJudged = night.cells.some(({ notPassed: { of } }) => of > 0);
  const errors = night.cells.reduce((sum, { outcomes }) => sum + (outcomes.error ?? 0) + (outcomes.untestable ?? 0), 0);
  const known = night.cells.filter((cell) => cell.known > 0).length;
  const fixed = night.cells.reduce((sum, cell) => sum + cell.fixed.length, 0);
  const all = errors > 0 || night.notReached.length > 0 ? 'all that was judged passed' : 'all passed';
  const parts = [
    ...(night.history.nights === 0 ? [] : [fresh === 0 ? 'nothing new' : `${fresh} new`]),
    notPassed > 0 ? `${plural(notPassed, 'scenario')} not always passed` : wasJudged ? all : 'nothing was judged',
    ...(known > 0 ? [`known violations in ${plural(known, 'scenario')}`] : []),
    ...(fixed > 0 ? [`${plural(fixed, 'known violation')} not seen once`] : []),
    ...(errors > 0 ? [`${plural(errors, 'run')} in error`] : []),
    ...(night.notReached.length > 0 ? [`${plural(night.notReached.length, 'scenario')} had no turn`] : []),
    ...(grows > 0 ? [`${grows} growing`] : []),
  ];
  return parts.join(', ');
};

export const factsLine = ({ startedAt, tookMs, budgetMs, runtime, rounds, runs, cells, seed, jobs, version, exitCode }: SoakNight): string =>
  `begun ${startedAt}, ${formatMs(tookMs)} of ${formatMs(budgetMs)}, ${plural(runs, 'run')} of ${plural(cells.length, 'scenario')} in ${plural(rounds, 'round')}, ` +
  `runtime ${runtime}, ${jobs === null ? 'auto' : jobs} side by side, seed ${seed}, hangup ${version}, exit code ${exitCode}`;

const removedWords = ({ what, count, bytes }: SoakRemoved): string =>
  `${what === 'pages' ? `pages of ${plural(count, 'night')}` : `${count} ${what}`} (${mebibytes(bytes)})`;

export const diskLines = ({ disk: { limitBytes, keptBytes, largestBytes, removed } }: SoakNight): readonly string[] => [
  `${mebibytes(keptBytes)} are kept, pages and history included; never more than ${mebibytes(largestBytes)} were taken of ${mebibytes(limitBytes)} allowed.`,
  removed.length === 0
    ? 'Nothing was removed for want of room. Passes between the first and the last of a scenario are never kept.'
    : `Removed for want of room: ${removed.map(removedWords).join(', ')}.`,
];
