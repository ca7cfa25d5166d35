// The catalogue is held against the scenarios: what each row must catch, by which claims, in which cells. They must say
// neither more nor less; and every claim of theirs is in the list of what is held on a clean run, on either runtime, so
// that nothing can hide behind "does not apply".
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCells } from '../cli/load-cells.ts';
import { registries } from '../scenario/registries.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { A1, A2, A3, A4, D, EIGHT } from './fixtures/catalogue-rows.ts';
import type { Part } from './fixtures/catalogue-rows.ts';
import { ROOT } from './test-kit.ts';

const all = (await loadCells([join(ROOT, 'scenarios')], {}, null, ROOT)).map(({ scenario }) => scenario);
const TABLES = { A1, A2, A3, A4 };
const OF_TABLES = /^(A[1-4]|D)$/;
const scenarios = all.filter(({ tags }) => tags.some((tag) => OF_TABLES.test(tag)));

const fileOf = ({ id }: Scenario): string => id.replace(/\[.*$/, '');
const rowsOf = ({ tags }: Scenario): readonly string[] => tags.filter((tag) => /^(A[1-4]\.\w+|D\d+)$/.test(tag));
const cellsOf = (row: string): readonly Scenario[] => scenarios.filter(({ tags }) => tags.includes(row));

/** The values of each axis over the cells of one file. */
const matrixOf = (cells: readonly Scenario[]): Part['matrix'] =>
  Object.fromEntries(Object.keys(cells[0]!.matrix).map((axis) => [axis, [...new Set(cells.map(({ matrix }) => matrix[axis]!))]]));

const sorted = (parts: readonly Part[]): readonly string[] =>
  parts.map(({ catches, matrix = {} }) => JSON.stringify({ catches: Object.entries(catches).sort(), matrix })).sort();

const partsOf = (row: string): readonly Part[] =>
  [...Map.groupBy(cellsOf(row), fileOf).values()].map((cells) => ({ catches: cells[0]!.catches, matrix: matrixOf(cells) }));

test('every scenario belongs to one row of one table, and every row has its scenarios', () => {
  for (const scenario of scenarios) {
    const [row, ...more] = rowsOf(scenario);
    expect(more, scenario.id).toEqual([]);
    expect(scenario.tags.filter((tag) => OF_TABLES.test(tag)), scenario.id).toEqual([row!.replace(/\.?\w+$/, '') || 'D']);
  }
  const provoked = Object.entries(D).flatMap(([row, said]) => (said === null ? [] : [row]));
  expect([...new Set(scenarios.flatMap(rowsOf))].sort()).toEqual([...Object.values(TABLES).flatMap(Object.keys), ...provoked].sort());
});

describe.each(Object.entries(TABLES))('table %s', (_, table) => {
  test.each(Object.entries(table))('%s catches what the catalogue says, in the cells that it says', (row, parts) => {
    expect(sorted(partsOf(row))).toEqual(sorted(parts));
    for (const { id, concludes } of cellsOf(row)) expect(concludes, id).toBeUndefined();
  });
});

test('A1: of the rows that run over other routes too, those are tagged, and leave as the row does', () => {
  const routes = scenarios.filter(({ tags }) => tags.includes('routes'));
  expect([...new Set(routes.flatMap(rowsOf))].sort()).toEqual(['A1.3', 'A1.5', 'A1.6']);
  for (const cell of routes) {
    const { script } = cell.clients.alice!;
    expect(script.find(({ kind }) => kind === 'request')!.options.name, cell.id).toBe(cell.matrix.api);
    const streamed = cellsOf(rowsOf(cell)[0]!).find((other) => other.matrix.how === 'fin')!;
    expect(cell.expect, cell.id).toEqual(streamed.expect);
    expect(script.map(({ kind }) => kind), cell.id).toEqual(streamed.clients.alice!.script.map(({ kind }) => kind));
  }
});

test('A1: vanishing is judged by the lifetime bound, for every upstream', () => {
  const cells = cellsOf('A1.V');
  const upstreams = ['silent', 'header-wait', 'endless', 'sse-keepalive', 'flood'];
  expect(cells.map((cell) => cell.upstreams.model!.behaviour.kind).sort()).toEqual(upstreams.sort());
  for (const { id, tests, clients } of cells) {
    expect(tests, id).toBe('lifetime');
    const leaves = clients.alice!.script.filter(({ kind }) => kind === 'disconnect');
    expect(leaves.map(({ options }) => options.how), id).toEqual(['vanish']);
  }
});

test('A2: every row makes the eight assertions, each by its name, beside a sibling on the same account and one on another', () => {
  for (const { id, expect: claims, clients } of scenarios.filter(({ tags }) => tags.includes('A2'))) {
    const named = claims.filter(({ as }) => /^\([1-8]\) /.test(as ?? ''));
    const numbered = named.map(({ kind, as }) => `${as!.slice(1, 2)} ${kind}`).sort();
    expect(numbered, id).toEqual(EIGHT.map((kind, index) => `${index + 1} ${kind}`));
    const accounts = Object.entries(clients).map(([name, { account }]) => account?.sameAs ?? name);
    expect(new Set(accounts).size, id).toBeGreaterThan(1);
    expect(new Set(accounts).size, id).toBeLessThan(accounts.length);
  }
});

test.each(Object.entries(D).flatMap(([row, said]) => (said === null ? [] : [[row, said] as const])))('%s concludes %j', (row, said) => {
  const cells = cellsOf(row);
  const concluded = cells.flatMap(({ concludes = {} }) => Object.entries(concludes).map(([claim, { outcome }]) => `${outcome} ${claim}`));
  expect(concluded.sort()).toEqual(said);
  for (const { id, catches } of cells) expect(catches, id).toEqual({});
});

test('every claim of every cell is expected to be held on both runtimes, but for what must be concluded otherwise', () => {
  const held = JSON.parse(readFileSync(join(ROOT, 'docs', 'held-claims.json'), 'utf8')) as Readonly<
    Record<string, Readonly<Record<string, readonly string[]>>>
  >;
  const claimed = Object.fromEntries(
    all.map(({ id, expect: claims, concludes = {} }) => [
      id,
      claims.map(({ kind }) => kind).filter((kind) => !(kind in concludes)).sort(),
    ]),
  );
  for (const runtime of ['process', 'docker']) {
    const listed = Object.fromEntries(
      Object.entries(held[runtime]!).map(([id, claims]) => [id, claims.map((claim) => claim.replace(/#\d+$/, '')).sort()]),
    );
    expect(listed, runtime).toEqual(claimed);
  }
  expect(
    Object.values(claimed)
      .flat()
      .filter((kind) => !registries.expectations.kinds.includes(kind)),
  ).toEqual([]);
});
