// A fragment's parts beside a scenario's own: lists append, maps join, and a name that both define
// is told rather than overwritten.
import type { UsedProblem } from './codes.ts';
import { LIST_PARTS, MAP_PARTS } from './fragment.ts';
import { problemAt } from './locate.ts';
import { locationAt } from './source.ts';
import type { Source } from './source.ts';
import { entryOf } from './tree.ts';
import type { MapEntry, TreeNode } from './tree.ts';

export type Joined = { readonly root: TreeNode; readonly problems: readonly UsedProblem[] };

const WORDS = { upstreams: 'upstream', clients: 'client' } as const;

const isSameText = (a: TreeNode, b: TreeNode): boolean => a.type === 'scalar' && b.type === 'scalar' && a.value === b.value;

const joinMap = (part: (typeof MAP_PARTS)[number], own: TreeNode, added: TreeNode, source: Source): Joined => {
  if (own.type !== 'map' || added.type !== 'map') return { root: own, problems: [] };
  const problems = added.entries.flatMap(({ key, keySpan }) => {
    const other = entryOf(own, key);
    if (other === undefined) return [];
    const { file, line } = locationAt(other.keySpan.origin?.source ?? source, other.keySpan.start);
    return [problemAt(source, keySpan, 'conflicting-key', `the ${WORDS[part]} \`${key}\` is in ${file}:${line} too`, 'rename one of them')];
  });
  const fresh = added.entries.filter(({ key }) => entryOf(own, key) === undefined);
  return { root: { ...own, entries: [...own.entries, ...fresh] }, problems };
};

const joinList = (part: (typeof LIST_PARTS)[number], own: TreeNode, added: TreeNode): TreeNode => {
  if (own.type !== 'list' || added.type !== 'list') return own;
  // A tag that both have is one tag.
  const fresh = part === 'tags' ? added.items.filter((item) => !own.items.some((other) => isSameText(other, item))) : added.items;
  return { ...own, items: [...own.items, ...fresh] };
};

const isPart = <P extends string>(parts: readonly P[], key: string): key is P => (parts as readonly string[]).includes(key);

/** @param root the scenario, or the fragment that uses another. Its own parts come first. */
export const joinParts = (root: TreeNode, added: TreeNode, source: Source): Joined => {
  if (root.type !== 'map' || added.type !== 'map') return { root, problems: [] };
  const problems: UsedProblem[] = [];
  const entries = root.entries.map((entry): MapEntry => {
    const other = entryOf(added, entry.key)?.value;
    if (other === undefined) return entry;
    if (isPart(LIST_PARTS, entry.key)) return { ...entry, value: joinList(entry.key, entry.value, other) };
    if (!isPart(MAP_PARTS, entry.key)) return entry;
    const joined = joinMap(entry.key, entry.value, other, source);
    problems.push(...joined.problems);
    return { ...entry, value: joined.root };
  });
  const fresh = added.entries.filter(({ key }) => entryOf(root, key) === undefined);
  return { root: { ...root, entries: [...entries, ...fresh] }, problems };
};
