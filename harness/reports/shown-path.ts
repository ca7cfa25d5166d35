// Paths as those who read a report resolve them: relative to where hangup was called, if they lie below it.
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ReportPlace } from './reporter.ts';
import type { ScenarioSummary } from './summary.ts';
import { oneLine } from './text.ts';

const MAXIMUM = 4_096;

/** Relative to `base` with slashes; null where it lies elsewhere. */
export const below = (base: string, path: string): string | null => {
  const way = relative(base, path);
  return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way.split(sep).join('/');
};

/** Without control characters, which a path may hold. */
export const shownPath = (path: string, place: ReportPlace | undefined): string =>
  oneLine(place === undefined ? path : below(place.cwd, resolve(place.cwd, path)) ?? path, MAXIMUM);

/** Paths of the pages of a run, where there are any. */
export const pagesOf = ({ folder, pages, pagesIn = folder ?? undefined }: ScenarioSummary, place: ReportPlace | undefined): readonly string[] =>
  pagesIn === undefined ? [] : pages.map((page) => shownPath(join(pagesIn, page), place));
