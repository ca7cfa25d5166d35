// A YAML document as we see it: maps, lists and scalars with their offsets, nothing of the parser.
// Problems are found on plain data by path; the tree says where a path stands in the file.

import type { Source } from './source.ts';

export type ScalarValue = string | number | boolean | null;

/** Where a part of a tree was written, if not in the scenario's own file. */
export type Origin = {
  readonly source: Source;
  /** Who used that file: `scenarios/disconnect/a.yaml:12`, and who used that one, and so on. */
  readonly usedBy: string;
};

export type Span = { readonly start: number; readonly end: number; readonly origin?: Origin };

export type MapEntry = { readonly key: string; readonly keySpan: Span; readonly value: TreeNode };

export type TreeNode = Span &
  (
    | { readonly type: 'map'; readonly entries: readonly MapEntry[] }
    | { readonly type: 'list'; readonly items: readonly TreeNode[] }
    /** `unresolved`: it holds a `${reference}` that was reported already; what follows from it is not. */
    | { readonly type: 'scalar'; readonly value: ScalarValue; readonly unresolved?: true }
  );

export type Path = readonly PropertyKey[];

/** The plain data of a tree; keys in the file's order. */
export const toData = (node: TreeNode): unknown => {
  if (node.type === 'scalar') return node.value;
  if (node.type === 'list') return node.items.map(toData);
  return Object.fromEntries(node.entries.map((entry) => [entry.key, toData(entry.value)]));
};

/** A tree that says of each of its parts where it was written. Parts that say so already are left. */
export const withOrigin = (node: TreeNode, origin: Origin): TreeNode => {
  if (node.origin) return node;
  if (node.type === 'scalar') return { ...node, origin };
  if (node.type === 'list') return { ...node, origin, items: node.items.map((item) => withOrigin(item, origin)) };
  const entries = node.entries.map(({ key, keySpan, value }) => ({
    key,
    keySpan: { ...keySpan, origin },
    value: withOrigin(value, origin),
  }));
  return { ...node, origin, entries };
};

export const entryOf = (node: TreeNode | undefined, key: PropertyKey): MapEntry | undefined =>
  node?.type === 'map' ? node.entries.find((entry) => entry.key === key) : undefined;

export type Found = { readonly node: TreeNode; readonly keySpan: Span | null; readonly whole: boolean };

/** The deepest node on a path: a path may go on into what a bare scalar stands for, or into what is missing. */
export const findNode = (root: TreeNode, path: Path): Found => {
  let found: Found = { node: root, keySpan: null, whole: true };
  for (const step of path) {
    const entry = entryOf(found.node, step);
    const item = found.node.type === 'list' && typeof step === 'number' ? found.node.items[step] : undefined;
    if (entry) found = { node: entry.value, keySpan: entry.keySpan, whole: true };
    else if (item) found = { node: item, keySpan: null, whole: true };
    else return { ...found, whole: false };
  }
  return found;
};

/** Whether an unresolved reference lies in a node: then nothing can be said about its value. */
export const isUnresolved = (node: TreeNode): boolean =>
  node.type === 'scalar' ? node.unresolved === true : node.type === 'list' ? node.items.some(isUnresolved) : false;
