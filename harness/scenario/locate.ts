// From a finding on plain data to a problem in the file: line, column and excerpt of what is meant.
import { scenarioProblem } from './codes.ts';
import type { ScenarioCode, UsedProblem } from './codes.ts';
import type { Finding } from './issues.ts';
import { locationAt } from './source.ts';
import type { Source } from './source.ts';
import { findNode, isUnresolved } from './tree.ts';
import type { Span, TreeNode } from './tree.ts';

const lengthOf = (source: Source, start: number, end: number): number => {
  const newline = source.text.indexOf('\n', start);
  return Math.max(1, (newline === -1 ? end : Math.min(end, newline)) - start);
};

/** A problem at a part of a tree, in the file in which that part was written. @param source the scenario's own file */
export const problemAt = (source: Source, span: Span, code: ScenarioCode, message: string, hint?: string): UsedProblem => {
  const { source: written, usedBy } = span.origin ?? { source, usedBy: undefined };
  const location = locationAt(written, span.start, lengthOf(written, span.start, span.end));
  const found = scenarioProblem(code, message, location, hint);
  return usedBy === undefined ? found : { ...found, usedBy };
};

/** @returns null where the value holds a reference that could not be resolved, which was told already */
export const locate = (source: Source, root: TreeNode, finding: Finding): UsedProblem | null => {
  const { node, keySpan, whole } = findNode(root, finding.path);
  if (finding.at === 'value' && isUnresolved(node)) return null;
  const empty = node.type === 'scalar' && node.value === null;
  const byKey = finding.at === 'key' ? whole || keySpan !== null : finding.at === 'owner' && (node.type !== 'scalar' || empty);
  const span = byKey && keySpan !== null ? keySpan : node;
  // Of a whole file only its begin is shown.
  const shown = node === root ? { ...root, end: root.start } : span;
  return problemAt(source, shown, finding.code, finding.message, finding.hint);
};

/** All of them, each place and message once. */
export const locateAll = (source: Source, root: TreeNode, findings: readonly Finding[]): readonly UsedProblem[] =>
  findings.map((finding) => locate(source, root, finding)).filter((problem) => problem !== null);
