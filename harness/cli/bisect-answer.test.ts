// What is said of a search: nothing that was not seen, and of a search for where it was put right, the words for that.
import { describe, expect, test } from 'vitest';
import { from, leak, search, testSearch } from '../plan/bisect-run/fixture.ts';
import type { SearchAxis } from '../plan/bisect-run/question.ts';
import type { SearchState } from '../plan/bisect-run/state.ts';
import { beginState, numberOf, seenWhen, versions } from '../plan/bisect-run/test-search.ts';
import type { Over, Shown } from '../plan/bisect-run/test-search.ts';
import { bisectMarkdown } from '../reports/bisect/markdown.ts';
import { renderBisect } from '../reports/bisect/page.ts';
import { resultText } from '../reports/bisect/text.ts';
import type { BisectView } from '../reports/bisect/view.ts';
import { bisectResult } from './bisect-answer.ts';
import { bisectView } from './bisect-view.ts';

type Ended = { readonly result: NonNullable<BisectView['result']>; readonly view: BisectView; readonly texts: string };

const ended = async (axes: readonly SearchAxis[], show: (place: readonly string[], before: number) => Shown, over: Over = {}): Promise<Ended> => {
  const tried = testSearch(axes, show, { state: beginState(axes), ...over });
  const outcome = await search(tried);
  const state = tried.store.state();
  const aboutOf = (): string => '';
  const result = bisectResult(outcome, state.probes, axes, aboutOf);
  const { sought, line } = outcome;
  const view = bisectView(state, { phase: 'over', sought, line, running: [], wantedConfidence: 0.95, maxProbes: null, result, commands: [], aboutOf });
  return { result, view, texts: [resultText(view, 'e'), renderBisect(view, false), bisectMarkdown(view, null)].join('\n') };
};

/** Six runs each: bad at v700, good at v310, on an axis that is bad up to v300. */
const comesAndGoes: SearchState = (() => {
  const places = [['v1023', {}], ['v0', leak], ['v700', leak], ['v310', {}]] as const;
  const probes = places.flatMap(([value, shown]) => Array.from({ length: 6 }, () => ({ at: [value], seen: seenWhen(shown), evidence: null, tookMs: 1_000, endedAt: '2026-01-01T00:00:00.000Z' })));
  const axes = [{ axis: 'version', values: versions(1_024).values.toReversed(), isBackwards: true }];
  return { ...beginState(axes), probes: probes.map((probe, index) => ({ number: index + 1, ...probe })) };
})();

const grid = (isBad: (a: number, b: number) => boolean) => (place: readonly string[]): Shown => (isBad(numberOf(place[0]), numberOf(place[1])) ? leak : {});
const rolesOf = ({ view }: Ended): readonly string[] => view.line!.versions.flatMap(({ value, role }) => (role === null ? [] : [`${value} ${role}`]));

describe('a budget that is spent', () => {
  test('before the ends are known to differ says what was seen there, and places nothing', async () => {
    const told = await ended([versions(20)], ([value], before) => (value === 'v19' && before === 0 ? leak : {}), { maxProbes: 12 });
    expect(told.result).toMatchObject({
      word: 'budget', possible: [], width: [], culprit: null,
      sentence: 'The budget is spent: 0 of 1 at version v0 and 1 of 11 at version v19 showed the symptom, and whether they differ is not known.',
      good: { at: 'version=v0', role: 'good end' }, bad: { at: 'version=v19', bad: 1, runs: 11, role: 'bad end' },
    });
    expect(rolesOf(told)).toEqual(['v0 good end', 'v19 bad end']);
    expect(told.texts).not.toMatch(/first bad (?!here)|last good/);
  });

  test('nor where that came into doubt again on the way', async () => {
    const told = await ended([versions(20)], ([value], before) => (value === 'v0' && before === 0 ? {} : leak), { maxProbes: 8 });
    expect(told.result).toMatchObject({ word: 'budget', possible: [], sentence: expect.stringMatching(/^The budget is spent: 1 of 2 at version v0 and 2 of 2 at version v19 showed/) });
  });

  test('names none that was not seen often enough', async () => {
    const told = await ended([versions(20)], ([value], before) => (value === 'v0' && before < 2 ? {} : leak), { maxProbes: 8 });
    expect(told.result).toMatchObject({ word: 'budget', culprit: null, sentence: 'The budget is spent; the first bad version is most likely v1, which was not seen often enough to be named.' });
  });

  test('afterwards says which are left', async () => {
    const told = await ended([versions(1_000)], from(700), { maxProbes: 6 });
    expect(told.result.sentence).toMatch(/^The budget is spent; the first bad version is one of /);
    expect(told.result.possible).toContain('v700');
  });
});

