// What a set of runs was about, in words: which systems in which versions with which planted defects, and where. The first
// question of whoever finds a report and was not there.
import type { RunEnd } from './reporter.ts';
import type { ScenarioSummary } from './summary.ts';
import { oneLine } from './text.ts';

/** Of a system's name with all that is said of it. */
const MAXIMUM_NAME = 120;
/** More are counted. */
const MAXIMUM_SYSTEMS = 6;

/** `http-proxy 1.18.1 with ignores-disconnect`; null where the system is not known. */
export const systemOf = ({ system, version, planted }: ScenarioSummary): string | null =>
  system === null ? null : oneLine(`${system}${version === null ? '' : ` ${version}`}${planted.length === 0 ? '' : ` with ${planted.join(', ')}`}`, MAXIMUM_NAME);

/** Each once, in the order in which they were run. */
export const systemsOf = (summaries: readonly ScenarioSummary[]): readonly string[] => [
  ...new Set(summaries.flatMap((summary) => systemOf(summary) ?? [])),
];

/** Several systems were judged, so that each run must say which was its own. */
export const hasSeveral = (summaries: readonly ScenarioSummary[]): boolean => systemsOf(summaries).length > 1;

/** `on reference-router with seed-main, runtime docker`; null where nothing of it is known. */
export const whatWasRun = ({ summaries, start }: Pick<RunEnd, 'summaries' | 'start'>): string | null => {
  const systems = systemsOf(summaries);
  const hidden = systems.length - MAXIMUM_SYSTEMS;
  const shown = hidden > 0 ? [...systems.slice(0, MAXIMUM_SYSTEMS), `${hidden} more`] : systems;
  const parts = [...(shown.length === 0 ? [] : [`on ${shown.join('; ')}`]), ...(start === undefined ? [] : [`runtime ${oneLine(start.runtime)}`])];
  return parts.length === 0 ? null : parts.join(', ');
};
