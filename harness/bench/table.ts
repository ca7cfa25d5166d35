// What a bench prints: a row for each measure, and what was left out unless it was named.
import type { Measure, Result } from './measure.ts';

export type Done = { readonly measure: Measure; readonly result: Result };

const COLUMNS = ['work', 'beside', 'aim', 'measured', ''] as const;

/** An aim of which a part was not measured is not met, also where the rest is. */
export const wordOf = ({ isMet, unmeasured }: Result): string => {
  if (isMet === null) return 'skipped';
  if (!isMet) return 'not met';
  return unmeasured === undefined ? 'ok' : `not measured ${unmeasured}`;
};

export const table = (done: readonly Done[]): string => {
  const all: readonly (readonly string[])[] = [COLUMNS, ...done.map(({ measure: { work, beside, aim }, result }) => [work, beside, aim, result.measured, wordOf(result)])];
  const widths = COLUMNS.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd()).join('\n');
};

/** One line, '' where all were measured. */
export const leftOut = (all: readonly Measure[], measured: readonly Measure[]): string => {
  const names = all.filter((measure) => measure.onlyWhenNamed && !measured.includes(measure)).map(({ name }) => name);
  return names.length === 0 ? '' : `Not measured, since it takes long: ${names.join(', ')} (npm run bench -- --only ${names.join(',')})\n`;
};
