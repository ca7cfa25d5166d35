// `use:` in a scenario: its fragments' parts put into its tree, each part still knowing the file in
// which it was written. What is wrong is told there, with who used it.
import { didYouMean } from '../model/nearest.ts';
import type { ScenarioCode, UsedProblem } from './codes.ts';
import type { Fragments } from './fragment-files.ts';
import { MAXIMUM_FRAGMENTS } from './fragment-files.ts';
import { fillFragment, readFragment } from './fragment.ts';
import type { Values, Variables } from './fragment.ts';
import type { LoadedTree } from './load.ts';
import { problemAt } from './locate.ts';
import { joinParts } from './join-parts.ts';
import { locationAt } from './source.ts';
import type { Source } from './source.ts';
import { entryOf, withOrigin } from './tree.ts';
import type { MapEntry, Span, TreeNode } from './tree.ts';

export type UsedFile = { readonly written: string; readonly source: Source };

export type Expanded = {
  /** Without `use`, with what was used. */
  readonly root: TreeNode;
  readonly problems: readonly UsedProblem[];
  /** In the order of their use; one that is used twice is here twice. */
  readonly used: readonly UsedFile[];
};

type Use = { readonly written: string; readonly span: Span; readonly given: readonly MapEntry[] };

type Context = {
  readonly source: Source;
  readonly fragments: Fragments;
  readonly problems: UsedProblem[];
  readonly used: UsedFile[];
};

type Step = { readonly path: string; readonly shown: string };

const HOW = 'write `use: [shared/a.yaml]`, or with variables `use: [{ shared/a.yaml: { client: alice } }]`';

const useOf = (item: TreeNode, { source, problems }: Context): Use | null => {
  if (item.type === 'scalar' && typeof item.value === 'string') return { written: item.value, span: item, given: [] };
  const [entry, second] = item.type === 'map' ? item.entries : [];
  if (entry !== undefined && second === undefined) {
    const { key: written, keySpan: span, value } = entry;
    if (value.type === 'map') return { written, span, given: value.entries };
    if (value.type === 'scalar' && value.value === null) return { written, span, given: [] };
    problems.push(problemAt(source, value, 'bad-use', 'the variables of a fragment are a map', HOW));
    return null;
  }
  problems.push(problemAt(source, item, 'bad-use', 'this is neither a path nor one path with its variables', HOW));
  return null;
};

const usesOf = (root: TreeNode, context: Context): readonly Use[] => {
  const entry = entryOf(root, 'use');
  if (entry === undefined) return [];
  if (entry.value.type === 'list') return entry.value.items.map((item) => useOf(item, context)).filter((use) => use !== null);
  context.problems.push(problemAt(context.source, entry.keySpan, 'bad-use', '`use` is a list of fragments', HOW));
  return [];
};

const placeOf = (span: Span, own: Source): string => {
  const { source, usedBy } = span.origin ?? { source: own, usedBy: undefined };
  const { file, line } = locationAt(source, span.start);
  return `${file}:${line}${usedBy === undefined ? '' : `, used by ${usedBy}`}`;
};

const valuesOf = ({ given, span, written }: Use, variables: Variables, { source, problems }: Context): Values => {
  for (const { key, keySpan } of given) {
    if (variables.has(key)) continue;
    const hint = didYouMean(key, [...variables.keys()], 'declared');
    problems.push(problemAt(source, keySpan, 'unknown-variable', `the fragment ${written} has no variable \`${key}\``, hint));
  }
  return new Map(
    [...variables].map(([name, { about, fallback }]): [string, TreeNode | null] => {
      const value = given.find(({ key }) => key === name)?.value ?? fallback;
      if (value === undefined)
        problems.push(problemAt(source, span, 'missing-variable', `${written} must be told \`${name}\``, `${name}: ${about}`));
      return [name, value ?? null];
    }),
  );
};

