// Paths as those who read a report resolve them: relative to where hangup was called, if they lie below it.
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ReportPlace } from './reporter.ts';
import type { ScenarioSummary } from './summary.ts';

/** Relative to `base` with slashes; null where it lies elsewhere. */
export const below = (base: string, path: string): string | null => {
  const way = relative(base, path);
  return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way.split(sep).join('/');
};

export const shownPath = (path: string, place: ReportPlace | undefined): string =>
  place === undefined ? path : below(place.cwd, resolve(place.cwd, path)) ?? path;

/** Of the pages of a run, where there are any. */
export const pagesOf = ({ folder, pages }: ScenarioSummary, place: ReportPlace | undefined): readonly string[] =>
  folder === null ? [] : pages.map((page) => shownPath(join(folder, page), place));
