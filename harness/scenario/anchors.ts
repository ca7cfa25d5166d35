// Aliases of a YAML text, bounded: what is counted is what a reader would have to write out, so a
// bomb of aliases of aliases is refused before it grows.
import { didYouMean } from '../model/nearest.ts';
import type { TreeNode } from './tree.ts';

const MAXIMUM_ALIASED = 5_000;

/** Anchors seen so far, and how many values aliases have added to the document. */
export type Anchors = { readonly nodes: Map<string, TreeNode>; count: number };

export const createAnchors = (): Anchors => ({ nodes: new Map(), count: 0 });

const countNodes = (node: TreeNode): number => {
  if (node.type === 'scalar') return 1;
  const inner = node.type === 'list' ? node.items : node.entries.map(({ value }) => value);
  return inner.reduce((sum, value) => sum + countNodes(value), 1);
};

/** What an alias stands for; `message` null where it was told already. */
export type Followed = { readonly node: TreeNode } | { readonly message: string | null; readonly hint: string };

/** @param name as it stands after the `*` */
export const followAlias = (anchors: Anchors, name: string): Followed => {
  const hint = 'write less; a matrix repeats a scenario';
  if (anchors.count > MAXIMUM_ALIASED) return { message: null, hint };
  const node = anchors.nodes.get(name);
  if (node === undefined) {
    return {
      message: `no anchor \`&${name.slice(0, 60)}\` comes before this alias`,
      hint: didYouMean(name, [...anchors.nodes.keys()], 'anchors'),
    };
  }
  anchors.count += countNodes(node);
  return anchors.count > MAXIMUM_ALIASED ? { message: `the aliases stand for more than ${MAXIMUM_ALIASED} values`, hint } : { node };
};
