// What a search leaves beside its state and its bundles: result.md, result.json, and the comparison of both neighbours.
import { join } from 'node:path';
import { toJsonText, writeAtomically } from '../bundle/atomic.ts';
import { readBundle } from '../bundle/read.ts';
import { messageOf } from '../model/problem.ts';
import { bisectMarkdown } from '../reports/bisect/markdown.ts';
import type { BisectResult, BisectView, Neighbour } from '../reports/bisect/view.ts';
import { compareRuns } from '../reports/compare/comparison.ts';
import { renderComparison } from '../reports/compare/page.ts';
import { comparisonText } from '../reports/compare/text.ts';
import { shellWord } from '../reports/rerun.ts';

export const COMPARISON_PAGE = 'comparison.html';

/** The good and the bad neighbour beside each other; null where one has no evidence. */
export const writeComparison = async (folder: string, good: Neighbour | null, bad: Neighbour | null, say: (line: string) => void): Promise<string | null> => {
  if (!good?.evidence || !bad?.evidence) return null;
  try {
    const [a, b] = [await readBundle(join(folder, good.evidence)), await readBundle(join(folder, bad.evidence))];
    const comparison = compareRuns({ name: `good: ${good.at}`, input: a, notes: a.notes }, { name: `bad: ${bad.at}`, input: b, notes: b.notes }, null);
    await writeAtomically(join(folder, COMPARISON_PAGE), renderComparison(comparison, a, b));
    return comparisonText(comparison, false);
  } catch (error) {
    // The answer stands without it.
    say(`the comparison cannot be made: ${messageOf(error)}`);
    return null;
  }
};

/** What the user may do next, as commands to copy. @param shown the folder as the user would give it */
export const commandsFor = ({ good, bad }: BisectResult, shown: string): BisectView['commands'] => {
  if (!good?.evidence || !bad?.evidence) return bad?.evidence ? [{ what: 'to report it', command: `npx hangup issue ${shellWord(`${shown}/${bad.evidence}`)}` }] : [];
  return [
    { what: 'both beside each other', command: `npx hangup open ${shellWord(`${shown}/${COMPARISON_PAGE}`)}` },
    { what: 'the same as text', command: `npx hangup compare ${shellWord(`${shown}/${good.evidence}`)} ${shellWord(`${shown}/${bad.evidence}`)}` },
    { what: 'to report it', command: `npx hangup issue ${shellWord(`${shown}/${bad.evidence}`)}` },
  ];
};

/** For programs: the answer and what it rests on, without the runs, which are in bisect.json. */
const toJson = (view: BisectView): unknown => ({
  ...view.result,
  scenario: view.scenario,
  system: view.system,
  runtime: view.runtime,
  symptom: view.symptom,
  wantedConfidence: view.wantedConfidence,
  runs: view.probes.length,
  startedAt: view.startedAt,
  endedAt: view.updatedAt,
});

export const writeResult = async (folder: string, view: BisectView, comparison: string | null): Promise<void> => {
  await writeAtomically(join(folder, 'result.json'), toJsonText(toJson(view)));
  await writeAtomically(join(folder, 'result.md'), bisectMarkdown(view, comparison));
};
