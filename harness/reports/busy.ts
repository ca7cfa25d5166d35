// Whether runs were left open because the machine was busy: the one reason that whoever reads it can do something about at once.
import type { ScenarioSummary } from './summary.ts';
import { plural } from './text.ts';

/** As judges say it; a test of theirs holds these against their words. */
const BUSY = /\blagged [\d.,]+ \S+ .*, the margin is |^probe \S+ too slow\b|\bwaited [\d.,]+ \S+ for a processor\b/;

export const isBusy = (reason: string): boolean => BUSY.test(reason);

/** One line of what to do; null where no run was left open for that. */
export const busyHint = (summaries: readonly ScenarioSummary[]): string | null => {
  const open = summaries.filter(({ beyondKnown, rows }) =>
    beyondKnown === 'inconclusive' && rows.some(({ outcome, standing, reason }) => outcome === 'inconclusive' && standing === null && isBusy(reason)));
  if (open.length === 0) return null;
  return `The machine was too busy to judge ${plural(open.length, 'run')}: run again with fewer --jobs, or when it has less else to do.`;
};
