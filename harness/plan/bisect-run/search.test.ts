// A whole search, but for the runs: what is looked for, what it comes to, and that it goes on where it was cut off.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { from, leak, search, testSearch } from './fixture.ts';
import { runSearch } from './outcome.ts';
import type { Question } from './question.ts';
import { checkSameQuestion, readState } from './state.ts';
import { numberOf, seenWhen, versions } from './test-search.ts';
import type { Shown, Tried } from './test-search.ts';

describe('one axis', () => {
  test('the first bad one, with few runs, both ends before anything else', async () => {
    const tried = testSearch([versions(100)], from(37));
    const { word, culprit, line } = await search(tried);
    expect({ word, culprit }).toEqual({ word: 'found', culprit: ['v37'] });
    expect(line!.confidence).toBeGreaterThan(0.95);
    expect(tried.tried.slice(0, 2).flat().sort()).toEqual(['v0', 'v99']);
    expect(tried.tried.length).toBeLessThan(25);
  });

  test('what the good end shows too is not looked for, and what has another symptom is not bad', async () => {
    // process-alive is violated everywhere; clean-shutdown at some, beside the leak that begins later.
    const tried = testSearch([versions(20)], ([value]) => {
      const at = numberOf(value);
      return { violated: [...(at >= 12 ? ['upstream-closed'] : []), 'process-alive', ...(at === 9 || at === 10 ? ['clean-shutdown'] : [])] };
    });
    const { word, culprit, sought } = await search(tried);
    expect(sought!.wanted).toMatch(/^upstream-closed@/);
    expect({ word, culprit }).toEqual({ word: 'found', culprit: ['v12'] });
  });

  test('one that fails at times is run until it is sure', async () => {
    // Bad in three of ten runs from v6 on, in a fixed order.
    const tried = testSearch([versions(12)], ([value], before) => (numberOf(value) >= 6 && [1, 4, 8].includes(before % 10) ? leak : {}));
    const { word, culprit, line } = await search(tried);
    expect({ word, culprit }).toEqual({ word: 'found', culprit: ['v6'] });
    expect(line!.rates!.bad).toBeGreaterThan(0.15);
    expect(line!.rates!.bad).toBeLessThan(0.5);
  });

  test('untestable ones are the width of the answer, and stop nothing', async () => {
    const tried = testSearch([versions(16)], ([value]) => {
      const at = numberOf(value);
      return at >= 5 && at <= 8 ? { outcome: 'untestable', why: 'npm says no' } : at > 8 ? leak : {};
    });
    const { word, culprit, line } = await search(tried);
    expect({ word, culprit, good: line!.lastGood, bad: line!.firstBad }).toEqual({ word: 'range', culprit: null, good: 4, bad: 9 });
    expect(line!.tallies[6]!.given).toBe('npm says no');
  });

  test('no verdict is asked for again, and then counts for nothing', async () => {
    const tried = testSearch([versions(9)], ([value], before) => (value === 'v4' && before < 2 ? { outcome: 'inconclusive', why: 'lagged' } : from(4)([value!])));
    expect((await search(tried)).culprit).toEqual(['v4']);
    const never = testSearch([versions(9)], ([value]) => (value === 'v4' ? { outcome: 'inconclusive', why: 'lagged' } : from(4)([value!])));
    expect((await search(never)).word).toBe('range');
    expect(never.tried.filter(([value]) => value === 'v4')).toHaveLength(3);
  });

  test('what was bad in a single run and gives no verdict any more is not named, and it is told why', async () => {
    const tried = testSearch([versions(6)], ([value], before) => (value === 'v3' && before > 0 ? { outcome: 'inconclusive', why: 'lagged' } : from(3)([value!])));
    const { word, culprit, line } = await search(tried);
    expect({ word, culprit, good: line!.lastGood, bad: line!.firstBad }).toEqual({ word: 'range', culprit: null, good: 2, bad: 4 });
    expect(line!.tallies[3]!.given).toBe('mostly no verdict: lagged');
    expect(line!.tallies[4]!.bad).toBeGreaterThanOrEqual(2);
  });

  test('a value at which the claim does not apply is not asked again and again, though it passes', async () => {
    const tried = testSearch([versions(9)], from(5));
    const run: Tried['run'] = async (place) => {
      const ran = await tried.run(place);
      return place[0] === 'v4' ? { ...ran, seen: { ...ran.seen, claims: { ...ran.seen.claims, 'upstream-closed': 'does-not-apply' } } } : ran;
    };
    const { word, line } = await search({ ...tried, run });
    expect([word, line!.lastGood, line!.firstBad, line!.tallies[4]!.given]).toEqual(['range', 3, 5, 'no verdict: nothing was said of what is looked for']);
    expect(tried.tried.filter(([value]) => value === 'v4')).toHaveLength(3);
  });

  test.each([
    ['both good', () => ({}), 'no-difference'],
    ['both bad alike', () => leak, 'no-difference'],
    ['an end that cannot be built', ([value]: readonly string[]) => (value === 'v8' ? { outcome: 'untestable', why: 'no such version' } : {}), 'unverified'],
    ['an end without a verdict', ([value]: readonly string[]) => (value === 'v8' ? { outcome: 'inconclusive', why: 'lagged' } : {}), 'unverified'],
  ] as const)('%s: said plainly, and nothing between is run', async (_, show, word) => {
    const tried = testSearch([versions(9)], show as (place: readonly string[]) => Shown);
    expect((await search(tried)).word).toBe(word);
    expect(new Set(tried.tried.flat())).toEqual(new Set(['v0', 'v8']));
  });

  test('ends that were given the wrong way round are told so', async () => {
    const tried = testSearch([versions(9)], ([value]) => (value === 'v0' ? leak : {}), { endRuns: 3 });
    expect(await search(tried)).toMatchObject({
      word: 'unverified', why: 'v0, named good, violates upstream-closed, and v8 violates nothing in 3 runs: are they the wrong way round?',
    });
  });

  test('a bad end that passed once and then gave no verdict is not good', async () => {
    const show = ([value]: readonly string[], before: number): Shown => (value === 'v8' && before > 0 ? { outcome: 'inconclusive', why: 'lagged' } : {});
    expect(await search(testSearch([versions(9)], show, { endRuns: 10 }))).toMatchObject({ word: 'unverified', why: 'v8 gave no verdict in 10 runs, and passed in 1' });
  });

  test('what the bad end shows by chance in its first run is not looked for beside what it always shows', async () => {
    // Where it is violated, process-alive stands first.
    const tried = testSearch([versions(20)], ([value], before) => {
      const isBad = numberOf(value) >= 12;
      return { violated: [...(value === 'v19' && before === 0 ? ['process-alive'] : []), ...(isBad ? ['upstream-closed'] : [])] };
    });
    const { word, culprit, sought } = await search(tried);
    expect(sought!.wanted).toMatch(/^upstream-closed@/);
    expect({ word, culprit }).toEqual({ word: 'found', culprit: ['v12'] });
  });

  test('one chance symptom before one that comes and goes: the commonest is looked for', async () => {
    const tried = testSearch([versions(12)], ([value], before) => {
      if (value === 'v11' && before === 0) return { violated: ['process-alive'] };
      return numberOf(value) >= 6 && before % 3 === 1 ? leak : {};
    });
    const { culprit, sought } = await search(tried);
    expect(sought!.wanted).toMatch(/^upstream-closed@/);
    expect(culprit).toEqual(['v6']);
  });

  test('a budget ends it, with what is left', async () => {
    const tried = testSearch([versions(1000)], from(700), { maxProbes: 6 });
    const { word, line } = await search(tried);
    expect(word).toBe('budget');
    expect(tried.tried).toHaveLength(6);
    expect(line!.range.from).toBeLessThan(700);
    expect(line!.range.to).toBeGreaterThanOrEqual(700);
  });

  test('several side by side come to the same', async () => {
    const running = { now: 0, most: 0 };
    const tried = testSearch([versions(200)], from(123), {
      jobs: 4,
      onRunning: (_, isRunning) => {
        running.now += isRunning ? 1 : -1;
        running.most = Math.max(running.most, running.now);
      },
    });
    expect((await search(tried)).culprit).toEqual(['v123']);
    expect(running.most).toBeGreaterThan(2);
    expect(running.most).toBeLessThanOrEqual(4);
  });
});

