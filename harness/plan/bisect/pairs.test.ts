// Two axes at once, on grids whose answer is known.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../../model/random.ts';
import type { Answer } from './answer.ts';
import { concludePairs, nextPairs, recordPair, startPairs } from './pairs.ts';
import type { Pair, PairState } from './pairs.ts';

type Grid = (pair: Pair, random: () => number) => Answer;
const run = (first: number, second: number, grid: Grid, seed = 1): PairState => {
  const random = createRandom(seed, 'grid').next;
  let state = startPairs({ first, second });
  for (;;) {
    const [probe] = nextPairs(state);
    if (probe === undefined) return state;
    state = recordPair(state, { pair: probe.pair, answer: grid(probe.pair, random) });
  }
};
const badIf = (isBad: (first: number, second: number) => boolean, rate = 1, before = 0): Grid => ([first, second], random) =>
  (random() < (isBad(first, second) ? rate : before) ? 'bad' : 'good');

test('one part alone', () => {
  expect(concludePairs(run(20, 12, badIf((first) => first >= 13)))).toMatchObject({
    kind: 'found', carrier: 'first', minimal: [{ pair: [13, 0], good: [[12, 0]], widths: [1, 1] }],
  });
  expect(concludePairs(run(20, 12, badIf((_, second) => second >= 5)))).toMatchObject({ carrier: 'second', minimal: [{ pair: [0, 5], good: [[0, 4]] }] });
});

test('either of them', () => {
  expect(concludePairs(run(8, 8, badIf((first, second) => first >= 3 || second >= 6)))).toMatchObject({ carrier: 'either', minimal: [{ pair: [3, 0] }, { pair: [0, 6] }] });
});

test('only both together: a pair of which neither part can be older', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 14 }), fc.integer({ min: 2, max: 14 }), fc.nat(1_000), (first, second, place) => {
      const [a, b] = [1 + (place % (first - 1)), 1 + (Math.floor(place / 13) % (second - 1))];
      const state = run(first, second, badIf((one, other) => one >= a && other >= b));
      const conclusion = concludePairs(state);
      expect(conclusion).toMatchObject({ kind: 'found', carrier: 'both', minimal: [{ pair: [a, b], good: [[a - 1, b], [a, b - 1]] }] });
      expect(conclusion.kind === 'found' && conclusion.confidence).toBeGreaterThanOrEqual(0.95);
      // What is named as good was run: it is the evidence.
      const wasGood = (pair: Pair): boolean => state.results.some((one) => one.answer === 'good' && one.pair.join() === pair.join());
      expect([[a - 1, b] as const, [a, b - 1] as const].map(wasGood)).toEqual([true, true]);
    }),
    { numRuns: 20, seed: 1 },
  );
});

const neighbour = (answer: Answer, size: number): Grid => ([first, second]) =>
  (first === size - 1 && second === 3 ? answer : first >= size && second >= 3 ? 'bad' : 'good');

test('a neighbour that cannot be run stops nothing, and is never named as good: the answer is so much wider', () => {
  expect(concludePairs(run(6, 6, neighbour('untestable', 1)))).toMatchObject({ kind: 'found', minimal: [{ pair: [1, 3], good: [[1, 2]], widths: [2, 1] }] });
  expect(concludePairs(run(6, 6, neighbour('untestable', 3)))).toMatchObject({ kind: 'found', minimal: [{ pair: [3, 3], good: [[1, 3], [3, 2]], widths: [2, 1] }] });
});

test('a neighbour that has it where younger ones had not is the answer', () => {
  expect(concludePairs(run(6, 6, neighbour('bad', 1)))).toMatchObject({ kind: 'found', minimal: [{ pair: [0, 3], good: [[0, 2]] }] });
});

test('of a staircase a corner is found', () => {
  const conclusion = concludePairs(run(12, 12, badIf((first, second) => first >= 1 && second >= 1 && first + second >= 13)));
  expect(conclusion.kind === 'found' && conclusion.minimal.map(({ pair: [a, b] }) => a + b)).toEqual([13]);
});

test('flaky ones too, mostly right', () => {
  const ends = Array.from({ length: 12 }, (_, seed) => concludePairs(run(6, 6, badIf((first, second) => first >= 3 && second >= 2, 0.6), seed)));
  const right = ends.filter((end) => end.kind === 'found' && end.minimal[0]!.pair.join() === '3,2');
  expect(right.length).toBeGreaterThanOrEqual(10);
});

test.each([3, 32])('what is found is as sure as was asked for, however many decisions it took (seed %i)', (seed) => {
  const conclusion = concludePairs(run(3, 3, badIf((first, second) => first >= 1 && second >= 1, 0.5, 0.05), seed));
  expect(conclusion).toMatchObject({ kind: 'found', carrier: 'both', minimal: [{ pair: [1, 1] }] });
  expect(conclusion.kind === 'found' && conclusion.confidence).toBeGreaterThanOrEqual(0.95);
});

test('versions that cannot be run make it wide; ends that do not differ stop it', () => {
  const conclusion = concludePairs(run(20, 6, ([first, second]) => (first === 9 ? 'untestable' : first >= 9 && second >= 2 ? 'bad' : 'good')));
  expect(conclusion).toMatchObject({ kind: 'found', carrier: 'both', minimal: [{ pair: [10, 2], good: [[8, 2], [10, 1]], widths: [2, 1] }] });
  expect(concludePairs(run(4, 4, () => 'bad'))).toMatchObject({ kind: 'stopped', about: 'ends', line: [[0, 0], [3, 3]], conclusion: { kind: 'same-ends' } });
});
