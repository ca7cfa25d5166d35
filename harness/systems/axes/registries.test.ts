// Versions by the real npm and the real pip, of registries that this test runs itself: what is withdrawn or no release is left out,
// and may be named.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardWith } from '../fixture.ts';
import { hasPip } from '../fixtures/pip.ts';
import { allValuesOf, valuesOf } from './values.ts';

const NPM = {
  '1.9.0': {}, '1.10.0': {}, '1.10.1': { deprecated: 'it leaks' }, '2.0.0-rc.1': {}, '2.0.0': {},
};
/** File to whether it was withdrawn. */
const PYPI = {
  'left-1.9.tar.gz': false, 'left-1.10-py3-none-any.whl': false, 'left-1.11-py3-none-any.whl': 'broken', 'left-1.11.tar.gz': 'broken',
  'left-1.12-py3-none-any.whl': 'only this file', 'left-1.12.tar.gz': false, 'left-2.0rc1-py3-none-any.whl': false, 'left-1.10.post1-py3-none-any.whl': false,
};

const packument = (url: string) => ({
  name: 'left', 'dist-tags': { latest: '2.0.0' },
  versions: Object.fromEntries(Object.entries(NPM).map(([version, more]) =>
    [version, { name: 'left', version, ...more, dist: { tarball: `${url}/left/-/left-${version}.tgz`, shasum: '0'.repeat(40) } }])),
});

const simple = (url: string) => ({
  meta: { 'api-version': '1.1' }, name: 'left', versions: [],
  files: Object.entries(PYPI).map(([filename, yanked]) => ({ filename, url: `${url}/files/${filename}`, hashes: {}, yanked, 'requires-python': '>=3' })),
});

const server = createServer((request, response) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const isPip = request.url === '/simple/left/';
  const found = isPip ? simple(url) : request.url === '/left' ? packument(url) : null;
  response.writeHead(found ? 200 : 404, { 'content-type': isPip ? 'application/vnd.pypi.simple.v1+json' : 'application/json' });
  response.end(JSON.stringify(found ?? { error: 'not found' }));
});
const cache = mkdtempSync(join(tmpdir(), 'hangup-registries-'));
let environment: NodeJS.ProcessEnv = {};
const told: string[] = [];
const context = () => ({ environment, progress: (line: string) => void told.push(line) });

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  environment = {
    ...process.env, npm_config_registry: url, npm_config_cache: join(cache, 'npm'), PIP_INDEX_URL: `${url}/simple`, PIP_CONFIG_FILE: '/dev/null', PIP_FIND_LINKS: '',
    PIP_CACHE_DIR: join(cache, 'pip'), no_proxy: '127.0.0.1', NO_PROXY: '127.0.0.1',
  };
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(cache, { recursive: true, force: true });
});

describe('the values of a registry', () => {
  test('npm: releases in their order, without what is deprecated', async () => {
    const card = cardWith({ versions: 'versions: { from: npm, package: left }' });
    expect(await valuesOf(card, 'version', context())).toEqual(['1.9.0', '1.10.0', '2.0.0']);
    expect((await allValuesOf(card, 'version', context())).all).toEqual(['1.9.0', '1.10.0', '1.10.1', '2.0.0-rc.1', '2.0.0']);
  });

  test.skipIf(!hasPip)('PyPI: releases in their order, without those of which every file was withdrawn', async () => {
    const card = cardWith({ versions: 'versions: { from: pypi, package: left }' });
    expect(await valuesOf(card, 'version', context())).toEqual(['1.9', '1.10', '1.10.post1', '1.12']);
    expect((await allValuesOf(card, 'version', context())).all).toEqual(['1.9', '1.10', '1.10.post1', '1.11', '1.12', '2.0rc1']);
    expect(told.filter((line) => line.includes('withdrawn'))).toEqual([]);
  });

  test.skipIf(!hasPip)('PyPI: for the Python that there is, whichever pip.conf says', async () => {
    const file = join(cache, 'pip.conf');
    writeFileSync(file, '[global]\npython-version = 2.7\nimplementation = pp\n');
    const card = cardWith({ versions: 'versions: { from: pypi, package: "left[more]" }' });
    expect(await valuesOf(card, 'version', { ...context(), environment: { ...environment, PIP_CONFIG_FILE: file } })).toEqual(['1.9', '1.10', '1.10.post1', '1.12']);
  });

  test('a package that nobody has, one that is not named, and a source that has no list', async () => {
    const of = (versions: string): Promise<unknown> => valuesOf(cardWith({ versions: `versions: { ${versions} }` }), 'version', context());
    await expect(of('from: npm, package: right')).rejects.toMatchObject({ problems: [{ code: 'axis-not-read', message: expect.stringContaining('404') as string }] });
    await expect(of('from: npm')).rejects.toMatchObject({ problems: [{ code: 'no-package' }] });
    await expect(of('from: apt, package: left')).rejects.toMatchObject({ problems: [{ code: 'axis-not-read' }] });
  });
});
