// The text of a file and how an offset in it becomes line, column and excerpt. Offsets are kept
// while reading; this is done once, at the edge, for what is really shown.
import type { Location } from '../model/problem.ts';
import { printable } from '../model/render-problem.ts';

export type Source = {
  /** As shown to the user. */
  readonly file: string;
  readonly text: string;
  /** Offset at which each line begins. */
  readonly lineStarts: readonly number[];
};

const EXCERPT_WIDTH = 110;

export const createSource = (file: string, text: string): Source => {
  const lineStarts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  return { file, text, lineStarts };
};

/** Zero-based number of the line that holds an offset. */
const lineOf = (source: Source, offset: number): number => {
  let low = 0;
  let high = source.lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (source.lineStarts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
};

const excerptOf = (line: string, column: number, length: number): string => {
  // A window around the caret, so that a line of a megabyte does not flood the terminal.
  const from = column <= EXCERPT_WIDTH - 20 ? 0 : column - EXCERPT_WIDTH / 2;
  const shown = line.slice(from, from + EXCERPT_WIDTH);
  const lead = from > 0 ? '...' : '';
  const tail = from + EXCERPT_WIDTH < line.length ? '...' : '';
  const carets = '^'.repeat(Math.max(1, Math.min(length, shown.length - (column - from))));
  return `${lead}${printable(shown.replaceAll('\t', ' '))}${tail}\n${' '.repeat(lead.length + column - from)}${carets}`;
};

/** @param length characters to underline, on the first line only */
export const locationAt = (source: Source, offset: number, length = 1): Location => {
  const at = Math.max(0, Math.min(offset, source.text.length));
  const index = lineOf(source, at);
  const start = source.lineStarts[index]!;
  const end = (source.lineStarts[index + 1] ?? source.text.length + 1) - 1;
  const line = source.text.slice(start, Math.max(start, end)).replace(/\r$/, '');
  return { file: source.file, line: index + 1, column: at - start + 1, excerpt: excerptOf(line, at - start, length) };
};
