// The same words as Node's own.
import { STATUS_CODES } from 'node:http';
import { expect, test } from 'vitest';
import { statusText } from './status-text.ts';

test('each code has the words that Node has for it, others are unnamed', () => {
  const codes = Object.keys(STATUS_CODES);
  expect(codes.map((code) => statusText(Number(code)))).toEqual(Object.values(STATUS_CODES));
  expect(codes.length).toBeGreaterThan(50);
  expect(statusText(299)).toBe('Unnamed');
});
