// `hangup validate`: every problem of scenario files and cards at once; nothing is started.
import { dirname, join, resolve } from 'node:path';
import { renderProblems } from '../model/render-problem.ts';
import { ProblemError } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { findFiles } from '../scenario/find-files.ts';
import { displayPath, PACKAGE_ROOT } from '../scenario/identity.ts';
import { checkFragment } from '../scenario/fragment.ts';
import { loadTree } from '../scenario/load.ts';
import type { LoadedTree } from '../scenario/load.ts';
import { isFragment, readScenarios } from '../scenario/load-scenarios.ts';
import { plural } from '../reports/text.ts';
import type { Registries } from '../scenario/schema.ts';
import { entryOf } from '../scenario/tree.ts';
import { tellUsers } from '../scenario/use.ts';
import type { Card } from '../systems/card.ts';
import { checkPairs } from '../systems/check-pair.ts';
import { listCardNames, loadCard, readCard } from '../systems/load-card.ts';
import type { CommandOutput } from './output.ts';

export type ValidateOptions = {
  readonly registries: Registries;
  readonly variables?: Readonly<Record<string, string>>;
};

/** A card says how to run a system and what to ask it; a scenario never does. A fragment says that it is one. */
const kindOf = ({ root }: LoadedTree): 'card' | 'fragment' | 'scenario' => {
  if (root === null) return 'scenario';
  if ((entryOf(root, 'run') ?? entryOf(root, 'requests')) !== undefined) return 'card';
  return isFragment(root) ? 'fragment' : 'scenario';
};

/** The files by what they are, in their order; fragments already read. */
const sort = async (files: readonly string[]) => {
  const cards: string[] = [];
  const scenarios: string[] = [];
  const fragments: LoadedTree[] = [];
  for (const file of files) {
    const tree = await loadTree(file, displayPath(file));
    const kind = kindOf(tree);
    if (kind === 'card') cards.push(file);
    else if (kind === 'fragment') fragments.push(tree);
    else scenarios.push(file);
  }
  return { cards, scenarios, fragments };
};

/** Of a fragment that was told with its users already, nothing is told again. */
const fragmentProblems = (fragments: readonly LoadedTree[], told: readonly Problem[]): readonly Problem[] => {
  const keyOf = ({ location, code, message }: Problem): string => JSON.stringify([location, code, message]);
  const before = new Set(told.map(keyOf));
  const found = fragments.flatMap(({ source, root, problems }) => [...problems, ...(root === null ? [] : checkFragment(source, root))]);
  return tellUsers(found).filter((problem) => !before.has(keyOf(problem)));
};

const everything = async (): Promise<readonly string[]> => [
  join(PACKAGE_ROOT, 'scenarios'),
  ...(await listCardNames()).map((name) => join(PACKAGE_ROOT, 'images', name, 'system.yaml')),
];

/** Each scenario beside its own card; a card that cannot be loaded is told once, with the first who names it. */
const checkWithCards = async (scenarios: readonly Scenario[], seen: ReadonlySet<string>): Promise<readonly Problem[]> => {
  const cards = new Map<string, Card | null>();
  const problems: Problem[] = [];
  const keyOf = ({ file, system }: Scenario): string => `${dirname(resolve(file))}\n${system.card}`;
  for (const scenario of scenarios) {
    if (cards.has(keyOf(scenario))) continue;
    try {
      cards.set(keyOf(scenario), await loadCard(scenario.system.card, dirname(resolve(scenario.file))));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      cards.set(keyOf(scenario), null);
      const at = { file: scenario.file, line: 1, column: 1 };
      problems.push(
        ...error.problems.filter(({ location }) => !seen.has(location?.file ?? '')).map((problem) => ({ location: at, ...problem })),
      );
    }
  }
  return [...problems, ...(await checkPairs(scenarios, (scenario) => cards.get(keyOf(scenario)) ?? null))];
};

/**
 * @param paths files and folders; without any, all scenarios and cards of this package
 * @returns exit 0 without a problem, 4 with any, 5 where there was nothing to look at
 */
export const validate = async (paths: readonly string[], { registries, variables = {} }: ValidateOptions): Promise<CommandOutput> => {
  const found = await findFiles(paths.length > 0 ? paths : await everything());
  const { cards, scenarios, fragments } = await sort(found.files);
  const read = await readScenarios(
    scenarios.map((file) => displayPath(file)),
    { registries, variables },
  );
  const cardProblems = (await Promise.all(cards.map(readCard))).flatMap(({ problems }) => problems);
  const paired = await checkWithCards(read.scenarios, new Set(cardProblems.map(({ location }) => location?.file ?? '')));
  const unused = fragmentProblems(fragments, read.problems);
  const problems: readonly Problem[] = [...found.problems, ...read.problems, ...unused, ...cardProblems, ...paired];
  const summary = [
    plural(found.files.length, 'file'),
    plural(read.scenarios.length, 'scenario'),
    ...(fragments.length > 0 ? [plural(fragments.length, 'fragment')] : []),
    ...(cards.length > 0 ? [plural(cards.length, 'card')] : []),
    plural(problems.length, 'problem'),
  ].join(', ');
  const exitCode = problems.length > 0 ? 4 : found.files.length === 0 ? 5 : 0;
  return { exitCode, output: `${problems.length > 0 ? `${renderProblems(problems)}\n\n` : ''}${summary}\n` };
};