test('ends that could not be told apart are no answer, neither that they differ nor that they do not', async () => {
  const told = await ended([versions(9)], ([value], before) => ((value === 'v0' ? before % 7 === 6 : before % 3 === 0) ? leak : {}), { endRuns: 4 });
  expect(told.result).toMatchObject({ word: 'unverified', sentence: expect.stringMatching(/^It could not be told: the ends could not be told apart: /) });
});

test('an end that cannot be tested is named with why', async () => {
  const told = await ended([versions(9)], ([value]) => (value === 'v8' ? { violated: ['process-alive'] } : {}), { wanted: 'upstream-closed' });
  expect(told.result.sentence).toBe('It could not be told: an end cannot be tested: version v8: another symptom: process-alive.');
});

describe('of two axes one makes it alone', () => {
  const axes = [versions(8, 'a'), versions(8, 'b')];

  test('which is not that the other makes no difference', async () => {
    const told = await ended(axes, grid((a, b) => a >= 5 || (a >= 3 && b >= 2)));
    expect(told.result.sentence).toBe('The first bad a with b v0 is v5: v4 is good. b alone does not make it.');
    expect(told.result).toMatchObject({ good: { role: 'good beside it' }, bad: { role: 'bad pair' } });
  });

  test('and whether the other does could not be tested', async () => {
    const told = await ended(axes, ([a, b]) => (a === 'v0' && b === 'v7' ? { outcome: 'untestable', why: 'no' } : from(5)([a!])));
    expect(told.result.sentence).toBe('The first bad a with b v0 is v5: v4 is good. Whether b alone makes it could not be tested.');
  });

  test('and values between could not be tested: none is named', async () => {
    const told = await ended(axes, ([a]) => (a === 'v4' ? { outcome: 'untestable', why: 'no' } : from(5)([a!])));
    expect(told.result).toMatchObject({
      word: 'range', culprit: null, sentence: 'The first bad a with b v0 is one of v4, v5: they cannot be told apart. b alone does not make it.',
      possible: ['a=v4, b=v0', 'a=v5, b=v0'], width: [{ value: 'a=v4, b=v0', why: 'no' }],
    });
  });

  test('or either does, and values between could not be tested', async () => {
    const told = await ended(axes, (place) => (place[0] === 'v4' ? { outcome: 'untestable', why: 'no' } : grid((a, b) => a >= 5 || b >= 3)(place)));
    expect(told.result).toMatchObject({
      word: 'range', sentence: 'Either axis makes it alone: a v5 with b v0 (good with a v3); a v0 with b v3 (good with b v2). Values between could not be tested.',
      possible: ['a=v4, b=v0', 'a=v5, b=v0', 'a=v0, b=v3'], width: [{ value: 'a=v4, b=v0', why: 'no' }],
    });
  });

  test('and is searched backwards', async () => {
    const back: SearchAxis = { axis: 'a', values: ['v9', 'v8', 'v7', 'v6'], isBackwards: true };
    const told = await ended([back, versions(4, 'b')], ([a]) => (numberOf(a) <= 7 ? leak : {}));
    expect(told.result.sentence).toBe('With b v0, it is right from a v8 on: v7 is the last bad one. b alone does not make it.');
  });
});

