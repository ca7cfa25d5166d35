// Ranges of a scenario: what is chosen hangs on the seed, the scenario and the place, and on nothing else.
import { expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { seedOf } from '../model/random.ts';
import { controlOf } from './control-cell.ts';
import { atLongest, drawCell } from './draw.ts';
import { cellWith, METERED } from './fixture.ts';

const CLIENTS =
  'clients: { alice: { account: { balance: 10 }, script: [ request: chat, { wait: 100ms..900ms }, { disconnect: fin, mark: gone } ] } }';
const FAULTS =
  'faults: [ { after: gone, wait: 0ms..2s, ledger-lock: 1 renewal..3 renewals }, { after: gone, wait: 50ms, kill: {} }, { after: gone, wait: 0ms..2s, resume: {} } ]';

const ranged = (card = METERED) => cellWith({ clients: CLIENTS, faults: FAULTS }, card);
const timesOf = (seed: number, attempt = 1) => drawCell(ranged(), seed, attempt).drawn?.times;

test('the same seed gives the same times; another seed, another attempt and another place give others', () => {
  expect(timesOf(7)).toEqual(timesOf(7));
  const all = [timesOf(7), timesOf(8), timesOf(7, 2), timesOf(7, 3)];
  expect(new Set(all.map((times) => JSON.stringify(times))).size).toBe(4);
  expect(timesOf(7)!['fault.1.ledger-lock.wait']).not.toBe(timesOf(7)!['fault.3.resume.wait']);
});

test('what was drawn is where the run reads it, in whole milliseconds of the range, under the place in the file', () => {
  const cell = drawCell(ranged(), 7, 1);
  const times = cell.drawn!.times;
  expect(Object.keys(times).sort()).toEqual(['alice.2.wait.for', 'fault.1.ledger-lock.for', 'fault.1.ledger-lock.wait', 'fault.3.resume.wait']);
  expect(cell.scripts.alice![1]!.options.for).toBe(times['alice.2.wait.for']);
  expect(cell.faults.map(({ wait }) => wait)).toEqual([times['fault.1.ledger-lock.wait'], 50, times['fault.3.resume.wait']]);
  expect(cell.faults[0]!.item.options.for).toBe(times['fault.1.ledger-lock.for']);
  expect(cell.scripts.alice![2]).toEqual(ranged().scripts.alice![2]);
});

test('every length of a range is drawn, its ends too, and none beside it', () => {
  const cell = cellWith({ clients: CLIENTS.replace('100ms..900ms', '5ms..8ms') });
  const seen = new Set(Array.from({ length: 200 }, (_, seed) => drawCell(cell, seed, 1).drawn!.times['alice.2.wait.for']));
  expect([...seen].sort()).toEqual([5, 6, 7, 8]);
});

test('times are those of the scenario: another version of the system and another runtime have the same', () => {
  const other = { ...ranged(), id: 'disconnect/small[version=1.3]', runtime: 'docker' as const };
  expect(drawCell(other, 7, 1).drawn).toEqual(drawCell(ranged(), 7, 1).drawn);
});

test('one attempt of many is made again alone by its own seed', () => {
  const { drawn } = drawCell(ranged(), 7, 5);
  expect(drawn!.seed).toBe(seedOf(7, 5));
  expect(drawCell(ranged(), drawn!.seed, 1).drawn).toEqual(drawn);
});

test('a control waits as long as any of those that share it', () => {
  expect(controlOf(ranged(), 1_000).scripts.alice!.map(({ options }) => options.for)).toEqual([undefined, 900]);
  expect(atLongest(ranged()).faults.map(({ wait, item }) => [wait, item.options.for])).toEqual([[2_000, 1_500], [50, undefined], [2_000, undefined]]);
});

test('without a range nothing is drawn, and the cell stays as it is', () => {
  const cell = cellWith();
  expect(drawCell(cell, 7, 1)).toBe(cell);
});

test('ends of different periods that are the wrong way round on a card are told before anything is started', () => {
  const clients = CLIENTS.replace('100ms..900ms', '1 lease..2 renewals');
  expect(() => cellWith({ clients })).toThrow(ProblemError);
  expect(() => cellWith({ clients })).toThrow(/alice\.2\.wait\.for: the range begins at 1500 ms and ends at 1000 ms/);
});
