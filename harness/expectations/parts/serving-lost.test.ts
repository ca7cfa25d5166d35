// What is lost for good is seen however soon, and chance hardly ever looks like it: tried on made-up lives.
import { expect, test } from 'vitest';
import { missesAtLast } from '../../model/same-rate.ts';
import { createRandom } from '../../model/random.ts';
import { FEWEST_TURNS, lostOf, SURE_TURNS } from './serving-lost.ts';

const LIVES = 4_000;
/** Whole numbers from the least to the most. */
const dice = (words: string) => {
  const { below } = createRandom(12, words);
  return (least: number, most: number): number => least + below(most - least + 1);
};
const turns = (count: number, isServed: (turn: number) => boolean): readonly boolean[] => Array.from({ length: count }, (_, turn) => isServed(turn));
/** So many served, then so many not. */
const until = (served: number, of: number): readonly boolean[] => turns(of, (turn) => turn < served);

test('how likely misses are the last of all', () => {
  expect(missesAtLast({ count: 5, of: 60 }, 55)).toBeCloseTo(1 / 5_461_512, 15);
  expect(missesAtLast({ count: 50, of: 57 }, 7)).toBeCloseTo(1 / 264_385_836, 15);
  expect(missesAtLast({ count: 2, of: 10 }, 3)).toBeCloseTo((7 * 6) / (10 * 9), 12);
  expect([missesAtLast({ count: 3, of: 9 }, 0), missesAtLast({ count: 0, of: 9 }, 9)]).toEqual([1, 1]);
});

test.each<[string, readonly boolean[], string]>([
  ['all are served', turns(40, () => true), 'no'],
  ['none ever is', turns(40, () => false), 'no'],
  ['one by chance, early', turns(40, (turn) => turn === 3), 'no'],
  ['one, and none in a hundred after', until(1, 101), 'doubtful'],
  ['as soon as can be sure', until(7, SURE_TURNS), 'lost'],
  ['sooner', until(7, SURE_TURNS - 1), 'doubtful'],
  ['as few as can be compared', until(1, FEWEST_TURNS), 'doubtful'],
  ['all of a large pool, late', until(270, 300), 'doubtful'],
  ['and a little more of it', until(225, 300), 'lost'],
  ['all of it, of many turns more than half of the last', turns(600, (turn) => turn < 450 || turn % 15 > 3), 'doubtful'],
  ['all but one in ten', turns(200, (turn) => turn < 100 || turn % 10 === 0), 'lost'],
])('%s', (_, served, outcome) => expect(lostOf(served, 1)).toMatchObject({ outcome }));

test('what is shown is what was compared', () => {
  expect(lostOf(until(5, 60), 1)).toMatchObject({ last: { count: 0, of: 55 }, first: { count: 5, of: 5 } });
  expect(lostOf(until(20, 40), 1)).toMatchObject({ last: { count: 0, of: 10 }, first: { count: 10, of: 10 } });
});

test('of lives that are served steadily, and now and then refused, at most one in a thousand is said to have lost it', () => {
  const between = dice('steady');
  let [lost, doubtful] = [0, 0];
  for (let life = 0; life < LIVES; life += 1) {
    const [clients, count, refused] = [between(1, 5), between(20, 300), between(1, 30)];
    // Whether it is answered is another question, and by chance as often wrong.
    const outcomes = Array.from({ length: 2 * clients }, () => lostOf(turns(count, () => between(1, 100) > refused), clients).outcome);
    if (outcomes.includes('lost')) lost += 1;
    else if (outcomes.includes('doubtful')) doubtful += 1;
  }
  expect(lost).toBeLessThanOrEqual(LIVES / 1_000);
  expect(doubtful).toBeLessThan(LIVES / 20);
});

test('of lives that lose all of a small pool, and are refused now and then before, every one is said to', () => {
  const between = dice('lost');
  for (let life = 0; life < 200; life += 1) {
    const [clients, slots, count, refused] = [between(1, 5), between(8, 20), between(60, 300), between(0, 30)];
    let left = slots;
    const served = turns(count, () => {
      const isServed = left > 0 && between(1, 100) > refused;
      if (isServed) left -= 1;
      return isServed;
    });
    expect(lostOf(served, clients), `${slots} slots, ${count} turns`).toMatchObject({ outcome: 'lost' });
  }
});
