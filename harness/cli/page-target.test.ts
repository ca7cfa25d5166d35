// What writing pages costs: a folder of thousands of bundles is rendered page by page.
import { createHook } from 'node:async_hooks';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../bundle/fixture.ts';
import type { FoundBundle } from './found-bundles.ts';
import { createPageTarget } from './page-target.ts';
import { testTerminal } from './test-terminal.ts';

/** A page beside each of so many bundles. @returns how often the file system was asked */
const callsFor = async (count: number): Promise<number> => {
  const home = temporaryFolder();
  const found = Array.from({ length: count }, (_, at): FoundBundle => {
    const folder = join(home, `bundle-${at}`);
    mkdirSync(folder);
    return { name: `bundle-${at}`, path: folder, folder, home, isListed: true, isArchive: false };
  });
  let calls = 0;
  const hook = createHook({
    init: (_, type) => {
      if (type === 'FSREQPROMISE') calls += 1;
    },
  }).enable();
  const write = createPageTarget(found, testTerminal().terminal, () => {});
  for (const { name } of found) await write(join(home, `${name}.html`), 'a page');
  hook.disable();
  expect(readdirSync(home)).toHaveLength(2 * count);
  return calls;
};

test('a page costs the same, however many bundles are read', async () => {
  const [few, many] = [await callsFor(40), await callsFor(160)];
  // Each page is at least created and renamed: they are counted.
  expect(few).toBeGreaterThan(80);
  expect(many).toBeLessThan(6 * few);
});
