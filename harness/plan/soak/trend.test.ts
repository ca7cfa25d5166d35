// A leak that was planted is seen, a flat thing is never accused, whatever its noise is like; and the numbers are those of the books.
import { describe, expect, test } from 'vitest';
import { adjustedForMany, shareInterval, slopeOf, testTrend, upperQuantile, upperTail } from './statistics.ts';
import { aboveTheUsual } from './readings.ts';
import { createSeries } from './series.ts';
import { judgeTrends } from './trend.ts';
import type { Question } from './trend.ts';

const MINUTE = 60_000;
const MEBIBYTE = 1024 * 1024;

/** The same numbers each time: a test that passes must pass tomorrow. */
const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
const normal = (random: () => number): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const memory = (valueAt: (share: number, index: number) => number, count = 360): Question => ({
  of: 'system', how: 'one system', measure: 'memory', readings: count, warmsUp: true,
  points: Array.from({ length: count }, (_, index) => ({ at: index * 10_000, value: valueAt(index / count, index) * MEBIBYTE })),
});

/** What a process of 80 MiB looks like that does not leak, by name. */
const flat: Readonly<Record<string, (random: () => number) => (share: number, index: number) => number>> = {
  'noise': (random) => () => 80 + 4 * normal(random),
  'noise that lasts': (random) => {
    let held = 0;
    return () => 80 + (held = 0.95 * held + normal(random));
  },
  'a collector that lets memory climb and takes it back': (random) => (_, index) => 80 + ((index * 0.37) % 20) + normal(random),
  'a cache that fills and is full': (random) => (share) => 80 + 40 * (1 - Math.exp(-share * 12)) + normal(random),
  'one step': (random) => (share) => (share < 0.6 ? 80 : 95) + normal(random),
  'a fall': (random) => (share) => 80 - 30 * share + normal(random),
  'nothing at all': () => () => 80,
};

describe('trends', () => {
  test.each(Object.keys(flat))('%s is never accused, in 40 nights of six questions', (name) => {
    const accused = Array.from({ length: 40 }, (_, night) => {
      const questions = Array.from({ length: 6 }, (_unused, each) => memory(flat[name]!(seeded(night * 6 + each + 1)), 150));
      return judgeTrends(questions).filter(({ outcome }) => outcome === 'grows').length;
    });
    expect(accused.filter((count) => count > 0)).toEqual([]);
  });

  test.each([['25 MiB within noise', 25, 3], ['8 MiB within little noise', 8, 0.5]])('a leak of %s is seen among five flat ones', (_, leak, noise) => {
    const outcomes = Array.from({ length: 20 }, (_unused, night) => {
      const random = seeded(night + 77);
      const leaking = memory((share) => 80 + leak * share + noise * normal(random));
      const others = Array.from({ length: 5 }, () => memory(flat['noise']!(random)));
      return judgeTrends([...others, leaking]).map(({ outcome }) => outcome);
    });
    expect(outcomes.filter((night) => night.at(-1) !== 'grows')).toEqual([]);
    expect(outcomes.filter((night) => night.slice(0, -1).includes('grows'))).toEqual([]);
  });

  test('what is flat is said to be flat, with the interval; what is too uneven is not', () => {
    const [still, uneven] = judgeTrends([memory(flat['nothing at all']!(seeded(1))), memory((_, index) => 80 + 60 * ((index * 7919) % 97) / 97, 90)]);
    expect(still).toMatchObject({ outcome: 'flat', perHour: { slope: 0, low: 0, high: 0 }, p: 1 });
    expect(uneven).toMatchObject({ outcome: 'cannot-tell', why: expect.stringMatching(/too few or too uneven readings .* soak longer/) });
  });

  test('what would matter in a night is not acquitted by a few minutes of a life; what those could have seen is said', () => {
    const life = (measure: Question['measure'], valueAt: (hours: number) => number): Question => ({
      of: 'system', how: 'one system for 15m', measure, readings: 240, warmsUp: true,
      points: Array.from({ length: 240 }, (_, index) => ({ at: index * 3_750, value: valueAt((index * 3_750) / 3_600_000) })),
    });
    const random = seeded(11);
    const said = judgeTrends([
      life('memory', (hours) => (80 + 15 * hours + 0.2 * normal(random)) * MEBIBYTE), life('fds', (hours) => 30 + Math.floor(12 * hours)), life('sockets', () => 4),
    ]);
    expect(said.map(({ outcome }) => outcome)).toEqual(['cannot-tell', 'cannot-tell', 'cannot-tell']);
    expect(said[0]!.why).toMatch(/only a leak of more than 1[5-7]\.\d+ MiB an hour can be excluded by that; 4\.\d+ MiB in 8 h would matter: .*--live/);
    expect(said[2]!.why).toMatch(/only a leak of more than 5\.\d+ an hour can be excluded by that; 3\.00 in 8 h/);
  });

  test('few readings tell nothing, however they look', () => {
    const [short] = judgeTrends([memory((share) => 80 + 500 * share, 12)]);
    expect(short).toMatchObject({ outcome: 'cannot-tell', perHour: null, p: null, why: expect.stringContaining('12 are needed') });
  });

  test('a descriptor that is lost each quarter of an hour is seen in a night', () => {
    const question = (valueAt: (index: number) => number): Question => ({
      of: 'hangup', how: 'all night', measure: 'fds', readings: 480, warmsUp: true,
      points: Array.from({ length: 480 }, (_, index) => ({ at: index * MINUTE, value: valueAt(index) })),
    });
    const random = seeded(5);
    const [lost, busy] = judgeTrends([question((index) => 30 + Math.floor(index / 15) + Math.floor(6 * random())), question(() => 30 + Math.floor(6 * random()))]);
    expect(lost).toMatchObject({ outcome: 'grows' });
    expect(lost!.perHour!.low).toBeGreaterThan(3.5);
    expect(lost!.perHour!.high).toBeLessThan(4.5);
    expect(busy).toMatchObject({ outcome: 'flat' });
  });
});

