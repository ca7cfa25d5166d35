// Text for people: nothing that a system answered may move the cursor, start a colour or break a table.
import { stripVTControlCharacters } from 'node:util';

/** Control characters, line separators, and what turns the direction of a text or hides in it. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;
const MARKDOWN = /[\\`*_{}[\]<>|#~]/g;

/** One line without control characters, cut to a length; halves of characters are replaced. */
export const oneLine = (text: string, maximum = 500): string => {
  const line = stripVTControlCharacters(text).replace(CONTROL, ' ').trim();
  return (line.length <= maximum ? line : `${line.slice(0, maximum - 1)}…`).toWellFormed();
};

/** Several lines, each safe, all below one another at the same indent. */
export const indented = (text: string, indent: string): string =>
  text.split(/\r?\n/).filter((line) => line.trim() !== '').map((line, index) => (index === 0 ? '' : indent) + oneLine(line)).join('\n');

/** Safe inside a Markdown table or paragraph. */
export const markdownText = (text: string, maximum?: number): string => oneLine(text, maximum).replace(MARKDOWN, '\\$&');

/** A name or path as code; backticks cannot stand in it. */
export const markdownCode = (text: string): string => `\`${oneLine(text).replaceAll('`', "'")}\``;

/** Rows padded into columns. No library: names are ASCII, and widths of colours are known to styleText's inverse. */
export const columns = (rows: readonly (readonly string[])[], gap = '  '): readonly string[] => {
  const width = (text: string): number => stripVTControlCharacters(text).length;
  const widths = rows.reduce<number[]>((known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, width(cell))), []);
  return rows.map((row) => row.map((cell, index) => cell + ' '.repeat(widths[index]! - width(cell))).join(gap).trimEnd());
};

/** `1 claim`, `2 claims`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
