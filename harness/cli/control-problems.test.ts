// What is told of a control that broke, and what is not told twice.
import { expect, test } from 'vitest';
import type { Problem } from '../model/problem.ts';
import { createControlProblems } from './control-problems.ts';

const ENDED: Problem = { family: 'environment', code: 'system-exited', message: 'it ended (exit 1)', hint: 'the last lines of its log:\n  | oops' };

const told = (by: readonly Pick<Problem, 'code' | 'message'>[]): readonly string[] => {
  const lines: string[] = [];
  const problems = createControlProblems((line) => lines.push(line));
  problems.tell('control of a', [ENDED, { family: 'harness', code: 'unexpected', message: 'no more' }]);
  expect(lines).toEqual(['control of a: it ended (exit 1) [system-exited]', 'control of a: no more [unexpected]']);
  problems.end(by);
  return lines.slice(2);
};

test('a run that says the same says the rest', () => {
  expect(told([ENDED])).toEqual([]);
});

test('where none does, the hint is told', () => {
  expect(told([{ ...ENDED, message: 'it ended (exit 2)' }])).toEqual([
    'control of a: it ended (exit 1) [system-exited]\n  hint: the last lines of its log:\n          | oops',
  ]);
});
