// A problem as text for people: where, what, the line with a caret, how to put it right. Pure, without
// colours, so that every part of the command shows problems in the same way.
import type { Problem } from './problem.ts';

// What could move the cursor, change the terminal's state or reorder text.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** One line of foreign text, safe to show: what is not printable becomes a middle dot. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\u00b7');

/** `file:line:column`, the form that terminals and editors make a link of. */
export const renderLocation = (location: NonNullable<Problem['location']>): string =>
  `${location.file}:${location.line}:${location.column}`;

const gutter = (excerpt: string, line: number): readonly string[] => {
  const number = String(line);
  return excerpt.split('\n').map((text, index) => `  ${index === 0 ? number : ' '.repeat(number.length)} | ${printable(text)}`);
};

/**
 * Several lines without a final newline:
 *
 *     scenarios/a.yaml:12:28: unknown key `evry` [unknown-key]
 *       12 |   model: { endless: { evry: 100ms } }
 *          |                       ^^^^
 *       hint: did you mean `every`? known: every, bytes
 */
export const renderProblem = (problem: Problem): string => {
  const { location, hint } = problem;
  const where = location ? `${renderLocation(location)}: ` : '';
  return [
    `${printable(`${where}${problem.message}`)} [${problem.code}]`,
    ...(location?.excerpt === undefined ? [] : gutter(location.excerpt, location.line)),
    ...(hint === undefined
      ? []
      : hint.split('\n').map((line, index) => (index === 0 ? `  hint: ${printable(line)}` : `        ${printable(line)}`))),
  ].join('\n');
};

/** Problems in the order of files and lines, a blank line between them. */
export const renderProblems = (problems: readonly Problem[]): string => problems.map(renderProblem).join('\n\n');
