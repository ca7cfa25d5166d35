// What an image is named by tells one version from another, whatever the tool that installed it leaves to read.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hashOf, installedIn } from './images-files.ts';

const cacheWith = (name: string, files: readonly string[]): string => {
  const cache = mkdtempSync(join(tmpdir(), 'hangup-installed-in-'));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  for (const file of files) {
    mkdirSync(join(cache, name, file, '..'), { recursive: true });
    writeFileSync(join(cache, name, file), '');
  }
  return join(cache, name);
};

const tagOf = (folder: string): string => hashOf([installedIn(folder)]);

test.each([
  ['jars, of which no list was kept', 'maven', ['lib/proxy.jar']],
  ['two revisions of one release, from git', 'pypi', ['proxy-1.0.dist-info/METADATA']],
])('%s: two folders are two images, and the same one in another cache is not', (_, kind, files) => {
  const first = tagOf(cacheWith(`${kind}-0000000000000001`, files));
  expect(tagOf(cacheWith(`${kind}-0000000000000002`, files))).not.toBe(first);
  expect(tagOf(cacheWith(`${kind}-0000000000000001`, files))).toBe(first);
});

test('what a range came to counts too', () => {
  const maven = (list: string): string => {
    const folder = cacheWith('maven-1', ['lib/proxy.jar']);
    writeFileSync(join(folder, 'dependencies.txt'), list);
    return tagOf(folder);
  };
  expect(maven('   a:b:jar:1.1:compile\n')).not.toBe(maven('   a:b:jar:1.0:compile\n'));
  expect(tagOf(cacheWith('pypi-1', ['proxy-1.1.dist-info/METADATA']))).not.toBe(tagOf(cacheWith('pypi-1', ['proxy-1.0.dist-info/METADATA'])));
});
