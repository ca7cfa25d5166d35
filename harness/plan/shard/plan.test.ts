// One plan of the same inputs, and another one of others: the hash is all that machines can compare.
import { expect, test } from 'vitest';
import { cellWith, METERED } from '../../systems/fixture.ts';
import type { Cell } from '../../systems/cell.ts';
import { differencesOf, planHash, planShards } from './plan.ts';
import type { PlanInput } from './plan.ts';

const cell = (id: string, watch = '1s', balance = 10): Cell => {
  const made = cellWith({
    clients: `clients: { alice: { account: { balance: ${balance} }, script: [ request: chat, receive: { events: 3 }, { disconnect: fin, mark: gone } ] } }`,
    watch: `watch: ${watch}`,
    expect: 'expect: [ upstream-closed: { upstream: model, client: alice, after: gone, within: 2s }, process-alive ]',
  });
  return { ...made, id, runtime: 'process' };
};

const CELLS = ['a', 'b', 'c', 'd'].map((id) => cell(id));
const KEY = CELLS[0]!.card.key;
const BESIDE = new Map([[KEY, { files: { 'proxy.mjs': 'aa' }, commits: { version: 'c1' } }]]);
const input = (change: Partial<PlanInput> = {}): PlanInput =>
  ({
    cells: CELLS, beside: BESIDE, durations: null, count: 2, repeat: 1, strict: false, mayEndEarly: false, seed: null,
    harness: { version: '1', commit: 'abc', dirty: false }, ...change,
  });
const planOf = (change?: Partial<PlanInput>) => planShards(input(change)).plan;
const shardsOf = ({ cells }: ReturnType<typeof planOf>): readonly string[] => cells.map(({ id, shard }) => `${id}${shard}`);

test('the order of the cells and where files lie change nothing, nor does writing it down', () => {
  const elsewhere = CELLS.toReversed().map((each) => ({
    ...each, card: { ...each.card, file: '/elsewhere/system.yaml', folder: '/elsewhere', key: '/elsewhere/system.yaml' }, scenario: { ...each.scenario, file: '/elsewhere/a.yaml' },
  }));
  const [here, there] = [planOf(), planOf({ cells: elsewhere, beside: new Map([['/elsewhere/system.yaml', BESIDE.get(KEY)!]]) })];
  expect(there).toEqual(here);
  expect(planHash(JSON.parse(JSON.stringify(here)))).toBe(here.hash);
  expect([here.cells.length, new Set(here.cells.map(({ shard }) => shard)).size]).toEqual([4, 2]);
});

test.each<[string, Partial<PlanInput>, string]>([
  ['another count', { count: 3 }, 'count 2 and 3'],
  ['a seed', { seed: 5 }, ' and 5'],
  ['repeats', { repeat: 2 }, 'repeat 1 and 2'],
  ['another commit', { harness: { version: '1', commit: 'def', dirty: false } }, 'commit abc and def'],
  ['changes that are not committed', { harness: { version: '1', commit: 'abc', dirty: true } }, 'a hangup with changes and one without'],
  ['another program beside the card', { beside: new Map([[KEY, { ...BESIDE.get(KEY)!, files: { 'proxy.mjs': 'bb' } }]]) }, 'behind a, b, c and 1 more'],
  ['a name that stands for another commit', { beside: new Map([[KEY, { ...BESIDE.get(KEY)!, commits: { version: 'c2' } }]]) }, 'behind a, b, c and 1 more'],
  ['and that is said first', { beside: new Map([[KEY, { ...BESIDE.get(KEY)!, commits: { version: 'c2' } }]]) }, 'small version stands for c1 and c2; another scenario'],
  ['as is one that stands for nothing', { beside: new Map([[KEY, { ...BESIDE.get(KEY)!, commits: { version: null } }]]) }, 'small version stands for c1 and nothing; '],
  ['a scenario that gives another balance', { cells: [cell('a', '1s', 11), ...CELLS.slice(1)] }, 'another scenario, card, runtime or machine behind a'],
  ['durations', { durations: { cells: { process: { a: 60_000 } }, controls: {} } }, 'other durations'],
  ['a cell less', { cells: CELLS.slice(1) }, 'cells that only one has: a'],
  ['a cell that is something else', { cells: [cell('a', '2s'), ...CELLS.slice(1)] }, 'another scenario, card, runtime or machine behind a'],
  ['a machine that can do less', { cells: [{ ...CELLS[0]!, claims: CELLS[0]!.claims.map((claim) => ({ ...claim, notApplicable: 'not here' })) }, ...CELLS.slice(1)] }, 'behind a'],
])('%s makes another plan, and is named', (_, change, named) => {
  const [one, other] = [planOf(), planOf(change)];
  expect(other.hash).not.toBe(one.hash);
  expect(differencesOf(one, other).join('; ')).toContain(named);
});

