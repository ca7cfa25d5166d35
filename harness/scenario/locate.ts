// From a finding on plain data to a problem in the file: line, column and excerpt of what is meant.
import type { Problem } from '../model/problem.ts';
import { scenarioProblem } from './codes.ts';
import type { Finding } from './issues.ts';
import { locationAt } from './source.ts';
import type { Source } from './source.ts';
import { findNode, isUnresolved } from './tree.ts';
import type { TreeNode } from './tree.ts';

const lengthOf = (source: Source, start: number, end: number): number => {
  const newline = source.text.indexOf('\n', start);
  return Math.max(1, (newline === -1 ? end : Math.min(end, newline)) - start);
};

/** @returns null where the value holds a reference that could not be resolved, which was told already */
export const locate = (source: Source, root: TreeNode, finding: Finding): Problem | null => {
  const { node, keySpan, whole } = findNode(root, finding.path);
  if (finding.at === 'value' && isUnresolved(node)) return null;
  const empty = node.type === 'scalar' && node.value === null;
  const byKey = finding.at === 'key' ? whole || keySpan !== null : finding.at === 'owner' && (node.type !== 'scalar' || empty);
  const span = byKey && keySpan !== null ? keySpan : node;
  const isRoot = node === root;
  const location = isRoot ? locationAt(source, root.start) : locationAt(source, span.start, lengthOf(source, span.start, span.end));
  return scenarioProblem(finding.code, finding.message, location, finding.hint);
};

/** All of them, each place and message once. */
export const locateAll = (source: Source, root: TreeNode, findings: readonly Finding[]): readonly Problem[] =>
  findings.map((finding) => locate(source, root, finding)).filter((problem) => problem !== null);
