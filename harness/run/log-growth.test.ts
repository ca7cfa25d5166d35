// From lengths of a log to times of its lines.
import { expect, test } from 'vitest';
import { linesAt } from './log-growth.ts';

test('a line has the time at which it was first seen', () => {
  // "aa\n" by 100, "bb\ncc\n" by 200.
  expect(linesAt([{ bytes: 3, atMs: 100 }, { bytes: 9, atMs: 200 }], 9, 'aa\nbb\ncc\n')).toEqual([{ line: 0, atMs: 100 }, { line: 1, atMs: 200 }]);
});

test('of a line that came in pieces the first counts', () => {
  expect(linesAt([{ bytes: 2, atMs: 100 }, { bytes: 6, atMs: 200 }], 6, 'aa\nbb\n')).toEqual([{ line: 0, atMs: 100 }]);
});

test('lines are those of the end that is kept', () => {
  expect(linesAt([{ bytes: 3, atMs: 100 }, { bytes: 6, atMs: 200 }, { bytes: 9, atMs: 300 }], 9, 'bb\ncc\n'))
    .toEqual([{ line: 0, atMs: 200 }, { line: 1, atMs: 300 }]);
});

test('lengths are bytes, whatever the letters', () => {
  expect(linesAt([{ bytes: 5, atMs: 100 }, { bytes: 8, atMs: 200 }], 8, 'ää\nbb\n')).toEqual([{ line: 0, atMs: 100 }, { line: 1, atMs: 200 }]);
});

test('a log of which nothing was printed has no times', () => {
  expect(linesAt([], 0, '')).toEqual([]);
});
