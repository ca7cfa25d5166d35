// Table A1 of the catalogue as data: what each row must catch, by which claims, and in which ways its client
// leaves. The scenarios must say neither more nor less; and every claim of theirs is in the list of what is held on
// a clean run, on either runtime, so that nothing can hide behind "does not apply".
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCells } from '../cli/load-cells.ts';
import { registries } from '../scenario/registries.ts';
import { ROOT } from './test-kit.ts';

type Row = {
  readonly catches: Readonly<Record<string, readonly string[]>>;
  readonly how?: readonly string[];
  readonly upstream?: readonly string[];
};

const LEAVES = ['fin', 'half-close', 'rst', 'kill'];

const A1: Readonly<Record<string, Row>> = {
  'A1.1': { catches: { 'settles-twice': ['charged-once'], 'never-settles': ['charged-once', 'billing-terminal'] } },
  'A1.2': { catches: { 'no-read-timeout': ['bounded-wait'] } },
  'A1.3': { catches: { 'ignores-disconnect': ['upstream-closed'] }, how: LEAVES },
  'A1.4': { catches: { 'no-header-timeout': ['bounded-wait'] } },
  'A1.5': { catches: { 'leaves-headers-pending': ['upstream-closed', 'nothing-reserved'] }, how: LEAVES },
  'A1.6': {
    catches: { 'ignores-disconnect': ['upstream-closed', 'renewal-stopped', 'refundable'], 'bills-after-leave': ['charged-once'] },
    how: LEAVES,
  },
  'A1.7': { catches: { 'no-request-lifetime': ['bounded-wait'] } },
  'A1.8': { catches: { 'ignores-disconnect': ['upstream-closed'] }, how: LEAVES },
  'A1.9': { catches: { 'comments-count-as-progress': ['bounded-wait'] } },
  'A1.10': { catches: { 'no-send-timeout': ['bounded-wait'], 'buffers-without-bound': ['bounded-memory'] } },
  'A1.11': { catches: { 'ignores-disconnect': ['upstream-closed'] }, how: ['half-close', 'rst'] },
  'A1.12a': { catches: { 'ignores-disconnect': ['nothing-reserved'] }, how: LEAVES },
  'A1.12b': { catches: { 'sweeper-never-runs': ['nothing-reserved'] } },
  'A1.13': { catches: { 'loses-upstream-error': ['billing-terminal'] } },
  'A1.14': { catches: { 'shutdown-waits-for-streams': ['clean-shutdown'] } },
  'A1.15': { catches: { 'shutdown-waits-for-settlement': ['clean-shutdown', 'nothing-reserved'] } },
};

/** The vanish part of the leave matrix, by the upstream of the row that it belongs to. */
const VANISHES = ['silent', 'header-wait', 'endless', 'sse-keepalive', 'flood'];

const scenarios = (await loadCells([join(ROOT, 'scenarios')], {}, null, ROOT))
  .map(({ scenario }) => scenario)
  .filter(({ tags }) => tags.includes('A1'));
const rowOf = (tags: readonly string[]): string => tags.find((tag) => /^A1\./.test(tag))!;

test('every scenario belongs to one row, and every row has its scenarios', () => {
  expect([...new Set(scenarios.map(({ tags }) => rowOf(tags)))].sort()).toEqual([...Object.keys(A1), 'A1.V'].sort());
});

describe.each(Object.entries(A1))('%s', (row, { catches, how }) => {
  const cells = scenarios.filter(({ tags }) => tags.includes(row));
  test('catches what the catalogue says', () => {
    for (const cell of cells) expect(cell.catches, cell.id).toEqual(catches);
  });
  test('its client leaves in every way', () => {
    expect(cells.map(({ matrix }) => matrix.how)).toEqual(how ?? [undefined]);
  });
});

test('vanishing is judged by the lifetime bound, for every upstream', () => {
  const cells = scenarios.filter(({ tags }) => tags.includes('A1.V'));
  expect(cells.map(({ upstreams }) => upstreams.model!.behaviour.kind).sort()).toEqual([...VANISHES].sort());
  for (const { id, tests, catches, clients } of cells) {
    expect(tests, id).toBe('lifetime');
    expect(catches, id).toEqual({ 'no-request-lifetime': ['bounded-wait'] });
    expect(
      clients.alice!.script.filter(({ kind }) => kind === 'disconnect').map(({ options }) => options.how),
      id,
    ).toEqual(['vanish']);
  }
});

test('every claim of every cell is expected to be held on both runtimes', () => {
  const held = JSON.parse(readFileSync(join(ROOT, 'docs', 'held-claims.json'), 'utf8')) as Readonly<
    Record<string, Readonly<Record<string, readonly string[]>>>
  >;
  const claimed = Object.fromEntries(scenarios.map(({ id, expect: claims }) => [id, claims.map(({ kind }) => kind).sort()]));
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
