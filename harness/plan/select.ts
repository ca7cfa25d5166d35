// Which scenarios a planted defect or a preset concerns, and which switches a preset stands for.
import { problem } from '../model/problem.ts';
import { nearest } from '../model/nearest.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Card } from '../systems/card.ts';

/** Replaces presets by their switches, keeping the order and dropping repeats. */
export const expandDefects = (names: readonly string[], card: Card): readonly string[] => [
  ...new Set(names.flatMap((name) => card.defects?.presets[name] ?? [name])),
];

/** True when a scenario names one of the defects in `catches`, or one of the presets in `saw`. */
export const concerns = (scenario: Scenario, defects: readonly string[]): boolean =>
  defects.some((name) => name in scenario.catches || name in scenario.saw);

/** @throws ProblemError when no scenario and no preset knows a name */
export const checkDefects = (names: readonly string[], scenarios: readonly Scenario[], cards: readonly Card[]): void => {
  const known = new Set([
    ...scenarios.flatMap((scenario) => [...Object.keys(scenario.catches), ...Object.keys(scenario.saw)]),
    ...cards.flatMap((card) => Object.entries(card.defects?.presets ?? {}).flatMap(([preset, switches]) => [preset, ...switches])),
  ]);
  for (const name of names) {
    if (known.has(name)) continue;
    const near = nearest(name, [...known]);
    throw problem('scenario', 'unknown-defect', `no scenario names the defect "${name}"`, {
      hint: near ? `did you mean "${near}"?` : `known: ${[...known].sort().join(', ')}`,
    });
  }
};
