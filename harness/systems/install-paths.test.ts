// Files that settings name by paths are those of whoever called, wherever a tool works. pip and builds really work by them; no registry is asked.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensureSource } from './axes/source-tree.ts';
import { cardWith } from './fixture.ts';
import { installPackages } from './install.ts';
import { withPathsFromHere } from './install-paths.ts';
import { withPlainSettings } from './install-settings.ts';
import { writeWheels } from './wheel-fixture.ts';

const LONG_MS = 90_000;

const temporary = (name = 'hangup-paths-'): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), name)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** A folder from which hangup is called. */
const enter = (name?: string): string => {
  const before = process.cwd();
  const folder = temporary(name);
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  return folder;
};

const environmentIn = (folder: string): NodeJS.ProcessEnv =>
  ({ PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter), HOME: folder, XDG_CACHE_HOME: folder, PIP_NO_INDEX: '1' });

/** Modules of nothing, of which the second is there in two versions. */
const wheelsIn = (folder: string): void => writeWheels(folder, [
  { name: 'hangup-one', version: '1.0', needs: 'Requires-Dist: hangup-other' }, { name: 'hangup-other', version: '1.0' }, { name: 'hangup-other', version: '2.0' },
]);

const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
const ONE = 'install: { pypi: [ "hangup-one==1.0" ] }';

test.skipIf(!hasPip).each(['hangup-paths-', 'hangup paths '])('pip takes a constraint and packages that are named from %j', async (name) => {
  const folder = enter(name);
  mkdirSync('wheels');
  wheelsIn(join(folder, 'wheels'));
  writeFileSync('old.txt', 'hangup-other<2\n');
  const environment = { ...environmentIn(temporary()), PIP_CONSTRAINT: 'old.txt', PIP_FIND_LINKS: 'none wheels' };
  const installed = await installPackages(cardWith({ install: ONE }), () => {}, { environment });
  expect(readdirSync(installed!).filter((entry) => entry.endsWith('.dist-info')).sort()).toEqual(['hangup_one-1.0.dist-info', 'hangup_other-1.0.dist-info']);
}, LONG_MS);

test.skipIf(!hasPip)('a constraint that is nowhere is missing on this machine, and no fault of the package', async () => {
  wheelsIn(enter());
  const environment = { ...environmentIn(temporary()), PIP_CONSTRAINT: 'nowhere.txt', PIP_FIND_LINKS: '.' };
  await expect(installPackages(cardWith({ install: ONE }), () => {}, { environment })).rejects.toMatchObject({
    problems: [{ code: 'tool-missing', message: expect.stringContaining('nowhere.txt') as string }],
  });
}, LONG_MS);

test('a build gets the file of whoever called, unless its revision has one of that name', async () => {
  const folder = enter();
  const repository = temporary();
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org', '-c', 'commit.gpgsign=false', ...words], { encoding: 'utf8' });
  writeFileSync(join(folder, 'old.txt'), 'of the caller\n');
  git('init', '--quiet', '-b', 'main');
  git('commit', '--quiet', '--allow-empty', '-m', 'without');
  writeFileSync(join(repository, 'old.txt'), 'of the revision\n');
  git('add', 'old.txt');
  git('commit', '--quiet', '-m', 'with');
  const context = { environment: { ...environmentIn(temporary()), PIP_CONSTRAINT: 'old.txt' }, progress: () => {} };
  const seenAt = async (revision: string): Promise<string> => {
    const versions = `versions: { from: git, repository: ${JSON.stringify(repository)}, use: "${git('rev-parse', revision).trim()}", build: [[sh, -c, 'cat "$PIP_CONSTRAINT" > seen']] }`;
    return readFileSync(join((await ensureSource(cardWith({ versions }), context))!.folder, 'seen'), 'utf8');
  };
  expect([await seenAt('HEAD~1'), await seenAt('HEAD')]).toEqual(['of the caller\n', 'of the revision\n']);
}, LONG_MS);

test('what is found here is named from everywhere; all else stays as it was written', () => {
  const folder = enter();
  for (const name of ['own.xml', 'ca.pem']) writeFileSync(name, '');
  const at = (name: string): string => join(folder, name);
  expect(withPlainSettings({
    MAVEN_ARGS: '-s own.xml --toolchains=own.xml -gs none.xml -Dmaven.repo.local=.m2 -D javax.net.ssl.trustStore=ca.pem -Pown.xml -Dother=own.xml', MAVEN_OPTS: '-Xmx1g  -Djavax.net.ssl.keyStore=ca.pem own.xml',
    PIP_CERT: 'ca.pem', PIP_CLIENT_CERT: 'none.pem', PIP_CONFIG_FILE: '/dev/null', PIP_FIND_LINKS: 'https://mirror/ . none', PIP_CONSTRAINT: '', PIP_CACHE_DIR: 'cache', PIP_INDEX_URL: 'own.xml',
    NODE_EXTRA_CA_CERTS: 'ca.pem', NPM_CONFIG_CAFILE: 'ca.pem', 'npm_config_//mirror/:keyfile': 'ca.pem', npm_config_cache: 'cache', npm_config_prefix: 'own', npm_config_registry: 'own.xml', npm_config_userconfig: '~/own.xml',
  })).toMatchObject({
    MAVEN_ARGS: `-s ${at('own.xml')} --toolchains=${at('own.xml')} -gs none.xml -Dmaven.repo.local=${at('.m2')} -D javax.net.ssl.trustStore=${at('ca.pem')} -Pown.xml -Dother=own.xml`,
    MAVEN_OPTS: `-Xmx1g  -Djavax.net.ssl.keyStore=${at('ca.pem')} own.xml`,
    PIP_CERT: at('ca.pem'), PIP_CLIENT_CERT: 'none.pem', PIP_CONFIG_FILE: '/dev/null', PIP_FIND_LINKS: `https://mirror/ ${folder} none`, PIP_CONSTRAINT: '', PIP_CACHE_DIR: at('cache'), PIP_INDEX_URL: 'own.xml',
    NODE_EXTRA_CA_CERTS: at('ca.pem'), NPM_CONFIG_CAFILE: at('ca.pem'), 'npm_config_//mirror/:keyfile': at('ca.pem'), npm_config_cache: at('cache'), npm_config_globalconfig: at('own/etc/npmrc'), npm_config_registry: 'own.xml',
    npm_config_userconfig: '~/own.xml',
  });
  // What Maven would take for two words is not made longer.
  const spaced = enter('hangup paths ');
  writeFileSync('own.xml', '');
  expect(withPathsFromHere({ MAVEN_ARGS: '-s own.xml', PIP_CERT: 'own.xml' })).toEqual({ MAVEN_ARGS: '-s own.xml', PIP_CERT: join(spaced, 'own.xml') });
});
