// A matrix to the cells it stands for: every combination of the axes' values that is not excluded,
// in the order of the file, with ids that stay the same whatever else is added.
import type { Finding } from './issues.ts';
import { isName, NAME_HINT, show } from './scalars.ts';
import { entryOf } from './tree.ts';
import type { ScalarValue, TreeNode } from './tree.ts';

export type Cell = ReadonlyMap<string, ScalarValue>;

export type Axes = {
  /** At least one; a single empty cell where there is no matrix. */
  readonly cells: readonly Cell[];
  readonly axes: readonly string[];
  /** Axes without usable values. */
  readonly broken: ReadonlySet<string>;
  readonly findings: readonly Finding[];
};

const MAXIMUM_CELLS = 500;
/** Values become parts of ids, which become names of folders. */
const VALUE = /^[A-Za-z0-9][\w.+ -]{0,39}$/;

type Axis = { readonly name: string; readonly values: readonly ScalarValue[]; readonly findings: readonly Finding[] };

const readAxis = (name: string, node: TreeNode): Axis => {
  const path = ['matrix', name];
  const findings: Finding[] = [];
  const fault = (code: Finding['code'], message: string, hint: string, at: Finding['at'], index?: number): void =>
    void findings.push({ code, message, hint, at, path: index === undefined ? path : [...path, index] });
  if (!isName(name)) fault('bad-name', `${show(name)} is not a name`, NAME_HINT, 'key');
  if (node.type !== 'list') {
    fault('wrong-type', `the axis \`${name}\` is not a list`, `write \`${name}: [a, b]\``, 'owner');
    return { name, values: [], findings };
  }
  if (node.items.length === 0) fault('bad-value', `the axis \`${name}\` has no values`, `write \`${name}: [a, b]\``, 'key');
  const values: ScalarValue[] = [];
  for (const [index, item] of node.items.entries()) {
    if (item.type !== 'scalar' || item.value === null)
      fault('wrong-type', 'a value of an axis is text, a number, true or false', `write \`${name}: [a, b]\``, 'value', index);
    else if (item.unresolved) continue;
    else if (!VALUE.test(String(item.value)))
      fault(
        'bad-value',
        `${show(item.value)} cannot be part of a scenario's id`,
        'letters, digits, spaces and . _ + -, at most 40',
        'value',
        index,
      );
    else if (values.some((value) => String(value) === String(item.value)))
      fault('bad-value', `${show(item.value)} is in the axis \`${name}\` twice`, 'leave one out', 'value', index);
    else values.push(item.value);
  }
  return { name, values, findings };
};

type Exclusion = ReadonlyMap<string, ScalarValue>;

const readExclusions = (
  node: TreeNode | undefined,
  axes: readonly Axis[],
): { readonly exclusions: readonly Exclusion[]; readonly findings: readonly Finding[] } => {
  if (node === undefined) return { exclusions: [], findings: [] };
  const path = ['matrix', 'exclude'];
  if (node.type !== 'list')
    return {
      exclusions: [],
      findings: [
        {
          code: 'wrong-type',
          message: '`exclude` is not a list',
          hint: 'write `exclude: [{ how: fin, kind: flood }]`',
          path,
          at: 'owner',
        },
      ],
    };
  const findings: Finding[] = [];
  const exclusions: Exclusion[] = [];
  for (const [index, item] of node.items.entries()) {
    if (item.type !== 'map' || item.entries.length === 0) {
      findings.push({
        code: 'wrong-type',
        message: 'a combination is a map of axes to values',
        hint: 'write `exclude: [{ how: fin, kind: flood }]`',
        path: [...path, index],
        at: 'value',
      });
      continue;
    }
    const exclusion = new Map<string, ScalarValue>();
    for (const { key, value } of item.entries) {
      const axis = axes.find(({ name }) => name === key);
      const at = [...path, index, key];
      if (!axis)
        findings.push({
          code: 'unknown-name',
          message: `no axis is called \`${key}\``,
          hint: `defined: ${axes.map(({ name }) => name).join(', ')}`,
          path: at,
          at: 'key',
        });
      else if (value.type === 'scalar' && axis.values.some((known) => String(known) === String(value.value)))
        exclusion.set(key, value.value);
      else
        findings.push({
          code: 'unknown-name',
          message: `the axis \`${key}\` has no such value`,
          hint: `it has: ${axis.values.join(', ')}`,
          path: at,
          at: 'value',
        });
    }
    if (exclusion.size === item.entries.length) exclusions.push(exclusion);
  }
  return { exclusions, findings };
};

const matches = (cell: Cell, exclusion: Exclusion): boolean =>
  [...exclusion].every(([name, value]) => String(cell.get(name)) === String(value));

const product = (axes: readonly Axis[]): readonly Cell[] =>
  axes.reduce<readonly Cell[]>(
    (cells, { name, values }) => cells.flatMap((cell) => values.map((value) => new Map([...cell, [name, value]]))),
    [new Map()],
  );

/** @param root the scenario's tree; what is wrong in its matrix is told, the rest is used all the same */
export const readMatrix = (root: TreeNode): Axes => {
  const node = entryOf(root, 'matrix')?.value;
  if (node?.type !== 'map') {
    const finding: Finding = {
      code: 'wrong-type',
      message: 'the matrix is not a map of axes',
      hint: 'write `matrix: { how: [fin, rst] }`',
      path: ['matrix'],
      at: 'owner',
    };
    return { cells: [new Map()], axes: [], broken: new Set(), findings: node === undefined ? [] : [finding] };
  }
  const axes = node.entries.filter(({ key }) => key !== 'exclude').map(({ key, value }) => readAxis(key, value));
  const usable = axes.filter(({ values }) => values.length > 0);
  const { exclusions, findings: excluded } = readExclusions(entryOf(node, 'exclude')?.value, axes);
  const findings = [...axes.flatMap((axis) => axis.findings), ...excluded];
  const names = axes.map(({ name }) => name);
  const broken = new Set(axes.filter(({ values }) => values.length === 0).map(({ name }) => name));
  const count = usable.reduce((total, { values }) => total * values.length, 1);
  if (count > MAXIMUM_CELLS) {
    const finding: Finding = {
      code: 'matrix-too-large',
      message: `the matrix has ${count} combinations`,
      hint: `at most ${MAXIMUM_CELLS}; split the file`,
      path: ['matrix'],
      at: 'key',
    };
    return { cells: [new Map()], axes: names, broken: new Set(names), findings: [...findings, finding] };
  }
  const cells = product(usable).filter((cell) => !exclusions.some((exclusion) => matches(cell, exclusion)));
  if (cells.length > 0) return { cells, axes: names, broken, findings };
  const finding: Finding = {
    code: 'bad-value',
    message: 'every combination is excluded',
    hint: 'leave one in',
    path: ['matrix', 'exclude'],
    at: 'key',
  };
  return { cells: [new Map()], axes: names, broken: new Set(names), findings: [...findings, finding] };
};

/** `[how=fin,kind=endless]`, or nothing without a matrix. */
export const cellSuffix = (cell: Cell): string =>
  cell.size === 0 ? '' : `[${[...cell].map(([name, value]) => `${name}=${String(value).replaceAll(' ', '-')}`).join(',')}]`;