test('a branch is named as the card has it', () => {
  const card = { ...METERED, versions: 'versions: { from: git, repository: ./proxy, use: main }', run: 'run: [ { name: proxy, process: { command: [node, "${source}/proxy.mjs"] } } ]' };
  const cells = [cellWith({}, card, { runtime: 'process' })];
  const at = (commit: string) => planOf({ cells, beside: new Map([[cells[0]!.card.key, { files: {}, commits: { version: commit.repeat(40) } }]]) });
  expect(differencesOf(at('a'), at('b'))[1]).toBe(`small version=main stands for ${'a'.repeat(12)} and ${'b'.repeat(12)}`);
  expect(differencesOf(at('a'), at('a'))).toEqual([]);
  expect(Object.hasOwn(planOf({ beside: new Map() }), 'commits')).toBe(false);
});

test('without a seed all machines have the same, made of the plan', () => {
  expect(planOf().seed).toBe(planOf().seed);
  expect(planOf({ repeat: 2 }).seed).not.toBe(planOf().seed);
  expect(Number.isSafeInteger(planOf().seed)).toBe(true);
});

test('recorded times decide, of this runtime alone; without one a cell is as long as planned, in the measure of the others', () => {
  const recorded = { cells: { process: { a: 60_000, b: 20_000, c: 20_000, d: 20_000 }, docker: { a: 1 } }, controls: { process: { a: 0, b: 0, c: 0, d: 0 } } };
  expect(shardsOf(planOf({ durations: recorded }))).toEqual(['a1', 'b2', 'c2', 'd2']);
  const { a: _a, ...others } = recorded.cells.process;
  const weights = planOf({ durations: { cells: { process: others }, controls: {} } }).cells.map(({ weightMs }) => weightMs);
  expect(weights).toEqual([20_000, 20_000, 20_000, 20_000]);
});

test('fifty machines that are told of ten thousand cells make one plan, in which each is once and no part is much longer than the others', () => {
  const made = cell('a');
  const cells = Array.from({ length: 10_000 }, (_, index) => ({ ...made, id: `cell ${index}` }));
  const process = Object.fromEntries(cells.map(({ id }, index) => [id, 2_000 + ((index * 7_919) % 20_011)]));
  const durations = { cells: { process }, controls: {} };
  const { plan, weightsMs, recorded } = planShards(input({ cells, durations, count: 50 }));
  expect([recorded, plan.cells.length, new Set(plan.cells.map(({ id }) => id)).size]).toEqual([10_000, 10_000, 10_000]);
  expect(new Set(plan.cells.map(({ shard }) => shard))).toEqual(new Set(Array.from({ length: 50 }, (_, index) => index + 1)));
  expect(Math.max(...weightsMs)).toBeLessThanOrEqual((1.1 * weightsMs.reduce((sum, ms) => sum + ms, 0)) / 50);
  expect(planOf({ cells: cells.toReversed(), durations, count: 50 }).hash).toBe(plan.hash);
});

test('the control that cells share is paid for once on a shard: together they are shorter', () => {
  const [whole, halves] = [planShards(input({ count: 1 })), planShards(input())];
  const { weightMs } = whole.plan.cells[0]!;
  const controlMs = whole.weightsMs[0]! - 4 * weightMs;
  expect(controlMs).toBeGreaterThan(0);
  expect(halves.weightsMs).toEqual([2 * weightMs + controlMs, 2 * weightMs + controlMs]);
});
