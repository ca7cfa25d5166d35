// What is quoted comes out of a real shell as it went in.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoted } from './shell-words.ts';

test.each(['', 'plain', "it's", "''", '$HOME `id` "x" \\', 'two\nlines', '-n', 'Käse'])('%j', (word) => {
  expect(execFileSync('/bin/sh', ['-c', `printf %s ${quoted(word)}`], { encoding: 'utf8' })).toBe(word);
});
