// Files that a real process holds open: those without a name count, each once, and nothing is made up.
import { expect, it } from 'vitest';
import { runProgram } from './fixture.ts';
import { openFileBytes } from './open-files.ts';
import { openProcesses } from './process.ts';

const MIB = 1024 * 1024;

/** Writes a file, unlinks it, holds it open twice, and waits. */
const KEEPER = `
  import { mkdtempSync, openSync, rmSync, writeSync, fsyncSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  const folder = mkdtempSync(join(tmpdir(), 'hangup-open-'));
  const path = join(folder, 'kept');
  const file = openSync(path, 'w');
  openSync(path, 'r');
  writeSync(file, Buffer.alloc(${4 * MIB}, 1));
  fsyncSync(file);
  rmSync(folder, { recursive: true });
  console.log('kept');
  setInterval(() => {}, 1000);`;

it('counts a file without a name, once', async () => {
  const { child, ready } = runProgram(KEEPER);
  await ready;
  const bytes = openFileBytes('/proc', [child.pid!, child.pid!])!;
  expect(bytes).toBeGreaterThanOrEqual(4 * MIB);
  expect(bytes).toBeLessThan(6 * MIB);
  expect(openProcesses({ roots: { keeper: child.pid! }, files: true }).sample().fileBytes).toBe(bytes);
  expect(openProcesses({ roots: { keeper: child.pid! } }).sample()).not.toHaveProperty('fileBytes');
});

it('says nothing of processes that it cannot see', () => {
  expect(openFileBytes('/proc', [])).toBeUndefined();
  expect(openFileBytes('/proc', [2 ** 30])).toBeUndefined();
});
