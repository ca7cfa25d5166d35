import { describe, expect, test } from 'vitest';
import { pageOf } from './page.ts';
import { reasonOf } from './reasons.ts';
import { scoreOf } from './score.ts';
import type { Mutant } from './score.ts';

const mutant = (status: string, mutatorName = 'ConditionalExpression', replacement = 'true', column = 1, end = 6): Mutant => ({
  status, mutatorName, replacement, location: { start: { line: 1, column }, end: { line: 1, column: end } },
});

test('a timeout is a kill, what no test reaches is alive, what was not tried does not count', () => {
  const mutants = ['Killed', 'Timeout', 'Killed', 'Survived', 'NoCoverage', 'Ignored'].map((status) => mutant(status));
  expect(scoreOf(mutants)).toEqual({ killed: 3, survived: 2, ignored: 1, score: 60 });
  expect(scoreOf([]).score).toBe(100);
});

describe('the reason of a survivor', () => {
  const named = (code: string, one: Mutant): string | undefined => reasonOf({ file: 'a.ts', code, mutant: one })?.name;
  test('words', () => {
    expect(named('`it was ${x}`', mutant('Survived', 'StringLiteral', '``'))).toBe('Words of a message');
    expect(named("'fault'", mutant('Survived', 'StringLiteral', '""'))).toBeUndefined();
  });
  test('the edge of a time, or of an amount, and of nothing else', () => {
    expect(named('a.atMs < b.atMs', mutant('Survived', 'EqualityOperator', 'a.atMs <= b.atMs'))).toMatch(/^The edge of a comparison/);
    expect(named('a.atMs < b.atMs', mutant('Survived', 'EqualityOperator', 'a.atMs >= b.atMs'))).toBeUndefined();
    expect(named('amount < most', mutant('Survived', 'EqualityOperator', 'amount <= most'))).toBe('The edge of an amount');
    expect(named('index < 0', mutant('Survived', 'EqualityOperator', 'index <= 0'))).toBe('The first of a list');
    expect(named('index < 1', mutant('Survived', 'EqualityOperator', 'index <= 1'))).toBeUndefined();
  });
  test('evidence of what stays open, and nothing else that is left out', () => {
    expect(named('[refOf(left)]', mutant('Survived', 'ArrayDeclaration', '[]'))).toBe('Where an open verdict points');
    expect(named('[left, right]', mutant('Survived', 'ArrayDeclaration', '[]'))).toBeUndefined();
  });
  test('one that is the same, by its file, its code and what stands instead', () => {
    const at = (file: string, replacement: string): string | undefined =>
      reasonOf({ file, code: "seen.type  ===\n 'phase'", mutant: mutant('Survived', 'ConditionalExpression', replacement) })?.name;
    expect(at('harness/expectations/parts/control.ts', 'true')).toBe('The same, written otherwise');
    expect(at('harness/expectations/parts/control.ts', 'false')).toBeUndefined();
    expect(at('harness/expectations/parts/ends.ts', 'true')).toBeUndefined();
  });
});

test('the page names score, place and mutation', () => {
  const page = pageOf({ files: { 'harness/expectations/parts/a.ts': { source: 'a > b;', mutants: [mutant('Survived'), mutant('Killed')] } } }, 90);
  expect(page).toContain('| parts/a.ts | 50.0 | 1 | 1 | 0 |');
  expect(page).toContain('## Not explained (1)');
  expect(page).toContain('- parts/a.ts:1 `` a > b `` to `` true ``');
});
