// Grids over axes: what stands where, in which order, and that nothing is drawn where nothing varies.
import { describe, expect, test } from 'vitest';
import type { Outcome, ScenarioOutcome } from '../../model/verdict.ts';
import { endOf, runOf, SET } from '../fixtures/set.ts';
import { renderIndex } from '../index-page.ts';
import type { RunEnd } from '../reporter.ts';
import type { ScenarioSummary } from '../summary.ts';
import { gridsOf } from './grid.ts';
import { gridText } from './text.ts';

const at = (cell: string, coordinates: Readonly<Record<string, string>>, outcome: ScenarioOutcome, claims: Readonly<Record<string, Outcome>> = {}): ScenarioSummary =>
  runOf(cell, { outcome, claims, run: { coordinates } });

const over = (...summaries: readonly ScenarioSummary[]): RunEnd => {
  const end = endOf(summaries);
  return { ...end, start: { ...end.start!, scenarios: summaries.map(({ cell }) => cell) } };
};

const VERSIONS = over(
  at('disconnect/a[how=fin,version=1.10]', { version: '1.10' }, 'failed', { closed: 'violated', billed: 'held' }),
  at('disconnect/a[how=fin,version=1.2]', { version: '1.2' }, 'passed', { closed: 'held', billed: 'held' }),
  at('disconnect/a[how=fin,version=1.9]', { version: '1.9' }, 'failed', { closed: 'violated', billed: 'violated' }),
  at('disconnect/b[version=1.9]', { version: '1.9' }, 'untestable'),
  at('disconnect/b[version=1.2]', { version: '1.2' }, 'passed', { closed: 'held' }),
  ...SET.slice(0, 2),
);

describe('one axis', () => {
  test('scenarios down, versions across by their numbers, and the claim that tells more below its scenario', () => {
    expect(gridText(gridsOf(VERSIONS), 80).join('\n')).toBe([
      '',
      'Outcomes by version',
      '  scenario               1.2  1.9  1.10',
      '  disconnect/a[how=fin]  ✓    ✗    ✗',
      '    billed               ✓    ✗    ✓',
      '  disconnect/b           ✓    -',
      '',
      '  ✓ passed   ✗ failed   - untestable',
    ].join('\n'));
  });

  test('a narrow terminal gets the columns in parts', () => {
    const lines = gridText(gridsOf(VERSIONS), 36);
    expect(lines.filter((line) => line.includes('scenario'))).toEqual(['  scenario               1.2  1.9', '  scenario               1.10']);
    expect(Math.max(...lines.slice(2, -2).map((line) => line.length))).toBeLessThanOrEqual(36);
  });
});

test('two axes: a grid for each scenario, the first axis down; what is no release keeps its order', () => {
  const cells = ['main', 'fix'].flatMap((version) => ['h11', 'httptools'].map((http) =>
    at(`disconnect/a[version=${version},http=${http}]`, { version, http }, version === 'fix' || http === 'h11' ? 'passed' : 'failed')));
  const [grid, ...others] = gridsOf(over(...cells));
  expect(others).toEqual([]);
  expect(grid).toMatchObject({ title: 'disconnect/a', rowsAre: 'version', columnsAre: 'http', columns: ['h11', 'httptools'] });
  expect(grid!.rows.map(({ name, squares }) => [name, ...squares.map((square) => square?.mark)])).toEqual([['main', 'passed', 'failed'], ['fix', 'passed', 'passed']]);
});

test('the index has the grid with words for who cannot see signs, and links; other runs have none', () => {
  const page = renderIndex({ ...VERSIONS, folder: 'evidence/r1' });
  expect(page).toContain('<caption>Outcomes by version</caption>');
  expect(page).toMatch(/<td class="untestable" title="[^"]*"><a href="[^"]+"><span aria-hidden="true">-<\/span><span class="unseen">untestable<\/span><\/a><\/td>/);
  expect(page).toContain('<td class="none"><span class="unseen">not run</span></td>');
  expect(renderIndex(endOf(SET))).not.toContain('class="grid"');
  expect(gridText(gridsOf(endOf(SET)), 80)).toEqual([]);
  expect(gridsOf(over(at('disconnect/a[version=1.2]', { version: '1.2' }, 'passed')))).toEqual([]);
});
