// What `hangup bisect` is asked for: ends of one axis or two, and what does not go together is refused.
import { describe, expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { confidence, searchAxis, toBisectOptions } from './bisect-options.ts';
import type { BisectFlags } from './bisect-options.ts';

const flags: BisectFlags = { confidence: 0.95, maxProbes: 300, endRuns: 10, runtime: 'auto' };
const options = (over: Partial<BisectFlags>) => toBisectOptions('a.yaml', { ...flags, ...over });

const refused = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) return error.problems[0]!.message;
    throw error;
  }
  throw new Error('it was taken');
};

test('the axis is version unless another is named, and ends are values of it', () => {
  expect(options({ good: ['1.0'], bad: ['2.0'] }).axes).toEqual([{ axis: 'version', values: [], good: '1.0', bad: '2.0' }]);
  expect(options({ axis: searchAxis('setting.lifetime=1s,2s') }).axes).toEqual([{ axis: 'setting.lifetime', values: ['1s', '2s'], good: null, bad: null }]);
});

test('of two axes each end says of which', () => {
  const two = searchAxis('starlette', searchAxis('version'));
  expect(options({ axis: two, good: ['version=1', 'starlette=0.3'] }).axes.map(({ axis, good }) => [axis, good])).toEqual([['version', '1'], ['starlette', '0.3']]);
  expect(refused(() => options({ axis: two, good: ['1', 'starlette=2'] }))).toContain('does not say of which axis');
});

describe('refused', () => {
  test.each([
    ['no good end', {}, 'no good end'],
    ['two ways to a good end', { good: ['1'], findGood: true }, 'different things'],
    ['the same end twice', { good: ['1'], bad: ['1'] }, 'both ends are 1'],
    ['an end given twice', { good: ['1', '2'] }, 'given twice'],
    ['three axes', { axis: searchAxis('c', searchAxis('b', searchAxis('a'))) }, 'too many'],
    ['an axis named twice', { axis: searchAxis('a', searchAxis('a')) }, 'named twice'],
    ['a good end looked for on two axes', { axis: searchAxis('b', searchAxis('a')), findGood: true }, 'one axis'],
  ] as const)('%s', (_, over, message) => {
    expect(refused(() => options(over))).toContain(message);
  });

  test.each(['', '0.3', '1', '100%', 'sure'])('the confidence "%s"', (value) => {
    expect(refused(() => confidence(value))).toContain('--confidence');
  });

  test('an axis without a name or values', () => {
    expect(refused(() => searchAxis('version='))).toContain('names no axis or no value');
  });
});

test('a confidence is a share or a percentage', () => {
  expect([confidence('0.99'), confidence('99.9%')]).toEqual([0.99, 0.999]);
});
