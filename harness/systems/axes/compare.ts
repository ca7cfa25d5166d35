// Which of two versions is older, by the rules of the registry that they are of.
import { clean, compare as comparePypi, explain as readPypi } from '@renovatebot/pep440';
import semver from 'semver';
import type { CardAxis } from '../card.ts';
import { compareVersions } from '../known.ts';
import { compareTags, isImageVersion, leadsToRelease } from './image-variants.ts';
import { compareMaven, isMavenPreRelease } from './maven-order.ts';

type Compare = (a: string, b: string) => number;

/** What the registry's own rules cannot read is older than what they can, and in the order of its numbers. */
const readableLast = (isReadable: (version: string) => boolean, compare: Compare): Compare => (a, b) => {
  const [left, right] = [isReadable(a), isReadable(b)];
  if (left && right) return compare(a, b);
  return left === right ? compareVersions(a, b) : left ? 1 : -1;
};

const npm = readableLast((version) => semver.valid(version) !== null, semver.compare);
const pypi = readableLast((version) => readPypi(version) !== null, comparePypi);

/** `v1.2.0-rc.1`, `release-1.2`, `v1.2rc1`: its numbers, and what stands after them. */
const TAG = /^\D*(\d+(?:\.\d+)*)(.*)$/;
/** By semver whatever follows a hyphen; and how Python's releases are written. */
const LEADS_TO_RELEASE = /^(?:-|[._]?(?:alpha|beta|preview|pre|dev|rc|a|b)(?![a-z]))/i;

const rankOf = (rest: string): number => (rest === '' ? 0 : LEADS_TO_RELEASE.test(rest) ? -1 : 1);

/** A tag without a number is older than all that have one. */
const git: Compare = (a, b) => {
  const [[, left, leftRest] = [], [, right, rightRest] = []] = [TAG.exec(a) ?? [], TAG.exec(b) ?? []];
  if (left === undefined || right === undefined) return left === right ? compareVersions(a, b) : left === undefined ? -1 : 1;
  return compareVersions(left, right) || rankOf(leftRest!) - rankOf(rightRest!) || compareVersions(leftRest!, rightRest!);
};

/** Whether a tag of git says less than another one of the same commit, with which it is moved on: `v1` beside `v1.2.3`. */
export const saysLess = (tag: string, other: string): boolean => {
  const [[, short, shortRest] = [], [, long, longRest] = []] = [TAG.exec(tag) ?? [], TAG.exec(other) ?? []];
  return short !== undefined && long !== undefined && shortRest === '' && long.startsWith(`${short}.`) && rankOf(longRest!) >= 0;
};

const image = readableLast(isImageVersion, compareTags);

const BY_SOURCE: Readonly<Partial<Record<CardAxis['from'], Compare>>> = { npm, pypi, git, image, maven: compareMaven };

export const comparing = (from: CardAxis['from']): Compare => BY_SOURCE[from] ?? compareVersions;

/** As pip writes it, whatever a file is called. */
export const plainPypi = (version: string): string => clean(version) ?? version;

/** Whether it says itself which are older and which newer; `main` and `nightly` do not. */
export const hasPlace = (from: CardAxis['from'], version: string): boolean => (from === 'image' ? isImageVersion(version) : from !== 'git' || TAG.test(version));

/** A release that is not yet one: left out unless it is named. */
export const isPreRelease = (from: CardAxis['from'], version: string): boolean => {
  if (from === 'npm') return semver.prerelease(version) !== null;
  if (from === 'pypi') return readPypi(version)?.is_prerelease ?? false;
  if (from === 'git') return rankOf(TAG.exec(version)?.[2] ?? '') < 0;
  if (from === 'image') return leadsToRelease(version);
  return from === 'maven' && isMavenPreRelease(version);
};

/** In whatever order they were listed, 1.2 stands before 1.2.0. */
const byText: Compare = (a, b) => a.length - b.length || (a < b ? -1 : 1);

/** Oldest first, each once. */
export const sortVersions = (from: CardAxis['from'], versions: readonly string[]): readonly string[] => {
  const compare = comparing(from);
  return [...new Set(versions)].sort((a, b) => compare(a, b) || byText(a, b));
};

/** Releases only; where there are none, all that stand in an order; where there is nothing else, all. */
export const releasesOf = (from: CardAxis['from'], versions: readonly string[]): readonly string[] => {
  const placed = versions.filter((version) => hasPlace(from, version));
  const releases = placed.filter((version) => !isPreRelease(from, version));
  return [releases, placed].find((some) => some.length > 0) ?? versions;
};
