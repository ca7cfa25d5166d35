// What was installed is told by what lies there, all of it, and not by what was asked for. npm and pip are the real ones, with registries
// of this test's own, which have more on one day than on another.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cardWith } from './fixture.ts';
import { installPackages } from './install.ts';
import { installedVersions } from './installed-versions.ts';
import { writeWheels } from './wheel-fixture.ts';

const LONG_MS = 90_000;
const NOTHING = { npm: [], pypi: [], maven: [], apt: [] };

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-installed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Files by their path. */
const folderWith = (files: Readonly<Record<string, string>>): string => {
  const folder = temporary();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
};

const lockOf = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages });

test('npm: what the card names, whatever it calls it; then all that came along, nested ones by their place', async () => {
  const folder = folderWith({
    'package.json': '{"dependencies":{"http-proxy":"1.18.1","@scope/thing":"2.0.0","of-a-file":"file:../of-a-file.tgz","linked":"file:../linked"}}',
    'node_modules/linked/package.json': '{"version":"0.1.0"}',
    'node_modules/.package-lock.json': lockOf({
      'node_modules/@scope/thing': { version: '2.0.0' },
      'node_modules/follow-redirects': { version: '1.15.6' },
      'node_modules/http-proxy': { version: '1.18.1' },
      'node_modules/http-proxy/node_modules/@scope/debug': { version: '2.6.9' },
      'node_modules/http-proxy/node_modules/@scope/debug/node_modules/ms': { version: '2.0.0' },
      'node_modules/linked': { resolved: '../linked', link: true },
      'node_modules/of-a-file': { version: '3.0.0' },
      '../linked': { version: '0.1.0' },
    }),
  });
  const install = { ...NOTHING, npm: ['http-proxy@^1', '@scope/thing', '../of-a-file.tgz', '../linked'], apt: ['nginx'] };
  const told = await installedVersions({ install }, folder);
  expect(Object.entries(told)).toEqual([
    ['npm http-proxy', '1.18.1'],
    ['npm @scope/thing', '2.0.0'],
    ['npm of-a-file', '3.0.0'],
    ['npm linked', '0.1.0'],
    ['npm follow-redirects (came along)', '1.15.6'],
    ['npm @scope/debug of http-proxy (came along)', '2.6.9'],
    ['npm ms of @scope/debug of http-proxy (came along)', '2.0.0'],
  ]);
});

test('PyPI: by what the card calls them, and as pip compares names; also what is no wheel', async () => {
  const folder = folderWith({
    'uvicorn-0.17.6.dist-info/METADATA': '',
    'Some_Thing-1.2.dist-info/METADATA': '',
    'typing_extensions-4.12.2.dist-info/METADATA': '',
    'old.thing-0.9-py3.11.egg-info/PKG-INFO': '',
    'of_an_address-7.0.dist-info/REQUESTED': '',
    'click/__init__.py': '',
  });
  const install = { ...NOTHING, pypi: ['uvicorn[standard]==0.17.6', 'some-thing>=1', 'https://example.org/of.whl'] };
  expect(await installedVersions({ install }, folder)).toEqual({
    'pypi uvicorn': '0.17.6',
    'pypi some-thing': '1.2',
    'pypi of-an-address': '7.0',
    'pypi old-thing (came along)': '0.9',
    'pypi typing-extensions (came along)': '4.12.2',
  });
});

test('Maven: by what was resolved, whatever the card asked for', async () => {
  const folder = folderWith({
    'pom.xml': '<project><dependencies><dependency><groupId>org.example</groupId><artifactId>left</artifactId><version>[1,2)</version></dependency></dependencies></project>',
    'dependencies.txt': [
      '', 'The following files have been resolved:', '   org.example:left:jar:1.5:compile -- module left (auto)', '   org.example:right:jar:linux-x86_64:2.0:runtime',
      '   org.example.deep:lower:jar:33.0-jre:compile (optional)', '',
    ].join('\n'),
  });
  expect(await installedVersions({ install: { ...NOTHING, maven: ['org.example:left:[1,2)'] } }, folder)).toEqual({
    'maven org.example:left': '1.5',
    'maven org.example:right:linux-x86_64 (came along)': '2.0',
    'maven org.example.deep:lower (came along)': '33.0-jre',
  });
});

test('what is not there, or says no version, is left out', async () => {
  const folder = folderWith({ 'node_modules/broken/package.json': '{', 'node_modules/none/package.json': '{"name":"none"}', 'node_modules/.package-lock.json': '[' });
  expect(await installedVersions({ install: { ...NOTHING, npm: ['broken', 'none', 'missing'], pypi: ['missing'], maven: ['a:b:1'] } }, folder)).toEqual({});
  expect(await installedVersions({ install: { ...NOTHING, npm: ['missing'], pypi: ['missing'], maven: ['a:b:1'] } }, join(folder, 'nowhere'))).toEqual({});
});

const environmentOf = (cache: string): NodeJS.ProcessEnv =>
  ({ PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter), HOME: cache, XDG_CACHE_HOME: cache, npm_config_cache: join(cache, 'npm'), no_proxy: '127.0.0.1' });

