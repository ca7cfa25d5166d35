// Ranges of image tags: what is a variant, and what leads to a release, and that no version between both ends is skipped in silence.
import { expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { releasesOf, sortVersions } from '../systems/axes/compare.ts';
import { movingTags, toldOfMoving } from '../systems/axes/moving-tags.ts';
import { between } from './axis-range.ts';

const words = (text: string): readonly string[] => text.split(' ');

/** As the engine would have them, in no order. */
const range = (tags: string, written: string): { readonly values: string; readonly told: readonly string[] } => {
  const all = sortVersions('image', words(tags).toReversed());
  const told: string[] = [];
  const [from = '', to = ''] = written.split('..');
  try {
    return { values: between('image', 'version', [from, to], { all, offered: releasesOf('image', all) }, (line) => told.push(line)).join(' '), told };
  } catch (error) {
    if (error instanceof ProblemError) return { values: error.problems.map(({ code, message, hint }) => `${code}: ${message} (${hint})`).join(), told };
    throw error;
  }
};

test('a hyphen is no step towards a release: variants, revisions and dates are released, and in the order of what they are of', () => {
  const tags = '1.2-rc.1 1.2-beta2-alpine 1.2 1.2-r1 1.2-r10 1.2-alpine 1.2-alpine-r2 1.2.1-rc1 1.2.1a1 1.2.1-slim 1.2.2-SNAPSHOT 2024-01-15 2024-02-01-alpine 2024-02-01-dev';
  expect(releasesOf('image', sortVersions('image', words(tags)))).toEqual(words('1.2 1.2-r1 1.2-r10 1.2-alpine 1.2-alpine-r2 1.2.1-slim 2024-01-15 2024-02-01-alpine'));
  expect(sortVersions('image', words(tags).toReversed()).filter((tag) => /^1\.2(?!\.)/.test(tag)).slice(0, 2).toSorted()).toEqual(['1.2-beta2-alpine', '1.2-rc.1']);
});

test.each([
  ['a project that has begun to say what it builds on', '1.0 1.1-debian 1.2-debian 1.3-debian', '1.0..1.3-debian', '1.0 1.1-debian 1.2-debian 1.3-debian'],
  ['and one that has moved on to another system', '1.0-buster 1.1-bullseye 1.2-bookworm', '1.0-buster..1.2-bookworm', '1.0-buster 1.1-bullseye 1.2-bookworm'],
])('%s: every tag between its ends, and it is said', (_, tags, written, values) => {
  expect(range(tags, written)).toEqual({ values, told: [`version=${written}: its ends are of two variants, so the tags of all variants between them are taken`] });
});

const BESIDE = '1.0 1.0-alpine 1.1 1.1-alpine 1.1-slim 1.2-rc1-alpine 1.2 1.2-alpine';

test.each([
  ['variants beside one another', BESIDE, '1.0-alpine..1.2-alpine', '1.0-alpine 1.1-alpine 1.2-alpine'],
  ['plain ones among them', BESIDE, '1.0..1.2', '1.0 1.1 1.2'],
  ['an open end', BESIDE, '1.1-alpine..', '1.1-alpine 1.2-alpine'],
  ['an open beginning', BESIDE, '..1.1', '1.0 1.1'],
  ['an end that leads to a release', BESIDE, '1.1-alpine..1.2-rc1-alpine', '1.1-alpine 1.2-rc1-alpine'],
  ['both open, where there is one', '1.0-alpine3.18 1.1-alpine3.19', '..', '1.0-alpine3.18 1.1-alpine3.19'],
  ['revisions', '1.0 1.0-r1 1.0-alpine 1.1-r2 1.2', '1.0..1.2', '1.0 1.0-r1 1.1-r2 1.2'],
  ['a variant with a version of its own', '1.0-alpine3.18 1.1-alpine3.18 1.1-alpine3.19 1.1 1.2-alpine3.19 1.2', '1.0-alpine3.18..1.2-alpine3.19', '1.0-alpine3.18 1.1-alpine3.18 1.1-alpine3.19 1.2-alpine3.19'],
  ['one that moves on between', '1.0-alpine3.18 1.1-alpine3.18 1.1-alpine3.19 1.2-alpine3.19', '1.0-alpine3.18..', '1.0-alpine3.18 1.1-alpine3.18 1.2-alpine3.19'],
  ['distributions and builds of theirs', '1.0-debian-11-r9 1.0-debian-11-r10 1.1-debian-12-r0', '1.0-debian-11-r9..1.1-debian-12-r0', '1.0-debian-11-r9 1.0-debian-11-r10 1.1-debian-12-r0'],
  ['the commit each was built of', '1.0-9f3c2d1 1.1-g17ab3cd 1.2-sha-0c11d2e', '1.0-9f3c2d1..1.2-sha-0c11d2e', '1.0-9f3c2d1 1.1-g17ab3cd 1.2-sha-0c11d2e'],
  ['builds of a JDK', '17.0.1_12-jre 17.0.2_8-jdk 17.0.2_8-jre 17.0.10_7-jre', '17.0.1_12-jre..17.0.10_7-jre', '17.0.1_12-jre 17.0.2_8-jre 17.0.10_7-jre'],
  ['days', '2024-01-15 2024-01-16-alpine 2024-01-16 2024-02-01', '2024-01-15..2024-02-01', '2024-01-15 2024-01-16 2024-02-01'],
])('%s: the variant of the ends alone, each version of it', (_, tags, written, values) => {
  expect(range(tags, written)).toEqual({ values, told: [] });
});

test('with both ends open nothing says which variant is meant: all, and it is said', () => {
  expect(range(BESIDE, '..')).toEqual({
    values: '1.0 1.0-alpine 1.1 1.1-alpine 1.1-slim 1.2 1.2-alpine', told: ['version=..: tags of several variants are taken (none, alpine, slim); an end says which is meant'],
  });
});

test('a version that is there in other variants only is left out, and it is said', () => {
  expect(range('1.0 1.1-debian 1.1-alpine 1.2 1.2-debian 1.3-debian', '1.0..1.2')).toEqual({
    values: '1.0 1.2', told: ['version=1.0..1.2: left out as of another variant: 1.1-alpine, 1.1-debian'],
  });
});

test('a range that runs backwards is told as that, and names that are no versions have no variants', () => {
  expect(range(BESIDE, '1.2-alpine..1.0-alpine').values).toBe('bad-range: version=1.2-alpine..1.0-alpine runs backwards: 1.0-alpine is older (write version=1.0-alpine..1.2-alpine)');
  expect(range('after before-slim', 'after..before-slim')).toEqual({ values: 'after before-slim', told: [] });
});

test.each([
  ['1.0..1.2-alpine', 'the ends are of two variants, none and alpine (write version=1.0-alpine..1.2-alpine or version=1.0..1.2, or name the values one by one)'],
  ['1.1-slim..1.2-alpine', 'the ends are of two variants, slim and alpine (write version=1.1-alpine..1.2-alpine, or name the values one by one)'],
  // Which end is the older one is another question: a search may run backwards.
  ['1.2-alpine..1.0', 'the ends are of two variants, alpine and none (write version=1.2..1.0 or version=1.2-alpine..1.0-alpine, or name the values one by one)'],
])('ends of two variants of which one would do are refused: %s', (written, message) => {
  expect(range(BESIDE, written)).toEqual({ values: `bad-range: version=${written}: ${message}`, told: [] });
});

/** Tags with what each stands for, in the order in which they were listed. */
const moved = (from: 'git' | 'image', listed: readonly string[], written: string) => {
  const tags = listed.map((text) => text.split('=')).map(([name, of]) => ({ name: name!, of: of! }));
  const all = sortVersions(from, tags.map(({ name }) => name));
  const moving = movingTags(from, tags);
  const told: string[] = [];
  const [first = '', last = ''] = written.split('..');
  const values = between(from, 'version', [first, last], { all, offered: releasesOf(from, all.filter((tag) => !moving.has(tag))), moving }, (line) => told.push(line));
  return { values: values.join(' '), told, left: toldOfMoving('version', moving) };
};

const REGISTRY = words('1.1.0=a 1.1.1=b 1.1.2=c 1.1=c 1.2.0=d 1.2.1=e 1.2.2=f 1.2=f 1=f 1.2.2-alpine=g 1.2-alpine=g');
const REPOSITORY = words('v1.1.0=a v1.1.1=b v1.1.2=c v1.1=c v1.2.0=d v1.2.1=e v1.2.2=f v1.2=f v1=f');
const stands = (tag: string, now: string, range: string): string => `version=${range}: ${tag} is moved on with each release, and stands for ${now} now`;

test.each([
  ['listed as they were made', REGISTRY, REPOSITORY],
  ['listed the other way', REGISTRY.toReversed(), REPOSITORY.toReversed()],
])('a tag that is moved on with each release is no version of its own, and as an end what it stands for: %s', (_, images, tags) => {
  const numbers = '1.1.0 1.1.1 1.1.2 1.2.0 1.2.1 1.2.2';
  expect(moved('image', images, '1.1.0..1.2.2')).toEqual({
    values: numbers, told: [], left: 'version: left out as moved on with each release: 1 (now 1.2.2), 1.1 (now 1.1.2), 1.2 (now 1.2.2), 1.2-alpine (now 1.2.2-alpine)',
  });
  expect(moved('image', images, '1.1..1.2')).toMatchObject({ values: '1.1.2 1.2.0 1.2.1 1.2.2', told: [stands('1.1', '1.1.2', '1.1..1.2'), stands('1.2', '1.2.2', '1.1..1.2')] });
  expect(moved('image', images, '..1.2-alpine').values).toBe('1.2.2-alpine');
  expect(moved('git', tags, 'v1.1.0..v1')).toEqual({
    values: numbers.replaceAll(/(?<=^| )/g, 'v'), told: [stands('v1', 'v1.2.2', 'v1.1.0..v1')], left: 'version: left out as moved on with each release: v1 (now v1.2.2), v1.1 (now v1.1.2), v1.2 (now v1.2.2)',
  });
});

test.each([
  ['builds of one version', '1.2=b 1.2-r0=a 1.2-r1=b 1.3=c', '1.2-r0 1.2-r1 1.3'],
  ['days', '2024=b 2024-01-15=a 2024-01-16=b', '2024-01-15 2024-01-16'],
  ['what is called the same twice is still there', '1.2.0=a 1.2.1=a 1.3.0-rc1=b 1.3.0=b', '1.2.0 1.2.1 1.3.0'],
  ['a release that has one name', '1.2=a 1.2.1=b 1.20=a 1.2-alpine=a', '1.2 1.2-alpine 1.2.1 1.20'],
  ['variants of one image', '1.2=a 1.2.0-slim=a', '1.2 1.2.0-slim'],
  ['what leads to it', '1.2=a 1.2.0-rc1=a', '1.2'],
])('%s: only what says less than another name of the same is left out', (_, tags, values) => {
  for (const listed of [words(tags), words(tags).toReversed()]) expect(moved('image', listed, '..').values).toBe(values);
});