/** The fragment's own parts and those that it uses, its variables filled in; null where nothing can be taken from it. */
const open = (use: Use, path: string, tree: LoadedTree, chain: readonly Step[], context: Context): TreeNode | null => {
  const { source, problems } = context;
  const origin = { source: tree.source, usedBy: placeOf(use.span, source) };
  problems.push(...tree.problems.map((problem) => ({ ...problem, usedBy: origin.usedBy })));
  if (tree.root === null) return null;
  if (entryOf(tree.root, 'fragment') === undefined) {
    const hint = 'a fragment says `fragment: <its name>`; a scenario cannot be used by another';
    problems.push(problemAt(source, use.span, 'not-a-fragment', `${use.written} is no fragment`, hint));
    return null;
  }
  const root = withOrigin(tree.root, origin);
  const { problems: found, variables } = readFragment(root, tree.source);
  problems.push(...found);
  const filled = fillFragment(root, valuesOf(use, variables, context));
  problems.push(...filled.problems);
  return expand(filled.root, [...chain, { path, shown: tree.source.file }], context);
};

const take = (use: Use, chain: readonly Step[], context: Context): TreeNode | null => {
  const { source, problems, used } = context;
  const from = chain.at(-1)!;
  const file = context.fragments.get(from.path, use.written);
  const tell = (code: ScenarioCode, message: string, hint: string): null => {
    problems.push(problemAt(source, use.span, code, message, hint));
    return null;
  };
  if (used.length >= MAXIMUM_FRAGMENTS) return tell('file-too-complex', `more than ${MAXIMUM_FRAGMENTS} fragments are used`, 'use fewer');
  if (file === undefined) return tell('path-not-found', `${use.written} is not at hand`, 'only a file can use others');
  if ('refused' in file) return tell(file.refused.code, file.refused.message, file.refused.hint);
  const round = chain.findIndex(({ path }) => path === file.path);
  if (round >= 0) {
    const way = [...chain.slice(round).map(({ shown }) => shown), chain[round]!.shown].join(' -> ');
    return tell('fragment-cycle', `fragments use each other in a circle: ${way}`, 'take one of these uses out');
  }
  used.push({ written: use.written, source: file.tree.source });
  return open(use, file.path, file.tree, chain, context);
};

const expand = (root: TreeNode, chain: readonly Step[], context: Context): TreeNode => {
  const own = root.type === 'map' ? { ...root, entries: root.entries.filter(({ key }) => key !== 'use') } : root;
  return usesOf(root, context).reduce<TreeNode>((whole, use) => {
    const part = take(use, chain, context);
    if (part === null) return whole;
    const joined = joinParts(whole, part, context.source);
    context.problems.push(...joined.problems);
    return joined.root;
  }, own);
};

/** @param file absolute path of the scenario, from which its `use` counts */
export const expandUse = (source: Source, root: TreeNode, file: string, fragments: Fragments): Expanded => {
  const context: Context = { source, fragments, problems: [], used: [] };
  if (entryOf(root, 'use') === undefined) return { root, problems: [], used: [] };
  return { root: expand(root, [{ path: file, shown: source.file }], context), problems: context.problems, used: context.used };
};

/** Problems of a fragment that several use are one problem, which names who uses it. */
export const tellUsers = (problems: readonly UsedProblem[]): readonly UsedProblem[] => {
  const keyOf = ({ location, code, message }: UsedProblem): string =>
    `${location?.file}:${location?.line}:${location?.column}:${code}:${message}`;
  const groups = Map.groupBy(problems.filter(({ usedBy }) => usedBy !== undefined), keyOf);
  const shown = new Set<string>();
  return problems.flatMap((problem) => {
    const key = keyOf(problem);
    // Found in a folder too, where nobody could know that it is a fragment.
    if (problem.usedBy === undefined) return groups.has(key) ? [] : [problem];
    if (shown.has(key)) return [];
    shown.add(key);
    const users = [...new Set(groups.get(key)!.map(({ usedBy }) => usedBy!).filter((user) => user !== ''))];
    const more = users.length > 1 ? ` and ${users.length - 1} more` : '';
    const { usedBy: _, ...rest } = problem;
    if (users.length === 0) return [rest];
    return [{ ...rest, hint: `${rest.hint ? `${rest.hint}; ` : ''}used by ${users[0]}${more}` }];
  });
};