/** Tarballs by `name-version`, as npm packs them. */
const packed = (folder: string, packages: readonly object[]): ReadonlyMap<string, Buffer> =>
  new Map(
    packages.map((one) => {
      const { name, version } = one as { readonly name: string; readonly version: string };
      const own = join(folder, `${name}-${version}`);
      mkdirSync(own);
      writeFileSync(join(own, 'package.json'), JSON.stringify(one));
      execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: own, env: environmentOf(folder) });
      return [`${name}-${version}`, readFileSync(join(folder, `${name}-${version}.tgz`))];
    }),
  );

/** An npm registry whose packages have these versions so far. */
const registryOf = async (packages: readonly { readonly name: string; readonly version: string }[], tarballs: ReadonlyMap<string, Buffer>): Promise<string> => {
  const server = createServer((request, response) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [, name = '', file] = /^\/([\w-]+)(?:\/-\/([\w.-]+)\.tgz)?$/.exec(request.url ?? '') ?? [];
    const own = packages.filter((one) => one.name === name);
    const tarball = file === undefined ? undefined : tarballs.get(file);
    if (tarball !== undefined) return void response.end(tarball);
    response.writeHead(own.length > 0 ? 200 : 404, { 'content-type': 'application/json' });
    const versions = own.map((one) => {
      const shasum = createHash('sha1').update(tarballs.get(`${name}-${one.version}`)!).digest('hex');
      return [one.version, { ...one, dist: { tarball: `${url}/${name}/-/${name}-${one.version}.tgz`, shasum } }];
    });
    response.end(JSON.stringify({ name, 'dist-tags': { latest: own.at(-1)?.version }, versions: Object.fromEntries(versions) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

test('npm: the same card on two machines, of which the later one gets a newer dependency, is told apart; neither asks again', async () => {
  const january = [{ name: 'hangup-proxy', version: '1.18.1', dependencies: { 'hangup-redirects': '^1.0.0' } }, { name: 'hangup-redirects', version: '1.14.0' }];
  const june = [...january, { name: 'hangup-redirects', version: '1.15.6' }];
  const tarballs = packed(temporary(), june);
  const card = cardWith({ versions: 'versions: { from: npm, package: hangup-proxy, use: 1.18.1 }', install: 'install: { npm: [ "hangup-proxy@${version}" ] }' });
  const told = await Promise.all(
    [january, june].map(async (packages) => {
      const cache = temporary();
      // Whatever somebody has set for locks of his own.
      writeFileSync(join(cache, '.npmrc'), 'package-lock=false\nsave=false\n');
      const environment = { ...environmentOf(cache), npm_config_registry: await registryOf(packages, tarballs) };
      const folder = await installPackages(card, () => {}, { environment });
      expect(JSON.parse(readFileSync(join(folder!, 'package-lock.json'), 'utf8'))).toMatchObject({ packages: { 'node_modules/hangup-redirects': { version: packages.at(-1)!.version } } });
      expect(await installPackages(card, () => expect.unreachable('installed again'), { environment: { ...environment, npm_config_registry: 'http://127.0.0.1:1/' } })).toBe(folder);
      return installedVersions(card, folder!);
    }),
  );
  expect(told).toEqual([
    { 'npm hangup-proxy': '1.18.1', 'npm hangup-redirects (came along)': '1.14.0' },
    { 'npm hangup-proxy': '1.18.1', 'npm hangup-redirects (came along)': '1.15.6' },
  ]);
}, LONG_MS);

const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;

test.skipIf(!hasPip)('pip: the same, with a list of what was installed, which may be given back to it as a constraint', async () => {
  const [january, june] = [temporary(), temporary()];
  const proxy = { name: 'hangup-proxy', version: '1.0', needs: 'Requires-Dist: hangup-other' };
  writeWheels(january, [proxy, { name: 'hangup-other', version: '1.0' }]);
  writeWheels(june, [proxy, { name: 'hangup-other', version: '1.0' }, { name: 'hangup-other', version: '2.0' }]);
  const card = cardWith({ install: 'install: { pypi: [ "Hangup.Proxy" ] }' });
  const installed = (wheels: string, more: NodeJS.ProcessEnv = {}): Promise<string | null> =>
    installPackages(card, () => {}, { environment: { ...environmentOf(temporary()), PIP_NO_INDEX: '1', PIP_FIND_LINKS: wheels, ...more } });
  const [first, later] = [await installed(january), await installed(june)];
  expect(await installedVersions(card, first!)).toEqual({ 'pypi Hangup.Proxy': '1.0', 'pypi hangup-other (came along)': '1.0' });
  expect(await installedVersions(card, later!)).toEqual({ 'pypi Hangup.Proxy': '1.0', 'pypi hangup-other (came along)': '2.0' });
  const list = join(first!, 'installed.txt');
  expect(readFileSync(list, 'utf8')).toBe('hangup-other==1.0\nHangup.Proxy==1.0\n');
  expect(await installedVersions(card, (await installed(june, { PIP_CONSTRAINT: list }))!)).toMatchObject({ 'pypi hangup-other (came along)': '1.0' });
}, LONG_MS);
