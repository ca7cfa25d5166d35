// What `--jobs` may say, and how many that is.
import { expect, test } from 'vitest';
import { parseJobs, placesOf, placesOfAuto } from './jobs.ts';

test('a number, a share or auto; nothing else', () => {
  expect(['1', '12', '50%', '100%', 'auto'].map(parseJobs)).toEqual([1, 12, '50%', '100%', null]);
  for (const wrong of ['', '0', '0%', '-1', '1.5', '50 %', '%', 'all', 'AUTO', '1e3', '100000']) expect(parseJobs(wrong), wrong).toBeUndefined();
});

test('auto grows with the processors up to a limit; a share is of that, and at least one', () => {
  expect([1, 2, 8, 64].map((count) => placesOf(null, 'process', count))).toEqual([6, 12, 48, 96]);
  expect([1, 2, 64].map((count) => placesOf(null, 'docker', count))).toEqual([3, 7, 48]);
  expect([placesOf('50%', 'process', 2), placesOf('200%', 'process', 2), placesOf('1%', 'docker', 2)]).toEqual([6, 24, 1]);
  expect(placesOf(500, 'docker', 1)).toBe(500);
  expect([placesOfAuto(null, 3.5), placesOfAuto('50%', 4), placesOfAuto('1%', 4), placesOfAuto(null, 0), placesOfAuto(9, 4)]).toEqual([3, 2, 1, 1, 9]);
});
