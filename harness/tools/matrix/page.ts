// The kill matrix for people, `docs/kill-matrix.md`: defects down, claims across, and what each scenario adds.
import { contributionsOf } from './rules.ts';
import type { Kill, Matrix } from './rules.ts';

const SIGN: Readonly<Record<Kill, string>> = { named: 'N', also: 'a', 'must-not': '**X**' };

const cellOf = (rows: Readonly<Record<string, Kill>> | undefined): string => {
  if (!rows) return '';
  const kinds = Object.values(rows);
  return (['named', 'also', 'must-not'] as const)
    .flatMap((kind) => {
      const count = kinds.filter((each) => each === kind).length;
      return count === 0 ? [] : [`${SIGN[kind]}${count > 1 ? count : ''}`];
    })
    .join(' ');
};

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const tableOf = ({ kills }: Matrix): readonly string[] => {
  const claims = [...new Set(Object.values(kills).flatMap((row) => Object.keys(row)))].sort();
  return [
    line(['defect', ...claims]),
    line(['---', ...claims.map(() => ':-:')]),
    ...Object.entries(kills).map(([defect, row]) => line([`\`${defect}\``, ...claims.map((claim) => cellOf(row[claim]))])),
  ];
};

const listOf = (matrix: Matrix, scenarios: readonly string[]): readonly string[] =>
  Object.entries(contributionsOf(matrix, scenarios)).map(
    ([row, only]) => `- \`${row}\`: ${only.length === 0 ? 'nothing that no other row catches' : only.join('; ')}`,
  );

export type About = { readonly runtime: string; readonly cells: number; readonly minutes: number; readonly scenarios: readonly string[] };

/** @returns the whole page; what is in it depends on the matrix and the figures given, on nothing else */
export const pageOf = (matrix: Matrix, { runtime, cells, minutes, scenarios }: About): string =>
  [
    '# The kill matrix',
    '',
    'Every planted defect of the reference router on every scenario. Written by `npm run kill-matrix`; the same as data is',
    `\`kill-matrix.json\`. The last whole one, on the ${runtime} runtime: ${cells} runs in ${minutes} minutes.`,
    'Scenarios that were changed since have been run again alone (`-- --scenario`).',
    '',
    '**N** a row names this claim for this defect and it was violated; **a** violated also, in a row that does not name it;',
    '**X** violated though it must not be (a claim about a sibling or another account that no row names for this defect).',
    'The number is that of scenarios, where it is more than one.',
    '',
    ...tableOf(matrix),
    '',
    '## What each scenario adds',
    '',
    'Pairs of defect and claim that no other scenario catches.',
    '',
    ...listOf(matrix, scenarios),
    '',
  ].join('\n');
