// The rules of the kill matrix, each from both sides.
import { describe, expect, test } from 'vitest';
import { pageOf } from './page.ts';
import { choose } from './plan.ts';
import { resultOf } from './result-fixture.ts';
import { accusedBy, contributionsOf, matrixOf, namedOf, renewed, wrongWith as wrongWithNamed, wrongWithAll } from './rules.ts';
import type { CellResult } from '../../plan/run-cell.ts';
import type { Loaded } from '../../plan/select.ts';

const wrongWith = (result: CellResult, defect: string, ...others: readonly CellResult[]): readonly string[] =>
  wrongWithNamed(result, defect, namedOf([result, ...others].map(({ cell }) => cell.scenario)));

describe('one defect on one row', () => {
  test('every named claim violated, others of the same exchange too: right', () => {
    expect(wrongWith(resultOf({ said: { closed: 'violated', money: 'violated', siblings: 'held' } }), 'leak')).toEqual([]);
  });

  test.each(['held', 'inconclusive', 'does-not-apply'] as const)('a named claim that is %s is missed', (outcome) => {
    expect(wrongWith(resultOf({ said: { closed: outcome } }), 'leak')).toEqual([
      'leak on disconnect/row: closed is not violated: because of closed',
    ]);
  });

  test('a row that does not name the defect may violate claims of the same exchange', () => {
    expect(wrongWith(resultOf({ said: { closed: 'violated' } }), 'other')).toEqual([]);
  });

  test('siblings must not be accused', () => {
    expect(wrongWith(resultOf({ said: { closed: 'violated', 'siblings-untouched': 'violated' } }), 'leak')).toEqual([
      'leak on disconnect/row: siblings-untouched must not be violated: because of siblings-untouched',
    ]);
    expect(wrongWith(resultOf({ said: { closed: 'violated', 'terminal/bob': 'violated' } }), 'leak')).toEqual([
      'leak on disconnect/row: terminal must not be violated: because of terminal/bob',
    ]);
  });

  test('an account is affected with whoever shares it, an exchange is not', () => {
    expect(wrongWith(resultOf({ said: { closed: 'violated', 'nothing-reserved/carol': 'violated' } }), 'leak')).toEqual([]);
    expect(wrongWith(resultOf({ said: { closed: 'violated', 'nothing-reserved/bob': 'violated' } }), 'leak')).toHaveLength(1);
    expect(wrongWith(resultOf({ said: { closed: 'violated', 'terminal/carol': 'violated' } }), 'leak')).toHaveLength(1);
  });

  test('a claim about copies is about each of them', () => {
    expect(wrongWith(resultOf({ said: { closed: 'violated', 'money/crowd': 'violated' } }), 'leak')).toEqual([]);
  });

  test('who is the subject of the row does not stand by, though nobody named it', () => {
    const said = { closed: 'violated', 'terminal-once/bob': 'violated', 'money/bob': 'violated' } as const;
    expect(wrongWith(resultOf({ said }), 'leak')).toEqual([]);
  });

  test('unless some row names that claim for the defect', () => {
    const row = resultOf({ catches: { thief: ['siblings-untouched'] }, said: { 'siblings-untouched': 'violated' } });
    expect(wrongWith(row, 'thief')).toEqual([]);
    // Its nature is to harm siblings: it does so in other rows too.
    const other = resultOf({ said: { 'siblings-untouched': 'violated' } });
    expect(wrongWith(other, 'thief', row)).toEqual([]);
    expect(wrongWith(other, 'thief')).toHaveLength(1);
  });
});

test('the clean system is accused by any violated claim, not by an inconclusive one', () => {
  expect(accusedBy(resultOf({ said: { closed: 'violated', money: 'held' } }))).toEqual([
    'clean, disconnect/row: closed is violated: because of closed',
  ]);
  expect(accusedBy(resultOf({ said: { closed: 'inconclusive' } }))).toEqual([]);
});

