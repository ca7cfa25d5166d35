// Scenario files and their cards, with every problem of all of them told at once.
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ProblemError } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import type { Loaded } from '../plan/select.ts';
import { loadScenarios } from '../scenario/load-scenarios.ts';
import { registries } from '../scenario/registries.ts';
import type { Card } from '../systems/card.ts';
import { loadCard } from '../systems/load-card.ts';

/** Scenarios and cards that come with hangup. */
export const PACKAGE_ROOT = join(import.meta.dirname, '..', '..');

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/** Paths as given, or as they stand in the package where there is no such thing in the current folder. */
export const scenarioPaths = (paths: readonly string[], cwd: string): readonly string[] =>
  paths.length === 0
    ? [join(PACKAGE_ROOT, 'scenarios')]
    : paths.map((path) => {
      const here = resolve(cwd, path);
      const packaged = join(PACKAGE_ROOT, path);
      return existsSync(here) || !existsSync(packaged) ? here : packaged;
    });

/** @param system a card for all scenarios, instead of their own */
export const loadCells = async (paths: readonly string[], variables: Readonly<Record<string, string>>, system: string | null, cwd: string): Promise<readonly Loaded[]> => {
  const found = scenarioPaths(paths, cwd);
  const scenarios = await loadScenarios(found, { registries, variables });
  const cards = new Map<string, Card>();
  const problems: Problem[] = [];
  for (const name of new Set(system === null ? scenarios.map((scenario) => scenario.system.card) : [system])) {
    try {
      cards.set(name, await loadCard(name, cwd));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new ProblemError(problems);
  const named = new Set(found.filter(isFile));
  return scenarios.map((scenario) => ({ scenario, card: cards.get(system ?? scenario.system.card)!, isNamed: named.has(resolve(scenario.file)) }));
};
