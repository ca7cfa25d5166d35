// What dpkg knows is told, what it does not is left out.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { debianVersions } from './debian-versions.ts';

const cardWith = (apt: readonly string[]) => ({ install: { npm: [], pypi: [], apt } });

test.skipIf(!existsSync('/usr/bin/dpkg-query'))('the version of what is installed, once', async () => {
  const versions = await debianVersions([cardWith(['dpkg', 'hangup-no-such-package']), cardWith(['dpkg'])]);
  expect(versions).toEqual({ 'package dpkg': expect.stringMatching(/^\d/) as string });
});

test('nothing where nothing is asked for', async () => {
  expect(await debianVersions([])).toEqual({});
});
