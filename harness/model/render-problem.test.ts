import { expect, test } from 'vitest';
import { printable, renderProblem, renderProblems } from './render-problem.ts';
import { didYouMean, editDistance, nearest } from './nearest.ts';

const location = {
  file: 'scenarios/a.yaml',
  line: 12,
  column: 23,
  excerpt: '  model: { endless: { evry: 100ms } }\n                      ^^^^',
};

test('where, what, the line, and how to put it right', () => {
  expect(
    renderProblem({ family: 'scenario', code: 'unknown-key', message: 'unknown key `evry`', hint: 'did you mean `every`?', location }),
  ).toBe(
    [
      'scenarios/a.yaml:12:23: unknown key `evry` [unknown-key]',
      '  12 |   model: { endless: { evry: 100ms } }',
      '     |                       ^^^^',
      '  hint: did you mean `every`?',
    ].join('\n'),
  );
});

test('without a place, without a hint, with a hint of several lines', () => {
  expect(renderProblem({ family: 'environment', code: 'engine-unreachable', message: 'no engine' })).toBe(
    'no engine [engine-unreachable]',
  );
  expect(renderProblem({ family: 'environment', code: 'x', message: 'm', hint: 'one\ntwo' })).toBe('m [x]\n  hint: one\n        two');
  expect(
    renderProblems([
      { family: 'harness', code: 'a', message: 'm' },
      { family: 'harness', code: 'b', message: 'n' },
    ]),
  ).toBe('m [a]\n\nn [b]');
});

test('foreign text cannot reach the terminal', () => {
  expect(printable('a\u001b[31mb\r\n\u202ec')).toBe('a\u00b7[31mb\u00b7\u00b7\u00b7c');
  expect(renderProblem({ family: 'scenario', code: 'x', message: 'un\u001b]0;x\u0007known', hint: '\u009b1m' })).not.toMatch(
    /[\u0000-\u0009\u000b-\u001f\u0080-\u009f]/,
  );
});

test('the nearest word, if any is near', () => {
  expect(nearest('evry', ['every', 'bytes'])).toBe('every');
  expect(nearest('disconect', ['connect', 'disconnect'])).toBe('disconnect');
  expect(nearest('EVERY', ['every'])).toBe('every');
  expect(nearest('ab', ['ba', 'abc'])).toBe('ba');
  expect(nearest('resume', ['request', 'pause'])).toBeUndefined();
  expect(nearest('', ['a'])).toBeUndefined();
  expect(nearest('x'.repeat(1000), ['x'.repeat(999)])).toBeUndefined();
  expect(editDistance('kitten', 'sitting', 5)).toBe(3);
  expect(editDistance('kitten', 'sitting', 2)).toBe(3);
  expect(didYouMean('x', [])).toBe('none is known');
  expect(didYouMean('x', [], 'there are')).toBe('there is none');
  expect(didYouMean('x', [], 'it has')).toBe('there is none');
});
