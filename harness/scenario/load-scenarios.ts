// Paths to scenarios: every file read, every problem of every file told in one go, in a stable order.
import { resolve } from 'node:path';
import { hidesWhatFollows } from '../bundle/header-shapes.ts';
import { didYouMean } from '../model/nearest.ts';
import { ProblemError } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { buildScenarios, createBuildContext, sortProblems } from './build.ts';
import type { BuildContext, Built } from './build.ts';
import { scenarioProblem } from './codes.ts';
import { findFiles } from './find-files.ts';
import { collectFragments, NO_FRAGMENTS } from './fragment-files.ts';
import type { Fragments } from './fragment-files.ts';
import { displayPath, scenarioIdOf } from './identity.ts';
import { readScalar } from './interpolate.ts';
import { loadTree, parseTree } from './load.ts';
import type { LoadedTree } from './load.ts';
import type { Registries } from './schema.ts';
import type { Scenario } from './scenario.ts';
import { entryOf } from './tree.ts';
import type { TreeNode } from './tree.ts';
import { expandUse, tellUsers } from './use.ts';

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

/** A file that says so is no scenario of its own. */
export const isFragment = (root: TreeNode): boolean => entryOf(root, 'fragment') !== undefined;

const contextOf = ({ registries, variables = {} }: LoadOptions): BuildContext =>
  createBuildContext(registries, new Map(Object.entries(variables).map(([name, text]) => [name, readScalar(text)])));

/** @param file absolute path, from which `use` counts */
const buildTree = (tree: LoadedTree, file: string, id: string, context: BuildContext, fragments: Fragments): Built => {
  if (tree.root === null) return { scenarios: [], problems: tree.problems, used: new Set() };
  const expanded = expandUse(tree.source, tree.root, file, fragments);
  const built = buildScenarios(tree.source, expanded.root, id, context);
  const before = [...tree.problems, ...expanded.problems];
  return before.length === 0 ? built : { ...built, scenarios: [], problems: sortProblems([...before, ...built.problems]) };
};

const asScenario = (file: string): Problem =>
  scenarioProblem(
    'fragment-not-scenario',
    `${displayPath(file)} is a fragment`,
    { file: displayPath(file), line: 1, column: 1 },
    'name a scenario that uses it; `hangup validate` checks fragments too',
  );

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

/** Reports say behind it what became of it. */
const hiddenId = (file: string): readonly Problem[] =>
  hidesWhatFollows(scenarioIdOf(file))
    ? [
        scenarioProblem(
          'bad-name',
          `${displayPath(file)} is called like a header whose value evidence hides`,
          { file: displayPath(file), line: 1, column: 1 },
          'ids are made of folder and file name; give the file another name',
        ),
      ]
    : [];

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
  const named = new Set(paths.map((path) => resolve(path)));
  const problems: Problem[] = [...found.problems];
  const scenarios: Scenario[] = [];
  const used = new Set<string>();
  let files = 0;
  for (const file of found.files) {
    const tree = await loadTree(file, displayPath(file));
    if (tree.root !== null && isFragment(tree.root)) {
      if (named.has(file)) problems.push(asScenario(file));
      continue;
    }
    files += 1;
    const fragments = tree.root === null ? NO_FRAGMENTS : await collectFragments(file, tree.root);
    const built = buildTree(tree, file, scenarioIdOf(file), context, fragments);
    problems.push(...hiddenId(file), ...built.problems);
    scenarios.push(...built.scenarios);
    for (const name of built.used) used.add(name);
  }
  if (files > 0) problems.push(...unknownVariables(Object.keys(options.variables ?? {}), used));
  problems.push(...duplicateIds(scenarios));
  return { scenarios, files, problems: tellUsers(problems) };
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
  const { scenarios, problems } = buildTree(parseTree(file, content), file, id, contextOf(options), NO_FRAGMENTS);
  if (problems.length > 0) throw new ProblemError(problems);
  return scenarios;
};
