import { describe, expect, test } from 'vitest';
import { flow } from './example.ts';
import { isBoundedPattern } from './pattern.ts';
import { parseSize } from '../model/size.ts';
import { durationSchema, nameSchema, patternSchema } from './scalars.ts';

describe('scalars', () => {
  test.each([
    ['64KiB', 65_536],
    ['1GiB', 1024 ** 3],
    ['10MB', 10_000_000],
    ['1.5KiB', 1_536],
    ['7B', 7],
    [12, 12],
    [0, 0],
  ])('size %s', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });
  test.each([['64kb'], ['KiB'], ['-1KiB'], ['1 KiB'], ['64'], [-1], [1.5], [true], [null], ['9999999999GiB']])('no size %s', (value) => {
    expect(parseSize(value)).toBeUndefined();
  });
  test.each([
    ['500ms', { ms: 500 }],
    ['1.5s', { ms: 1500 }],
    ['2m', { ms: 120_000 }],
    ['1h', { ms: 3_600_000 }],
    ['480h', { ms: 480 * 3_600_000 }],
    ['3 renewals', { count: 3, period: 'renewal' }],
  ])('duration %s', (text, data) => {
    expect(durationSchema.safeParse(text).data).toEqual(data);
  });
  test.each([['5'], [5], ['5 ms'], ['s'], [''], ['-1s'], ['1e3s'], [null], [['1s']], ['481h'], ['600h']])('no duration %j', (value) => {
    expect(durationSchema.safeParse(value).success).toBe(false);
  });
  test('names', () => {
    for (const good of ['a', 'alice', 'a-1', 'x'.repeat(40)]) expect(nameSchema.safeParse(good).success).toBe(true);
    for (const bad of ['', '1', 'A', 'a_b', 'a b', 'a/b', 'a.b', '-a', 'x'.repeat(41), 'constructor '.trim() + ' ', 7])
      expect(nameSchema.safeParse(bad).success).toBe(false);
  });
});

describe('patterns', () => {
  test.each(['ready', '^a.*b$', '(a|b)c', '[(+*]+x', 'a{1,3}', '(ab)?c+', '\\(a+\\)+', '(?:ab)', 'a|b', '(a+)?', '(a+){0,1}'])(
    'may be run: %s',
    (pattern) => {
      expect([pattern, isBoundedPattern(pattern)]).toEqual([pattern, true]);
    },
  );
  test.each([
    '(a+)+',
    '(a*)*b',
    '(a|a)*b',
    '((a)+)+',
    '(a+){2,}',
    '(.*,)*x',
    '(?:a+)+',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(',
    '[',
    '*a',
    'a**',
    '((a+)b)*',
  ])('may not: %s', (pattern) => {
    expect([pattern, isBoundedPattern(pattern)]).toEqual([pattern, false]);
  });
  test('at most three hundred characters', () => {
    expect(patternSchema.safeParse('a'.repeat(300)).success).toBe(true);
    expect(patternSchema.safeParse('a'.repeat(301)).success).toBe(false);
    expect(patternSchema.safeParse('').success).toBe(false);
  });
});

test('examples in flow form read back as they were', () => {
  expect(flow({ a: '100ms', b: [1, true], c: 'a: b', d: 'true', e: {} })).toBe('{ a: 100ms, b: [1, true], c: "a: b", d: "true", e: {} }');
});
