// Interrupted once and twice, killed, and swept by the next start; also through the wrapper, by which
// the command runs where the machine's own Node is too old.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, describe, test } from 'vitest';
import { interruptedEarly, interruptedOnce, interruptedTwice, killed, removeFolders, sweptByTheNext } from './fixtures/endings.ts';
import type { Ending } from './fixtures/endings.ts';

const LIMIT_MS = 90_000;
const MAJOR = 24;

/** A Node of the machine's own that is too old to run the sources. */
const oldNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find(
    (path) =>
      existsSync(path) && Number(spawnSync(path, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' }).stdout) < MAJOR,
  );

afterAll(removeFolders);

const direct: Ending = { runtime: 'process' };

describe.concurrent('the command itself', () => {
  test('SIGINT once stops, seals and leaves nothing', () => interruptedOnce(direct), LIMIT_MS);
  test('SIGINT while the system is not ready yet', () => interruptedEarly(), LIMIT_MS);
  test('SIGTERM is the same', () => interruptedOnce(direct, 'SIGTERM'), LIMIT_MS);
  test('SIGINT twice ends at once and leaves nothing', () => interruptedTwice(direct), LIMIT_MS);
  test('SIGKILL leaves nothing but a bundle that can be read', () => killed(direct), LIMIT_MS);
  test('what a killed guard could not remove is swept by the next start', () => sweptByTheNext(direct), LIMIT_MS);
});

describe.skipIf(oldNode === undefined)('through the wrapper, on a Node that is too old', () => {
  const wrapped: Ending = { runtime: 'process', ...(oldNode === undefined ? {} : { node: oldNode }) };
  test.concurrent('SIGINT once stops, seals and leaves nothing', () => interruptedOnce(wrapped), LIMIT_MS);
  test.concurrent('SIGINT twice ends at once and leaves nothing', () => interruptedTwice(wrapped), LIMIT_MS);
  test.concurrent('SIGKILL leaves nothing but a bundle that can be read', () => killed(wrapped), LIMIT_MS);
});
