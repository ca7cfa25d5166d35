// What was to be run and was not begun any more: said by every reporter, so that nobody takes a part for the whole.
import type { NotRun, RunEnd } from './reporter.ts';
import { oneLine, plural } from './text.ts';

/** More are counted. */
const MOST_NAMED = 5;

/** One line for each reason: `Not run: 7 runs, since 3 runs had failed (--max-failures 3): a, b, c, d, e and 2 more`. */
export const notRunLines = ({ notRun = [] }: Pick<RunEnd, 'notRun'>): readonly string[] =>
  [...Map.groupBy(notRun, ({ why }) => why)].map(([why, all]) => {
    const names = all.slice(0, MOST_NAMED).map(({ scenario }) => oneLine(scenario));
    const more = all.length > names.length ? ` and ${all.length - names.length} more` : '';
    return `Not run: ${plural(all.length, 'run')}, since ${oneLine(why)}: ${names.join(', ')}${more}`;
  });

/** One line for each reason: `Not begun, and not missed: 297 further attempts, since something has failed (--until-failure)`. */
export const notNeededLines = ({ notNeeded = [] }: Pick<RunEnd, 'notNeeded'>): readonly string[] =>
  notNeeded.map(({ why, count }) => `Not begun, and not missed: ${plural(count, 'further attempt')}, since ${oneLine(why)}`);

/** For formats in which a test that was not run is a test. */
export const notRunReason = ({ why }: NotRun): string => oneLine(`not run: ${why}`);