describe('statistics', () => {
  // Values of 1968 (Sen): the slope is the median of all pairs, whatever one reading is.
  test('one wild reading moves the slope hardly at all', () => {
    const points = Array.from({ length: 15 }, (_, at) => ({ at, value: 2 * at + (at === 7 ? 10_000 : 0) }));
    const { slope, low, high } = slopeOf(points, 0.95);
    expect(slope).toBe(2);
    expect([low, high]).toEqual([2, 2]);
  });

  test('score and variance are those of the books', () => {
    const { score, variance, pUp } = testTrend([5, 1, 4, 2, 8, 9, 7, 10, 12, 11].map((value, at) => ({ at, value })));
    expect(score).toBe(31);
    expect(variance).toBe((10 * 9 * 25) / 18);
    expect(pUp).toBeCloseTo(upperTail(30 / Math.sqrt(125)), 10);
    expect(testTrend(Array.from({ length: 20 }, (_, at) => ({ at, value: 3 }))).pUp).toBe(1);
  });

  test('the normal distribution, Wilson and Holm', () => {
    expect(upperTail(1.959964)).toBeCloseTo(0.025, 6);
    expect(upperTail(-1)).toBeCloseTo(0.841345, 5);
    expect(upperQuantile(0.025)).toBeCloseTo(1.959964, 4);
    expect(shareInterval(0, 20).high).toBeCloseTo(0.1611, 3);
    expect(shareInterval(3, 20)).toEqual({ low: expect.closeTo(0.0524, 3), high: expect.closeTo(0.3604, 3) });
    expect(shareInterval(20, 20).high).toBe(1);
    expect(adjustedForMany([0.04, 0.01, 0.03])).toEqual([0.06, 0.03, 0.06]);
  });

  test('a series is bounded, and keeps what it is for', () => {
    const [mean, largest] = [createSeries('mean', 1_000, 100), createSeries('largest', 1_000, 100)];
    for (let second = 0; second < 28_800; second += 1) for (const series of [mean, largest]) series.add(second * 1_000, second === 20_000 ? 1_000_000 : second);
    expect(mean.points().length).toBeLessThanOrEqual(100);
    expect(mean.points().length).toBeGreaterThan(50);
    expect(mean.count()).toBe(28_800);
    expect(Math.max(...largest.points().map(({ value }) => value))).toBe(1_000_000);
    expect(mean.points()[0]!.value).toBeCloseTo(mean.points()[0]!.at / 1_000 - 0.5, 6);
  });
});

test('scenarios that were run once acquit nobody: each is what is usual for itself', () => {
  const leaks = (rounds: number) => aboveTheUsual(Array.from({ length: 40 * rounds }, (_, index) => ({ at: index * 3_000, cell: `s${index % 40}`, value: index * MEBIBYTE })));
  const asked = (rounds: number): Question => ({ of: 'system', how: 'a fresh system each run', measure: 'memory', readings: 40 * rounds, warmsUp: false, points: leaks(rounds) });
  const [once] = judgeTrends([asked(1)]);
  expect([once!.outcome, once!.why]).toEqual(['cannot-tell', expect.stringMatching(/^only 0 readings/)]);
  // In the first round each is below what is usual for it, in the last above.
  const points = leaks(3);
  expect([points.length, points[0]!.value, points.at(-1)!.value]).toEqual([120, -40 * MEBIBYTE, 40 * MEBIBYTE]);
  expect(judgeTrends([asked(8)])[0]!.outcome).toBe('grows');
  // Six minutes of it are no night, whether it seems to grow or not.
  expect(judgeTrends([asked(3)])[0]).toMatchObject({ outcome: 'cannot-tell', why: expect.stringMatching(/^only 5\.\d min were watched, 10\.0 min are needed/) });
});

test('a system that waits longer and longer for a processor is accused only where hangup does not, and hangup only where it grows in something else', () => {
  const rising = (of: string, measure: 'lag' | 'fds', perHour: number): Question => ({
    of, how: '', measure, readings: 360, warmsUp: true,
    points: Array.from({ length: 360 }, (_, index) => ({ at: index * 10_000, value: 10 + (perHour * index) / 360 + (index % 7) })),
  });
  const outcomes = (own: number, system: number, fds = 0) =>
    judgeTrends([rising('hangup', 'lag', own), rising('router', 'lag', system), rising('hangup', 'fds', fds)]).slice(0, 2).map(({ outcome }) => outcome);
  expect([outcomes(0, 200), outcomes(200, 200), outcomes(200, 0), outcomes(200, 200, 200)]).toEqual([
    [expect.stringMatching(/flat|cannot-tell/), 'grows'], ['cannot-tell', 'cannot-tell'], ['cannot-tell', expect.stringMatching(/flat|cannot-tell/)], ['grows', 'cannot-tell'],
  ]);
});

test('what does not grow is not flat where it was not driven to the end', () => {
  const level = (doubt: string | null): Question => ({
    of: 'router', how: '', measure: 'sockets', readings: 3_000, warmsUp: true, doubt, points: Array.from({ length: 3_000 }, (_, index) => ({ at: index * 10_000, value: 10 })),
  });
  const [plain, doubted] = judgeTrends([level(null), level('it was not served to the end')]);
  expect(plain!.outcome).toBe('flat');
  expect(doubted).toMatchObject({ outcome: 'cannot-tell', why: expect.stringMatching(/; but it was not served to the end$/) });
});