test('a defect that no row names, and a row that names none, are told', () => {
  expect(wrongWithAll(['leak', 'forgotten'], [{ id: 'a', catches: { leak: [] } }, { id: 'b', catches: {} }])).toEqual([
    'forgotten: no scenario names it',
    'b: catches nothing',
  ]);
});

describe('the matrix', () => {
  const matrix = matrixOf(
    new Map([
      [
        'leak',
        [
          resultOf({ id: 'disconnect/b[how=fin]', said: { closed: 'violated', 'siblings-untouched': 'violated' } }),
          resultOf({ id: 'disconnect/b[how=rst]', said: { closed: 'violated' } }),
          resultOf({ id: 'disconnect/a', catches: {}, said: { closed: 'violated', money: 'violated' } }),
        ],
      ],
    ]),
    namedOf([{ catches: { leak: ['closed'] } }]),
  );

  test('is by scenario, named before also', () => {
    expect(matrix).toEqual({
      touched: { leak: ['disconnect/a', 'disconnect/b'] },
      kills: {
        leak: {
          closed: { 'disconnect/a': 'also', 'disconnect/b': 'named' },
          money: { 'disconnect/a': 'also' },
          'siblings-untouched': { 'disconnect/b': 'must-not' },
        },
      },
    });
  });

  test('scenarios that are run again replace what was known of them', () => {
    const again = matrixOf(new Map([['leak', [resultOf({ id: 'disconnect/a', catches: {}, said: { late: 'violated' } })]]]), new Map());
    const renewedOnce = renewed(matrix, again, ['disconnect/a']);
    expect(renewedOnce.kills.leak).toEqual({
      closed: { 'disconnect/b': 'named' },
      late: { 'disconnect/a': 'also' },
      'siblings-untouched': { 'disconnect/b': 'must-not' },
    });
    expect(renewedOnce.touched.leak).toEqual(['disconnect/a', 'disconnect/b']);
  });

  test('says what each scenario adds: what must not be is nothing added', () => {
    expect(contributionsOf(matrix, ['disconnect/a', 'disconnect/b'])).toEqual({ 'disconnect/a': ['leak: money'], 'disconnect/b': [] });
  });

  test('is written for people', () => {
    const page = pageOf(matrix, { runtime: 'process', cells: 3, minutes: 1, scenarios: ['disconnect/a', 'disconnect/b'] });
    expect(page).toContain('| `leak` | N a | a | **X** |');
    expect(page).toContain('- `disconnect/b`: nothing that no other row catches');
  });
});

describe('the choice of rows', () => {
  const row = (id: string, catches: Record<string, readonly string[]>): Loaded =>
    ({ scenario: { id, catches }, card: {}, isNamed: false }) as unknown as Loaded;
  const named = ['x[how=fin]', 'x[how=rst]'].map((id) => row(id, { leak: [] }));
  const rows = [...named, ...['y[how=fin]', 'y[how=rst]', 'z'].map((id) => row(id, {}))];
  const idsOf = (wanted: Parameters<typeof choose>[2], touched: readonly string[] = []): readonly string[] =>
    choose(rows, ['leak'], wanted, wanted.rows === 'all' ? null : { touched: { leak: touched }, kills: {} })[0]!.cells.map(
      ({ scenario }) => scenario.id,
    );

  test('for the night: every cell of the named rows, of the others the first, or all', () => {
    expect(idsOf({ rows: 'all', cells: 'one' })).toEqual(['x[how=fin]', 'x[how=rst]', 'y[how=fin]', 'z']);
    expect(idsOf({ rows: 'all', cells: 'all' })).toEqual(['x[how=fin]', 'x[how=rst]', 'y[how=fin]', 'y[how=rst]', 'z']);
  });

  test('for CI: the named rows and one that the last matrix says is left alone', () => {
    expect(idsOf({ rows: 'named', cells: 'one' }, ['x', 'y'])).toEqual(['x[how=fin]', 'z']);
    expect(() => idsOf({ rows: 'named', cells: 'one' }, ['x', 'y', 'z'])).toThrow('no row that leak leaves alone');
  });
});
