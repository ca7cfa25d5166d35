// A good end that had to be found: what is taken for one, and what is said where there is none, or where it cannot be told.
import { describe, expect, test } from 'vitest';
import { from, leak, search, testSearch } from './fixture.ts';
import { numberOf, versions } from './test-search.ts';
import type { Shown } from './test-search.ts';

test('backwards in steps that double, past one that cannot be built', async () => {
  const tried = testSearch([versions(60)], ([value]) => (numberOf(value) === 51 ? { outcome: 'untestable', why: 'no' } : from(48)([value!])));
  expect(await search(tried, true)).toMatchObject({ word: 'found', culprit: ['v48'] });
  expect(tried.tried.every(([value]) => numberOf(value) >= 40)).toBe(true);
});

test('also where the fault comes and goes: a clean run of a bad one is no good end', async () => {
  const tried = testSearch([versions(60)], ([value], before) => (numberOf(value) >= 20 && [1, 4, 8].includes(before % 10) ? leak : {}));
  expect(await search(tried, true)).toMatchObject({ word: 'found', culprit: ['v20'] });
});

test('where every value has a fault too, one without the newer is good', async () => {
  const tried = testSearch([versions(30)], ([value]) => ({ violated: [...(numberOf(value) >= 11 ? ['upstream-closed'] : []), 'process-alive'] }));
  expect(await search(tried, true)).toMatchObject({ word: 'found', culprit: ['v11'], sought: { wanted: expect.stringMatching(/^upstream-closed@/) } });
});

test('what the bad end shows by chance in its first run is not looked for', async () => {
  const tried = testSearch([versions(30)], ([value], before) => ({
    violated: [...(value === 'v29' && before === 0 ? ['process-alive'] : []), ...(numberOf(value) >= 20 ? ['upstream-closed'] : [])],
  }));
  expect(await search(tried, true)).toMatchObject({ word: 'found', culprit: ['v20'], sought: { wanted: expect.stringMatching(/^upstream-closed@/) } });
});

test('there is none', async () => {
  expect(await search(testSearch([versions(12)], () => leak), true)).toMatchObject({ word: 'no-good', why: expect.stringContaining('v0') });
});

test('where the oldest lack what it is about, and are wrong for that, those between are looked at too', async () => {
  const tried = testSearch([versions(100)], ([value]) => (numberOf(value) >= 40 && numberOf(value) < 60 ? {} : leak));
  expect(await search(tried, true)).toMatchObject({ word: 'found', culprit: ['v60'] });
});

test('that there is none is not said of those that were not tried', async () => {
  const tried = testSearch([versions(100)], () => leak);
  const { word, why } = await search(tried, true);
  const looked = new Set(tried.tried.flat()).size - 1;
  expect({ word, why }).toEqual({ word: 'unverified', why: `of the 99 that are older than version v99 ${looked} were tried: all of them show it too; where a good one is known, --good names it` });
  expect(looked).toBeLessThan(50);
});

describe('a bad end that shows nothing at first', () => {
  test('is run as often as it may need, and its symptom is found then', async () => {
    const tried = testSearch([versions(20)], ([value], before) => (numberOf(value) >= 10 && before % 4 === 3 ? leak : {}), { endRuns: 20 });
    expect(await search(tried, true)).toMatchObject({ word: 'found', culprit: ['v10'] });
  });

  test.each([1, 6, 60])('and not later: after %i runs it is good', async (endRuns) => {
    const tried = testSearch([versions(9)], () => ({}), { endRuns });
    expect(await search(tried, true)).toMatchObject({ word: 'no-difference', why: `v8 violates nothing in ${endRuns} run${endRuns === 1 ? '' : 's'}` });
    expect(tried.tried).toEqual(Array.from({ length: endRuns }, () => ['v8']));
  });

  test('or gives no verdict: that is the reason which is told', async () => {
    const show = (_: readonly string[], before: number): Shown => (before > 1 ? { outcome: 'inconclusive', why: 'lagged' } : {});
    expect(await search(testSearch([versions(9)], show, { endRuns: 5 }), true)).toMatchObject({ word: 'unverified', why: 'v8 gave no verdict in 5 runs, and passed in 2' });
    const mute = testSearch([versions(9)], () => ({ outcome: 'untestable', why: 'npm says no' }));
    expect(await search(mute, true)).toMatchObject({ word: 'unverified', why: 'an end cannot be tested: v8: npm says no' });
    expect(mute.tried).toHaveLength(1);
  });

  test('is no good one when the budget is spent', async () => {
    expect(await search(testSearch([versions(9)], () => ({}), { endRuns: 20, maxProbes: 7 }), true)).toMatchObject({ word: 'budget' });
  });

  test('nor bad, when it has shown it once in a great many runs', async () => {
    const tried = testSearch([versions(9)], (_, before) => (before === 2 ? leak : {}), { endRuns: 5 });
    expect(await search(tried, true)).toMatchObject({ word: 'unverified', why: expect.stringContaining('showed it in 1 of 20 runs') });
  });

  test('of what is asked for has another symptom: that is said', async () => {
    const tried = testSearch([versions(9)], () => ({ violated: ['process-alive'] }), { wanted: 'upstream-closed' });
    expect(await search(tried, true)).toMatchObject({ word: 'unverified', why: 'version v8 tells nothing: another symptom: process-alive' });
  });
});

describe('where old ones do not build', () => {
  const unbuildable: Shown = { outcome: 'untestable', why: 'it does not build' };
  const search100 = (built: number, bad: number) => testSearch([versions(100)], ([value]) => (numberOf(value) < built ? unbuildable : numberOf(value) >= bad ? leak : {}));

  test('one between those and the bad ones is found', async () => {
    const tried = search100(40, 60);
    expect(await search(tried, true)).toMatchObject({ word: 'found', culprit: ['v60'] });
    expect(tried.tried.filter(([value]) => numberOf(value) < 40)).toHaveLength(1);
  });

  test('also where it is the oldest that builds, alone', async () => {
    expect(await search(search100(40, 41), true)).toMatchObject({ word: 'found', culprit: ['v41'] });
  });

  test('and there is no other, it is not said of those that were never tried', async () => {
    const tried = search100(40, 40);
    const { word, why } = await search(tried, true);
    const looked = [...new Set(tried.tried.flat())].filter((value) => value !== 'v99');
    const older = looked.filter((value) => numberOf(value) < 40).length;
    const seen = `${looked.length} were tried: ${looked.length - older} show it too, ${older} cannot be tested`;
    expect({ word, why }).toEqual({ word: 'unverified', why: `of the 99 that are older than version v99 ${seen}; where a good one is known, --good names it` });
    expect(older).toBeLessThan(20);
    expect(tried.tried.filter(([value]) => numberOf(value) < 40)).toHaveLength(older);
  });

  test('the few that do are found, far behind', async () => {
    const show = (version: number): Shown => ((version < 5 || version > 20) && version < 198 ? unbuildable : version >= 100 ? leak : {});
    const tried = testSearch([versions(200)], ([value]) => show(numberOf(value)));
    const { word, line } = await search(tried, true);
    const { values } = line!.line;
    expect([word, values[line!.lastGood!], values[line!.firstBad!]]).toEqual(['range', 'v20', 'v198']);
    expect(tried.tried.length).toBeLessThan(60);
  });

  test('and all of them were tried, there is none', async () => {
    expect(await search(testSearch([versions(9)], ([value]) => (numberOf(value) < 4 ? unbuildable : leak)), true)).toMatchObject({
      word: 'no-good', why: 'version v4 shows it too, and none of the 4 older ones can be tested',
    });
  });
});
