// The middle one, or the mean of both.
import { expect, test } from 'vitest';
import { median } from './median.ts';

test('a median of an even count lies between the middle two', () => {
  expect(median([4, 1, 10, 2])).toBe(3);
  expect(median([9, 1, 2])).toBe(2);
  expect(median([])).toBeNaN();
});
