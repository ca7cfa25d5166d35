// What was installed is told by what lies there, not by what was asked for.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installedVersions } from './installed-versions.ts';

const folderWith = (npm: Readonly<Record<string, string>>, python: readonly string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-installed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(npm)) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true });
    writeFileSync(join(folder, 'node_modules', name, 'package.json'), text);
  }
  for (const name of python) mkdirSync(join(folder, name));
  return folder;
};

test('versions of npm and PyPI, whatever the card calls them', async () => {
  const folder = folderWith({ 'http-proxy': '{"version":"1.18.1"}', '@scope/thing': '{"version":"2.0.0"}', other: '{"version":"9.9.9"}' }, [
    'uvicorn-0.17.6.dist-info',
    'Some_Thing-1.2.dist-info',
    'click',
    'click-8.1.7.dist-info',
  ]);
  const install = { npm: ['http-proxy@^1', '@scope/thing'], pypi: ['uvicorn[standard]==0.17.6', 'some-thing>=1'], apt: ['nginx'] };
  expect(await installedVersions({ install }, folder)).toEqual({
    'npm http-proxy': '1.18.1',
    'npm @scope/thing': '2.0.0',
    'pypi uvicorn': '0.17.6',
    'pypi some-thing': '1.2',
  });
});

test('what is not there, or says no version, is left out', async () => {
  const folder = folderWith({ broken: '{', none: '{"name":"none"}' }, []);
  expect(await installedVersions({ install: { npm: ['broken', 'none', 'missing'], pypi: ['missing'], apt: [] } }, folder)).toEqual({});
  expect(await installedVersions({ install: { npm: [], pypi: ['missing'], apt: [] } }, join(folder, 'nowhere'))).toEqual({});
});