describe('two axes', () => {
  const axes = [versions(8, 'server'), versions(8, 'framework')];
  test('the minimal pair, where it takes both', async () => {
    const tried = testSearch(axes, ([a, b]) => (numberOf(a) >= 3 && numberOf(b) >= 6 ? leak : {}));
    expect(await search(tried)).toMatchObject({ word: 'found', culprit: ['v3', 'v6'], pair: { alone: null } });
    // That either one back is good was seen, at the pair itself.
    expect(tried.tried).toContainEqual(['v2', 'v6']);
    expect(tried.tried).toContainEqual(['v3', 'v5']);
  });

  test('one alone makes the difference', async () => {
    expect(await search(testSearch(axes, ([, b]) => (numberOf(b) >= 2 ? leak : {})))).toMatchObject({ word: 'found', culprit: ['v0', 'v2'], pair: { alone: 'framework' } });
  });
});

describe('state', () => {
  test('cut off after any run, it goes on with the rest and comes to the same', async () => {
    const whole = testSearch([versions(40)], from(17));
    const { culprit } = await search(whole);
    for (const kept of [1, 3, whole.tried.length - 1]) {
      const state = (await readState(whole.file))!;
      const again = testSearch([versions(40)], from(17), { state: { ...state, probes: state.probes.slice(0, kept) } });
      expect((await search(again)).culprit).toEqual(culprit);
      expect(again.tried.length).toBeLessThanOrEqual(whole.tried.length - kept + 2);
    }
  });

  test('cut off, what the good end showed once after it was settled changes no answer', async () => {
    const show = ([value]: readonly string[]): Shown => (numberOf(value) >= 10 ? leak : numberOf(value) >= 5 ? { violated: ['process-alive'] } : {});
    const whole = testSearch([versions(16)], show);
    const uninterrupted = await search(whole);
    const state = (await readState(whole.file))!;
    const flake = { ...state.probes.find(({ at }) => at[0] === 'v0')!, number: state.probes.length + 1, seen: seenWhen({ violated: ['process-alive'] }) };
    const again = await search(testSearch([versions(16)], show, { state: { ...state, probes: [...state.probes, flake] } }));
    expect(uninterrupted.line!.tallies[7]).toMatchObject({ given: 'another symptom: process-alive' });
    expect([again.sought, again.word, again.line!.tallies.slice(1)]).toEqual([uninterrupted.sought, uninterrupted.word, uninterrupted.line!.tallies.slice(1)]);
  });

  test('a run is on the disk before the next one begins', async () => {
    const seen: number[] = [];
    const tried = testSearch([versions(10)], (place) => {
      if (tried.tried.length > 2) seen.push((JSON.parse(readFileSync(tried.file, 'utf8')) as { readonly probes: readonly unknown[] }).probes.length);
      return from(4)(place);
    });
    await search(tried);
    expect(seen).toEqual(seen.map((_, index) => index + 2));
  });

  test('one whose run threw keeps those that ended, and throws what it threw', async () => {
    const tried = testSearch([versions(10)], from(4));
    const broken = { ...tried, run: (place: readonly string[]) => (tried.tried.length >= 3 ? Promise.reject(new Error('no engine')) : tried.run(place)) };
    await expect(runSearch(broken, false, () => {})).rejects.toThrow('no engine');
    expect((await readState(tried.file))!.probes).toHaveLength(3);
  });

  test('of another question it is refused, at the line that says so', async () => {
    const tried = testSearch([versions(10)], from(4));
    await search(tried);
    const state = (await readState(tried.file))!;
    const now = { ...state.question, cardHash: 'other', axes: [versions(11)] };
    const error = await checkSameQuestion(tried.file, state, now).then(() => null, (thrown: unknown) => thrown);
    const line = readFileSync(tried.file, 'utf8').split('\n').findIndex((text) => text.includes('"cardHash"')) + 1;
    expect(error).toMatchObject({ problems: [{ code: 'bisect-changed', message: expect.stringContaining("the card's text"), location: { file: tried.file, line } }] });
    await expect(checkSameQuestion(tried.file, state, state.question)).resolves.toBeUndefined();
    const codes = async (change: Partial<Question>): Promise<unknown> => checkSameQuestion(tried.file, state, { ...state.question, ...change }).then(() => null, (thrown: unknown) => thrown);
    for (const change of [{ judge: 2 }, { hangup: '0 abc' }, { commits: { version: ['abc'] } }, { variablesHash: '4' }, { cardFiles: { 'proxy.mjs': '5' } }, { findGood: true }] as const)
      expect(await codes(change), JSON.stringify(change)).toMatchObject({ problems: [{ code: 'bisect-changed', location: { file: tried.file } }] });
  });
});
