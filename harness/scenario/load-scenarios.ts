// Paths to scenarios: every file read, every problem of every file told in one go, in a stable order.
import { didYouMean } from '../model/nearest.ts';
import { ProblemError } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { buildScenarios, createBuildContext, sortProblems } from './build.ts';
import type { BuildContext, Built } from './build.ts';
import { scenarioProblem } from './codes.ts';
import { findFiles } from './find-files.ts';
import { displayPath, scenarioIdOf } from './identity.ts';
import { readScalar } from './interpolate.ts';
import { loadTree, parseTree } from './load.ts';
import type { LoadedTree } from './load.ts';
import type { Registries } from './schema.ts';
import type { Scenario } from './scenario.ts';

export type LoadOptions = {
  readonly registries: Registries;
  /** `--var name=value`, as text. */
  readonly variables?: Readonly<Record<string, string>>;
};

export type ReadScenarios = {
  readonly scenarios: readonly Scenario[];
  /** How many files were looked at. */
  readonly files: number;
  readonly problems: readonly Problem[];
};

const contextOf = ({ registries, variables = {} }: LoadOptions): BuildContext =>
  createBuildContext(registries, new Map(Object.entries(variables).map(([name, text]) => [name, readScalar(text)])));

const buildTree = (tree: LoadedTree, id: string, context: BuildContext): Built => {
  if (tree.root === null) return { scenarios: [], problems: tree.problems, used: new Set() };
  const built = buildScenarios(tree.source, tree.root, id, context);
  return tree.problems.length === 0 ? built : { ...built, scenarios: [], problems: sortProblems([...tree.problems, ...built.problems]) };
};

const duplicateIds = (scenarios: readonly Scenario[]): readonly Problem[] => {
  const first = new Map<string, string>();
  return scenarios.flatMap(({ id, file }) => {
    const other = first.get(id);
    first.set(id, other ?? file);
    return other === undefined
      ? []
      : [
          scenarioProblem(
            'duplicate-id',
            `${file} has the same id as ${other}: ${id}`,
            { file, line: 1, column: 1 },
            'ids are made of folder and file name; rename one',
          ),
        ];
  });
};

const unknownVariables = (names: readonly string[], used: ReadonlySet<string>): readonly Problem[] =>
  names
    .filter((name) => !used.has(name))
    .map((name) =>
      scenarioProblem('unknown-variable', `no scenario uses the variable \`${name}\``, undefined, didYouMean(name, [...used], 'used')),
    );

/** Reads files and folders; never throws for what is in them. */
export const readScenarios = async (paths: readonly string[], options: LoadOptions): Promise<ReadScenarios> => {
  const context = contextOf(options);
  const found = await findFiles(paths);
  const problems: Problem[] = [...found.problems];
  const scenarios: Scenario[] = [];
  const used = new Set<string>();
  for (const file of found.files) {
    const built = buildTree(await loadTree(file, displayPath(file)), scenarioIdOf(file), context);
    problems.push(...built.problems);
    scenarios.push(...built.scenarios);
    for (const name of built.used) used.add(name);
  }
  if (found.files.length > 0) problems.push(...unknownVariables(Object.keys(options.variables ?? {}), used));
  problems.push(...duplicateIds(scenarios));
  return { scenarios, files: found.files.length, problems };
};

/**
 * The scenarios of files and folders (recursively, `*.yaml`), in the order given, sorted within folders.
 * Empty where nothing matched: the caller's exit 5.
 * @throws ProblemError with every problem of every file
 */
export const loadScenarios = async (paths: readonly string[], options: LoadOptions): Promise<readonly Scenario[]> => {
  const { scenarios, problems } = await readScenarios(paths, options);
  if (problems.length > 0) throw new ProblemError(problems);
  return scenarios;
};

/** The scenarios of a text, for bundles and tests. @throws ProblemError with every problem */
export const parseScenarios = (file: string, content: string | Buffer, id: string, options: LoadOptions): readonly Scenario[] => {
  const { scenarios, problems } = buildTree(parseTree(file, content), id, contextOf(options));
  if (problems.length > 0) throw new ProblemError(problems);
  return scenarios;
};
