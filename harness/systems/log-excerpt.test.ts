// What is shown of a log that ends badly: the line that tells must be there.
import { expect, test } from 'vitest';
import { logExcerpt } from './log-excerpt.ts';

const frames = (count: number, frame: string): string => Array.from({ length: count }, (_, index) => `${frame} ${index + 1}`).join('\n');

test('of what Node prints the error above its frames', () => {
  const text = `listening\nnode:internal/loader:1\n  throw err;\n  ^\n\nError: Cannot find module '/x/proxy.mjs'\n${frames(9, '    at frame')} {\n  code: 'MODULE_NOT_FOUND'\n}\n\nNode.js v24\n`;
  expect(logExcerpt(text)).toEqual([
    'listening', 'node:internal/loader:1', '  throw err;', '  ^', "Error: Cannot find module '/x/proxy.mjs'",
    '    at frame 1', '    at frame 2', '    (7 more lines like these)', "  code: 'MODULE_NOT_FOUND'", '}', 'Node.js v24',
  ]);
});

test('of what Python prints the error below its frames', () => {
  const lines = logExcerpt(`Traceback (most recent call last):\n${frames(40, '  File')}\nOSError: address in use\n`);
  expect(lines).toEqual(['Traceback (most recent call last):', '  File 1', '  File 2', '    (37 more lines like these)', '  File 40', 'OSError: address in use']);
});

test('of a long one the end; a short one as it is; an empty one not at all', () => {
  expect(logExcerpt(frames(30, 'line'))).toEqual(frames(30, 'line').split('\n').slice(10));
  expect(logExcerpt('a\r\n  b\n  c\n\n')).toEqual(['a', '  b', '  c']);
  expect(logExcerpt('\n \n')).toEqual([]);
});
