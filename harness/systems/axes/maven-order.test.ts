// Maven's order, held against Maven's own class where there is one on this machine.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sortVersions } from './compare.ts';
import { compareMaven, isMavenPreRelease } from './maven-order.ts';

const JAR = '/usr/share/maven/lib/maven-artifact-3.x.jar';
const ODD = [
  '1', '1.0', '1.0.0', '1.1', '1.10', '1.9', '1-1', '1.0-1', '1.0.1', '1-alpha', '1.0-alpha-1', '1.0a1', '1-beta2', '1.0-b3', '1-m1', '1.0-milestone-2', '1.0-rc1', '1.0-cr2',
  '1-SNAPSHOT', '1.0-ga', '1.0.Final', '1.0.RELEASE', '1-sp', '1.0-sp2', '1-xyz', '1-foo', '1.foo', '1-abc1', '2.0.0-M3', '2.0.0.M3', '2', '1.0.0.20240101', '1-20240101',
  '5.6.15.Final', '5.6.15.CR1', '33.0.0-jre', '33.0.0-android', '32.1.3-jre', '1..2', '1-.2', '1.0-foo-1', '1.0.0.foo', '1.0.0.foo2', '1.0.0-foo.2',
];

test('a release stands after what leads to it, and numbers count as numbers', () => {
  expect(sortVersions('maven', ['1.10', '1.9', '1.0-rc1', '1.0', '1.0-SNAPSHOT', '1.0-alpha-2', '1.0-sp1'])).toEqual(
    ['1.0-alpha-2', '1.0-rc1', '1.0-SNAPSHOT', '1.0', '1.0-sp1', '1.9', '1.10']);
  expect(['1.0-rc1', '2.0.0-M3', '1-SNAPSHOT', '2.1.0-alpha1'].every(isMavenPreRelease)).toBe(true);
  expect(['1.0', '33.0.0-jre', '5.6.15.Final', '1.0-sp1'].some(isMavenPreRelease)).toBe(false);
});

test.skipIf(!existsSync(JAR))('as Maven itself compares them', () => {
  const pairs = ODD.flatMap((a) => ODD.map((b) => [a, b] as const));
  // It compares each with the one before it, and prints `   a < b`.
  const words = pairs.flat();
  const output = execFileSync('java', ['-cp', JAR, 'org.apache.maven.artifact.versioning.ComparableVersion', ...words], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const signs = [...output.matchAll(/^ {3}\S+ (<|==|>) \S+$/gm)].map((match) => match[1]!);
  expect(signs).toHaveLength(words.length - 1);
  const wrong = pairs.flatMap(([a, b], index) => {
    const [said, ours] = [signs[index * 2]!, Math.sign(compareMaven(a, b))];
    return { '<': -1, '==': 0, '>': 1 }[said] === ours ? [] : [`${a} ${said} ${b}`];
  });
  expect(wrong).toEqual([]);
});
