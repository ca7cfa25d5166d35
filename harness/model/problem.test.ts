// Errors of the machine are told as what they are; the rest that nobody foresaw as our own fault.
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { problem, problemsOf } from './problem.ts';

const thrown = (work: () => void): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

test.runIf(process.platform === 'linux')('a disk without room is no fault of ours, whoever wrote to it', () => {
  const [told, ...more] = problemsOf(thrown(() => writeFileSync('/dev/full', 'x')));
  expect(told).toMatchObject({ family: 'environment', code: 'disk-full', hint: expect.stringContaining('make room') });
  expect(more).toEqual([]);
});

test.each([[new TypeError('x is not a function')], ['a word'], [null], [undefined]])('%s is', (error) => {
  expect(problemsOf(error)).toMatchObject([{ family: 'harness', code: 'unexpected' }]);
});

test('what was told already is told as it was', () => {
  const { problems } = problem('scenario', 'no-such-thing', 'there is none');
  expect(problemsOf(problem('scenario', 'no-such-thing', 'there is none'))).toEqual(problems);
});
