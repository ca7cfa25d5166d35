// What a tag of an image says: numbers, whether it leads to a release, and which variant it is of. Semver's rule, that a hyphen leads to
// a release, is not that of images: there `-alpine` and `-slim` are variants beside one another, and `-r1` comes after.
import { problem } from '../../model/problem.ts';
import { compareVersions } from '../known.ts';

/** `1.2`, `v1.2-alpine`. A commit, as builds of no release are tagged, begins with a digit by chance. */
export const isImageVersion = (tag: string): boolean => /^v?\d/i.test(tag) && !/^(?=\d*[a-f])[0-9a-f]{7,64}$/i.test(tag);

/** The numbers; a date's, or a revision's, that follow after a hyphen; and the rest. */
const TAG = /^v?(\d+(?:\.\d+)*)((?:[-_]\d+(?![.\da-z]))*)(.*)$/i;
/** `rc1`, `-beta.2`, `-SNAPSHOT`, and Python's `a1`; of Java's builds `-b07` is a release. */
const LEADS = /(?:^[ab]\d+|(?:^|[-._])(?:alpha|beta|preview|prerelease|pre|dev|rc|cr|snapshot|nightly|canary|unstable|milestone|m(?=\d))(?:[-._]?\d+)*)(?=$|[-._])/gi;
/** `-r1`, `u342-b07`, `.post1`, and the commit that it was built of: the same variant, built again. */
const REVISION = /(?:^|[-._])(?:(?:r|rev|p|u|b|build|post)[-._]?\d+|(?:(?:sha|git|commit)[-._])?g?(?=[a-f]*\d)[0-9a-f]{7,64})(?=$|[-._])/gi;
const EDGES = /^[-._]+|[-._]+$/g;

type Read = {
  readonly numbers: string;
  readonly revision: string;
  readonly leads: boolean;
  /** It says which build of the version it is. */
  readonly isOneBuild: boolean;
  /** `alpine3.20`; '' for plain ones. */
  readonly variant: string;
  /** The same with whatever numbers: the system below it moves on as well. */
  readonly family: string;
  readonly rest: string;
};

const read = (tag: string): Read => {
  const [, numbers = '', revision = '', rest = ''] = TAG.exec(tag) ?? [];
  const released = rest.replaceAll(LEADS, '');
  const built = released.replaceAll(REVISION, '');
  const variant = built.replaceAll(EDGES, '').toLowerCase();
  const isOneBuild = revision !== '' || built !== released;
  return { numbers, revision, leads: released !== rest, isOneBuild, variant, family: variant.replaceAll(/[-._]?\d+(?:\.\d+)*/g, '').replaceAll(EDGES, ''), rest };
};

export const leadsToRelease = (tag: string): boolean => read(tag).leads;

/** Of `-r2` the word says nothing of its place. */
const numbersIn = (rest: string): string => rest.replaceAll(/\D+/g, '.');

/** What is missing is not a word that leads to something. */
const plainFirst = (a: string, b: string): number => Number(a !== '') - Number(b !== '') || compareVersions(a, b);

/** Of the same numbers those that lead to a release stand first, then the plain ones. Only for what `isImageVersion`. */
export const compareTags = (a: string, b: string): number => {
  const [left, right] = [read(a), read(b)];
  return compareVersions(left.numbers, right.numbers) || Number(right.leads) - Number(left.leads) || compareVersions(left.revision, right.revision)
    || plainFirst(left.variant, right.variant) || (left.leads ? 0 : compareVersions(numbersIn(left.rest), numbersIn(right.rest))) || compareVersions(left.rest, right.rest);
};

/** Whether a tag says less than another one of the same image, with which it is moved on: `1.2` beside `1.2.3`, and `1.2.3` beside `1.2.3-r4`. */
export const saysLess = (tag: string, other: string): boolean => {
  if (!isImageVersion(tag) || !isImageVersion(other)) return false;
  const [short, long] = [read(tag), read(other)];
  if (short.isOneBuild || short.leads !== long.leads) return false;
  if (long.numbers.startsWith(`${short.numbers}.`)) return short.family === long.family;
  return short.numbers === long.numbers && short.variant === long.variant && long.isOneBuild;
};

const isSameVersion = (a: Read, b: Read): boolean => a.leads === b.leads && a.revision === b.revision && compareVersions(a.numbers, b.numbers) === 0;

const called = (variant: string): string => (variant === '' ? 'none' : variant);

/** Where one end is there in the variant of the other, a range of one variant was meant. */
const checkVariants = (axis: string, [from, to]: readonly [string, string], tags: readonly string[]): void => {
  const [first, last] = [read(from), read(to)];
  const like = (version: Read, { variant }: Read): string | undefined =>
    tags.find((tag) => isSameVersion(read(tag), version) && read(tag).variant === variant);
  const [otherFrom, otherTo] = [like(first, last), like(last, first)];
  const ranges = [...(otherFrom === undefined ? [] : [`${axis}=${otherFrom}..${to}`]), ...(otherTo === undefined ? [] : [`${axis}=${from}..${otherTo}`])];
  if (ranges.length === 0) return;
  throw problem('scenario', 'bad-range', `${axis}=${from}..${to}: the ends are of two variants, ${called(first.variant)} and ${called(last.variant)}`, {
    hint: `write ${ranges.join(' or ')}, or name the values one by one`,
  });
};

export type OfVariant = {
  readonly has: (tag: string) => boolean;
  /** What of the values between both ends is to be told; '' for nothing. */
  readonly told: (between: readonly string[]) => string;
};

const toldOfAll = (axis: string, between: readonly string[]): string => {
  const families = new Set(between.filter(isImageVersion).map((tag) => called(read(tag).family)));
  return families.size < 2 ? '' : `${axis}=..: tags of several variants are taken (${[...families].join(', ')}); an end says which is meant`;
};

/**
 * Which tags belong between these ends: those of their variant. Where the ends are of two, and neither is there in the other's, a project has
 * changed how it calls its images, and all of them belong.
 * @param ends '' for one that is open; others are versions
 * @throws ProblemError `bad-range` where the ends are of two variants, and one of them would do
 */
export const ofVariant = (axis: string, ends: readonly [string, string], tags: readonly string[]): OfVariant => {
  const named = ends.filter((end) => end !== '');
  const wanted = named.map(read);
  if (wanted.length === 0) return { has: () => true, told: (between) => toldOfAll(axis, between) };
  if (wanted.some(({ variant }) => variant !== wanted[0]!.variant)) checkVariants(axis, ends, tags);
  if (wanted.some(({ family }) => family !== wanted[0]!.family))
    return { has: () => true, told: () => `${axis}=${ends.join('..')}: its ends are of two variants, so the tags of all variants between them are taken` };
  const isExact = ({ variant }: Read): boolean => wanted.some((one) => one.variant === variant);
  const all = tags.filter(isImageVersion).map(read);
  const has = (tag: string): boolean => {
    const one = read(tag);
    return isExact(one) || (one.family === wanted[0]!.family && !all.some((other) => isExact(other) && isSameVersion(one, other)));
  };
  const told = (between: readonly string[]): string => {
    const had = between.filter(has).map(read);
    const without = between.filter((tag) => !has(tag) && !had.some((one) => isSameVersion(one, read(tag))));
    return without.length === 0 ? '' : `${axis}=${ends.join('..')}: left out as of another variant: ${without.join(', ')}`;
  };
  return { has, told };
};
