// Bundles that are named by their archive: the same is said of them, and what was unpacked is gone afterwards.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archiveBundle } from '../bundle/archive.ts';
import { temporaryFolder } from '../bundle/fixture.ts';
import { runCommand } from './program.ts';
import { testTerminal } from './test-terminal.ts';
import { withBundle } from './with-bundle.ts';

const GOLDEN = join(import.meta.dirname, '..', '..', 'evidence', 'golden', 'failed');

const zipped = async (): Promise<string> => {
  const path = join(temporaryFolder(), 'failed.zip');
  await archiveBundle({ folder: GOLDEN, root: 'failed', path, limitBytes: 10_000_000, refs: new Set(), force: false });
  return path;
};

const said = async (...argv: readonly string[]): Promise<readonly [number, string]> => {
  const { terminal, out } = testTerminal();
  const code = await runCommand(argv, terminal);
  return [code, out().replace(/^Evidence: .*$/m, '')];
};

test.each([['judge'], ['diff', 'gone', 'end']])('%s says the same of an archive as of its folder', async (command, ...marks) => {
  const [code, text] = await said(command, await zipped(), ...marks);
  expect([code, text]).toEqual(await said(command, GOLDEN, ...marks));
  expect(text.length).toBeGreaterThan(100);
});

test('what was unpacked is gone afterwards, also where the work failed', async () => {
  const seen: string[] = [];
  const work = async (folder: string): Promise<void> => {
    seen.push(folder);
    expect(existsSync(join(folder, 'manifest.json'))).toBe(true);
    throw new Error('enough');
  };
  await expect(withBundle(await zipped(), work)).rejects.toThrow('enough');
  expect(seen.map((folder) => existsSync(folder))).toEqual([false]);
});
