// Where somebody names a bundle that is not there, those that are there are named.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createScope } from '../model/scope.ts';
import { bundleFolderOf } from './archive-read.ts';
import { bundlesIn } from './bundles-in.ts';
import { temporaryFolder } from './fixture.ts';

/** A folder with two bundles, one that was only begun, and what is none. */
const folderOfBundles = (): string => {
  const folder = temporaryFolder();
  for (const name of ['silent', 'endless', '.begun', 'nothing']) mkdirSync(join(folder, name));
  for (const name of ['silent', 'endless', '.begun']) writeFileSync(join(folder, name, 'manifest.json'), '{}');
  return folder;
};

const refused = (path: string): Promise<unknown> =>
  bundleFolderOf(path, createScope()).then(() => null, (error: { readonly problems: readonly { readonly message: string; readonly hint?: string }[] }) => error.problems[0]);

test('bundles by name, without what was only begun', async () => {
  const folder = folderOfBundles();
  expect(await bundlesIn(folder)).toEqual(['endless', 'silent']);
  expect(await bundlesIn(join(folder, 'nothing'))).toEqual([]);
  expect(await bundlesIn(join(folder, 'nowhere'))).toEqual([]);
});

test('one that is not there, and a folder of them', async () => {
  const folder = folderOfBundles();
  expect(await refused(join(folder, 'endles'))).toMatchObject({
    code: 'not-a-bundle', message: `there is no ${folder}/endles`, hint: 'did you mean `endless`? beside it are: endless, silent',
  });
  expect(await refused(folder)).toMatchObject({ code: 'not-a-bundle', hint: 'it holds: endless, silent' });
  expect(await refused(join(folder, 'nowhere', 'at-all'))).not.toHaveProperty('hint');
  // What is wrong with a folder that holds none is for its reader to say.
  expect(await refused(join(folder, 'nothing'))).toBeNull();
});
