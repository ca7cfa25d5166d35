// A problem as text for people: where, what, the line with a caret, how to put it right. Pure, without
// colours, so that every part of the command shows problems in the same way.
import type { Problem } from './problem.ts';

/** `file:line:column`, the form that terminals and editors make a link of. */
export const renderLocation = (location: NonNullable<Problem['location']>): string =>
  `${location.file}:${location.line}:${location.column}`;

const gutter = (excerpt: string, line: number): readonly string[] => {
  const number = String(line);
  return excerpt.split('\n').map((text, index) => `  ${index === 0 ? number : ' '.repeat(number.length)} | ${text}`);
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
    `${where}${problem.message} [${problem.code}]`,
    ...(location?.excerpt === undefined ? [] : gutter(location.excerpt, location.line)),
    ...(hint === undefined ? [] : hint.split('\n').map((line, index) => (index === 0 ? `  hint: ${line}` : `        ${line}`))),
  ].join('\n');
};

/** Problems in the order of files and lines, a blank line between them. */
export const renderProblems = (problems: readonly Problem[]): string => problems.map(renderProblem).join('\n\n');
