// Maven, the real one, with artifacts of a repository in a folder: which versions there are, what an install puts where, and what is told
// of it. Its own parts Maven has in its cache, or fetches from where it has them otherwise; the artifacts are removed from that cache.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allValuesOf, valuesOf } from './axes/values.ts';
import { cardAt } from './axes/card-at.ts';
import { cardWith } from './fixture.ts';
import { installPackages } from './install.ts';
import { installedVersions } from './installed-versions.ts';

/** The first time on a machine Maven fetches some hundred files of its own. */
const LONG_MS = 300_000;

const hasMaven = ['mvn', 'java'].every((program) => (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program))));
if (!hasMaven && process.env['CI'] === 'true') throw new Error('these tests need a JDK and mvn: apt-get install maven');

/** Of nobody else, as it lies in Maven's cache for a while. */
const GROUP = `hangup-test-${process.pid}-${Date.now()}`;
const CACHE = join(homedir(), '.m2', 'repository');
const folder = mkdtempSync(join(tmpdir(), 'hangup-maven-'));
const repository = join(folder, 'repository');

/** A zip of nothing, which a jar may be. */
const NO_JAR = Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]);

const dependencyOn = (artifact: string, version: string, scope = 'compile'): string =>
  `<dependency><groupId>${GROUP}</groupId><artifactId>${artifact}</artifactId><version>${version}</version><scope>${scope}</scope></dependency>`;

const publish = (artifact: string, versions: readonly string[], dependencies = ''): void => {
  for (const version of versions) {
    const own = join(repository, GROUP, artifact, version);
    mkdirSync(own, { recursive: true });
    const name = join(own, `${artifact}-${version}`);
    const about = `<modelVersion>4.0.0</modelVersion><groupId>${GROUP}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>`;
    writeFileSync(`${name}.pom`, `<project>${about}<dependencies>${dependencies}</dependencies></project>`);
    writeFileSync(`${name}.jar`, NO_JAR);
  }
  const listed = versions.map((version) => `<version>${version}</version>`).join('\n');
  const versioning = `<latest>${versions.at(-1)}</latest><release>${versions.at(-1)}</release><versions>${listed}</versions>`;
  writeFileSync(join(repository, GROUP, artifact, 'maven-metadata.xml'), `<metadata><groupId>${GROUP}</groupId><artifactId>${artifact}</artifactId><versioning>${versioning}</versioning></metadata>`);
};

let environment: NodeJS.ProcessEnv = {};

beforeAll(() => {
  publish('right', ['2.0', '2.1']);
  publish('judge', ['4.13']);
  publish('left', ['1.9', '1.10', '2.0-rc1', '1.10.1'], `${dependencyOn('right', '2.1')}${dependencyOn('judge', '4.13', 'test')}`);
  // In the place of Maven's own repository of artifacts, not of plugins; Maven 3.8 takes settings only from the home that Java knows of.
  const own = `<repository><id>central</id><url>file://${repository}</url><releases><checksumPolicy>ignore</checksumPolicy></releases></repository>`;
  mkdirSync(join(folder, '.m2'));
  writeFileSync(
    join(folder, '.m2', 'settings.xml'),
    `<settings><localRepository>${CACHE}</localRepository><profiles><profile><id>own</id><repositories>${own}</repositories></profile></profiles><activeProfiles><activeProfile>own</activeProfile></activeProfiles></settings>`,
  );
  environment = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache'), MAVEN_OPTS: `${process.env['MAVEN_OPTS'] ?? ''} -Duser.home=${folder}` };
});
afterAll(() => {
  for (const one of [folder, join(CACHE, GROUP)]) rmSync(one, { recursive: true, force: true });
});

describe.skipIf(!hasMaven)('with mvn and a JDK', () => {
  const card = () => cardWith({
    versions: `versions: { from: maven, package: "${GROUP}:left", use: "1.10" }`,
    install: `install: { maven: [ "${GROUP}:left:\${version}" ] }`,
    run: 'run: [ { name: proxy, process: { command: [java, -cp, "${install}/lib/*", Main] } } ]',
  });

  test('the versions of an artifact, in its order; what leads to a release may be named', async () => {
    const context = { environment, progress: () => {} };
    expect(await valuesOf(card(), 'version', context)).toEqual(['1.9', '1.10', '1.10.1']);
    expect((await allValuesOf(card(), 'version', context)).all).toEqual(['1.9', '1.10', '1.10.1', '2.0-rc1']);
  }, LONG_MS);

  test('an artifact lies below lib with what it needs at run time, both told; it is installed once', async () => {
    const installed = await installPackages(card(), () => {}, { environment });
    expect(readdirSync(join(installed!, 'lib')).toSorted()).toEqual(['left-1.10.jar', 'right-2.1.jar']);
    expect(readFileSync(join(installed!, 'lib', 'left-1.10.jar'))).toEqual(NO_JAR);
    expect(await installedVersions(card(), installed!)).toEqual({ [`maven ${GROUP}:left`]: '1.10', [`maven ${GROUP}:right (came along)`]: '2.1' });
    expect(await installPackages(card(), () => expect.unreachable('installed again'), { environment })).toBe(installed);
  }, LONG_MS);

  test('a version that its repository has not is the fault of the version, in the words of Maven', async () => {
    const missing = installPackages(cardAt(card(), { version: '7.0' }), () => {}, { environment });
    await expect(missing).rejects.toMatchObject({ problems: [{ code: 'install-failed', message: expect.stringMatching(/Could not find artifact .*:left:jar:7\.0/) as string }] });
    expect(readdirSync(join(folder, 'cache', 'hangup')).filter((name) => !/^maven-[0-9a-f]{16}$/.test(name))).toEqual([]);
  }, LONG_MS);
});