describe('of two axes it takes both', () => {
  const axes = [versions(8, 'a'), versions(8, 'b')];

  test('and the pair is possible alone, with what is known of how often it shows', async () => {
    const told = await ended(axes, grid((a, b) => a >= 5 && b >= 3));
    expect(told.result).toMatchObject({ word: 'found', culprit: { a: 'v5', b: 'v3' }, possible: ['a=v5, b=v3'], width: [], rates: { good: expect.any(Number), bad: expect.any(Number) } });
    expect(told.texts).toMatch(/[Ee]stimated: [\d.]+ % of the runs of bad values show it/);
  });

  test('and values between could not be tested: which, and why, is said wherever the answer is', async () => {
    const told = await ended(axes, (place) => (place[0] === 'v4' || place[1] === 'v2' ? { outcome: 'untestable', why: `no <b> ${place[0]}` } : grid((a, b) => a >= 4 && b >= 3)(place)));
    expect(told.result).toMatchObject({
      word: 'range', culprit: null, sentence: 'The minimal bad pair is a v5 with b v3: with a v3, or with b v1, it is good. Values between could not be tested.',
      possible: ['a=v4, b=v3', 'a=v5, b=v2', 'a=v5, b=v3'],
      width: [{ value: 'a=v4, b=v3', why: 'no <b> v4 (with a=v4, b=v7)' }, { value: 'a=v5, b=v2', why: 'no <b> v5' }],
    });
    expect(told.texts).toContain('  not told apart: a=v4, b=v3: no <b> v4');
    expect(told.texts).toContain('<th scope="row">a=v5, b=v2</th><td>no &lt;b&gt; v5</td>');
    expect(told.texts).toContain('\n- a=v5, b=v2: no \\<b\\> v5');
    expect(told.texts).toContain('| untestable: no \\<b\\> v5 |');
  });
});

describe('backwards', () => {
  const back: SearchAxis = { axis: 'version', values: ['v9', 'v8', 'v7', 'v6', 'v5'], isBackwards: true };
  const upTo = (last: number) => ([value]: readonly string[]): Shown => (numberOf(value) <= last ? leak : {});

  test('the last bad one, the first good one', async () => {
    const told = await ended([back], upTo(7));
    expect(told.result.sentence).toBe('It is right from version v8 on: v7 is the last bad one.');
    expect(rolesOf(told)).toEqual(['v9 good end', 'v8 first good', 'v7 last bad', 'v5 bad end']);
    expect(told.texts).not.toMatch(/first bad|last good|broke it|begins/);
    expect(told.texts).toMatch(/\| first good \| version=v8 .*\n\| last bad \| version=v7 /);
    expect(told.texts).toContain('>last bad here<');
  });

  test('of several the last bad one is one of them', async () => {
    const told = await ended([back], ([value]) => (value === 'v8' ? { outcome: 'untestable', why: 'no' } : upTo(7)([value!])));
    expect(told.result).toMatchObject({ word: 'range', sentence: 'The last bad version is one of v8, v7: they cannot be told apart.', possible: ['v8', 'v7'] });
    expect(told.texts).not.toMatch(/first bad|last good|broke it|begins/);
  });

  test('also of a budget', async () => {
    const axis: SearchAxis = { ...back, values: versions(1_000).values.toReversed() };
    const told = await ended([axis], upTo(300), { maxProbes: 6 });
    expect(told.result.sentence).toMatch(/^The budget is spent; the last bad version is one of /);
  });

  test('and of more than one change', async () => {
    const told = await ended([{ ...back, values: versions(1_024).values.toReversed() }], upTo(300), { state: comesAndGoes });
    expect(told.result).toMatchObject({ word: 'contradiction', sentence: expect.stringMatching(/6 of 6 at version v700 showed the symptom, but only 0 of 6 at version v310, which is nearer to the bad end/) });
    expect(rolesOf(told)).toEqual(['v1023 good end', 'v0 bad end']);
    expect(told.texts).not.toMatch(/first bad (?!here)|last good|broke it|begins|is later/);
  });
});

test('forwards it is as it was', async () => {
  const told = await ended([versions(9)], from(4));
  expect(told.result.sentence).toBe('The first bad version is v4: v3 is good.');
  expect(rolesOf(told)).toEqual(['v0 good end', 'v3 last good', 'v4 first bad', 'v8 bad end']);
  expect(told.texts).toMatch(/\| last good \| version=v3 .*\n\| first bad \| version=v4 /);
  expect(told.texts).toContain('>first bad here<');
});

test('where nothing can be placed no value is possible', async () => {
  const same = await ended([versions(9)], () => leak);
  expect(same.result).toMatchObject({ word: 'no-difference', good: { role: 'good end' }, bad: { role: 'bad end' } });
  expect(rolesOf(same)).toEqual(['v0 good end', 'v8 bad end']);
});
