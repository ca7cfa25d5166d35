// What a search leaves beside its state and its bundles: result.md, result.json, and the comparison of both neighbours.
import { join } from 'node:path';
import { toJsonText, writeAtomically } from '../bundle/atomic.ts';
import { readBundle } from '../bundle/read.ts';
import { messageOf } from '../model/problem.ts';
import { bisectMarkdown } from '../reports/bisect/markdown.ts';
import type { BisectResult, BisectView, Neighbour } from '../reports/bisect/view.ts';
import { alsoDifferent, alsoSentence } from '../reports/compare/also.ts';
import type { Also } from '../reports/compare/also.ts';
import { compareRuns } from '../reports/compare/comparison.ts';
import { renderComparison } from '../reports/compare/page.ts';
import { comparisonText } from '../reports/compare/text.ts';
import { shellWord } from '../reports/rerun.ts';

export const COMPARISON_PAGE = 'comparison.html';

/** Both neighbours as text, and what they differ in beside what was searched along. */
export type Neighbours = { readonly text: string; readonly also: readonly Also[] };

/** The good and the bad neighbour beside each other; null where one has no evidence. */
export const writeComparison = async (folder: string, good: Neighbour | null, bad: Neighbour | null, say: (line: string) => void): Promise<Neighbours | null> => {
  if (!good?.evidence || !bad?.evidence) return null;
  try {
    const [a, b] = [await readBundle(join(folder, good.evidence)), await readBundle(join(folder, bad.evidence))];
    const comparison = compareRuns({ name: `good: ${good.at}`, input: a, notes: a.notes }, { name: `bad: ${bad.at}`, input: b, notes: b.notes }, null);
    await writeAtomically(join(folder, COMPARISON_PAGE), renderComparison(comparison, a, b));
    const also = alsoDifferent(a, b);
    const told = alsoSentence(also);
    if (told !== null) say(told);
    return { text: `${told === null ? '' : `${told}\n\n`}${comparisonText(comparison, false)}`, also };
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
const toJson = (view: BisectView, neighbours: Neighbours | null): unknown => ({
  ...view.result,
  alsoDifferent: neighbours?.also ?? [],
  scenario: view.scenario,
  system: view.system,
  runtime: view.runtime,
  symptom: view.symptom,
  wantedConfidence: view.wantedConfidence,
  runs: view.probes.length,
  startedAt: view.startedAt,
  endedAt: view.updatedAt,
});

export const writeResult = async (folder: string, view: BisectView, neighbours: Neighbours | null): Promise<void> => {
  await writeAtomically(join(folder, 'result.json'), toJsonText(toJson(view, neighbours)));
  await writeAtomically(join(folder, 'result.md'), bisectMarkdown(view, neighbours?.text ?? null));
};
