// Scenario files and their cards, with every problem of all of them told at once.
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { problem, ProblemError } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import type { Loaded } from '../plan/select.ts';
import { PACKAGE_ROOT } from '../scenario/identity.ts';
import { loadScenarios } from '../scenario/load-scenarios.ts';
import { registries } from '../scenario/registries.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Card } from '../systems/card.ts';
import { cardFor } from '../systems/axes/card-at.ts';
import { checkPairs } from '../systems/check-pair.ts';
import { loadCard } from '../systems/load-card.ts';
import { NO_SYSTEM } from '../systems/no-system.ts';

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/** Paths as given, or as they stand in the package where there is no such thing in the current folder. */
const scenarioPaths = (paths: readonly string[], cwd: string): readonly string[] =>
  paths.length === 0
    ? [join(PACKAGE_ROOT, 'scenarios')]
    : paths.map((path) => {
        const here = resolve(cwd, path);
        const packaged = join(PACKAGE_ROOT, path);
        return existsSync(here) || !existsSync(packaged) ? here : packaged;
      });

/** Loads each card once, and all problems of all of them. */
const loadCards = async (
  wanted: readonly { readonly name: string; readonly from: string }[],
): Promise<(name: string, from: string) => Card | undefined> => {
  const key = (name: string, from: string): string => `${from}\n${name}`;
  const cards = new Map<string, Card>();
  const problems: Problem[] = [];
  for (const { name, from } of new Map(wanted.map((one) => [key(one.name, one.from), one])).values()) {
    try {
      cards.set(key(name, from), await loadCard(name, from));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new ProblemError(problems);
  return (name, from) => cards.get(key(name, from));
};

/**
 * @param system a card for all scenarios, instead of their own; a path is looked for from the current folder
 * @throws ProblemError with every problem of every scenario and card, and of what does not fit between them
 */
export const loadCells = async (
  paths: readonly string[],
  variables: Readonly<Record<string, string>>,
  system: string | null,
  cwd: string,
): Promise<readonly Loaded[]> => {
  const found = scenarioPaths(paths, cwd);
  const scenarios = await loadScenarios(found, { registries, variables });
  const wantedBy = (scenario: Scenario): { name: string; from: string } =>
    system === null || scenario.system.card === NO_SYSTEM ? { name: scenario.system.card, from: dirname(resolve(scenario.file)) } : { name: system, from: cwd };
  if (system !== null && scenarios.length > 0 && scenarios.every((scenario) => scenario.system.card === NO_SYSTEM))
    throw problem('scenario', 'bad-option', `--system ${system} would judge nothing: these scenarios have no system`, { hint: 'leave --system out, or name other scenarios' });
  const loadedCard = await loadCards(scenarios.map(wantedBy));
  const cardOf = (scenario: Scenario): Card => loadedCard(wantedBy(scenario).name, wantedBy(scenario).from)!;
  const unfit = await checkPairs(scenarios, cardOf, system !== null);
  if (unfit.length > 0) throw new ProblemError(unfit);
  const named = new Set(found.filter(isFile));
  return scenarios.map((scenario) => ({ scenario, card: cardFor(scenario, cardOf(scenario)), isNamed: named.has(resolve(scenario.file)) }));
};
