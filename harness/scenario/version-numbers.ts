// Versions that YAML takes for numbers: 1.10 without quotes is 1.1, another version, and nobody would be told.
import type { Finding } from './issues.ts';
import type { Source } from './source.ts';
import { entryOf } from './tree.ts';
import type { Path, TreeNode } from './tree.ts';

const rawOf = (own: Source, node: TreeNode): string => (node.origin?.source ?? own).text.slice(node.start, node.end);

const findingAt = (source: Source, node: TreeNode | undefined, path: Path): readonly Finding[] => {
  if (node?.type !== 'scalar' || typeof node.value !== 'number') return [];
  const raw = rawOf(source, node).trim();
  if (raw === String(node.value)) return [];
  return [{ code: 'bad-value', message: `${raw} is the number ${node.value}, not a version`, hint: `quote it: "${raw}"`, path, at: 'value' }];
};

/** @param root the scenario as it is written: its matrix, and `system` with what may refer to that */
export const versionNumbers = (source: Source, root: TreeNode): readonly Finding[] => {
  const system = entryOf(root, 'system')?.value;
  const axes = entryOf(system, 'axes')?.value;
  const places: readonly (readonly [Path, TreeNode | undefined])[] = [
    [['system', 'version'], entryOf(system, 'version')?.value],
    ...(axes?.type === 'map' ? axes.entries.map(({ key, value }) => [['system', 'axes', key], value] as const) : []),
  ];
  return places.flatMap(([path, node]) => {
    const name = node?.type === 'scalar' && typeof node.value === 'string' ? /^\$\{([^:}]+)\}$/.exec(node.value)?.[1] : undefined;
    if (name === undefined) return findingAt(source, node, path);
    const values = entryOf(entryOf(root, 'matrix')?.value, name)?.value;
    return values?.type === 'list' ? values.items.flatMap((item, index) => findingAt(source, item, ['matrix', name, index])) : [];
  });
};
