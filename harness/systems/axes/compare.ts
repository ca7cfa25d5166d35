// Which of two versions is older, by the rules of the registry that they are of.
import { clean, compare as comparePypi, explain as readPypi } from '@renovatebot/pep440';
import semver from 'semver';
import type { CardAxis } from '../card.ts';
import { compareVersions } from '../known.ts';
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

const BY_SOURCE: Readonly<Partial<Record<CardAxis['from'], Compare>>> = { npm, pypi, maven: compareMaven };

export const comparing = (from: CardAxis['from']): Compare => BY_SOURCE[from] ?? compareVersions;

/** As pip writes it, whatever a file is called. */
export const plainPypi = (version: string): string => clean(version) ?? version;

/** A release that is not yet one: left out unless it is named. */
export const isPreRelease = (from: CardAxis['from'], version: string): boolean => {
  if (from === 'npm') return semver.prerelease(version) !== null;
  if (from === 'pypi') return readPypi(version)?.is_prerelease ?? false;
  return from === 'maven' && isMavenPreRelease(version);
};

/** Oldest first, each once. */
export const sortVersions = (from: CardAxis['from'], versions: readonly string[]): readonly string[] =>
  [...new Set(versions)].sort(comparing(from));

/** Releases only; where there is nothing else, all. */
export const releasesOf = (from: CardAxis['from'], versions: readonly string[]): readonly string[] => {
  const releases = versions.filter((version) => !isPreRelease(from, version));
  return releases.length > 0 ? releases : versions;
};
