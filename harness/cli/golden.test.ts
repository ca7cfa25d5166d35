// The committed bundles: whoever changes a judge or the format sees here what becomes of old evidence.
// A judge that is meant to say otherwise raises JUDGE_VERSION, and these bundles are made anew.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import { PACKAGE_ROOT } from '../scenario/identity.ts';
import { judgeBundle } from './judge.ts';

const GOLDEN = join(PACKAGE_ROOT, 'evidence', 'golden');
const OUTCOMES: Readonly<Record<string, number>> = { 'disconnect-finite': 0, 'disconnect-endless-how-rst-with-ignores-disconnect': 1 };

test('there is one of each kind', () => {
  expect(readdirSync(GOLDEN).sort()).toEqual(Object.keys(OUTCOMES).sort());
});

test.each(Object.entries(OUTCOMES))('%s is sealed, and judged again to the same bytes', async (name, exitCode) => {
  const { isSealed, notes } = await readBundle(join(GOLDEN, name));
  expect({ isSealed, notes }).toEqual({ isSealed: true, notes: [] });
  const judged = await judgeBundle(join(GOLDEN, name));
  expect(judged.output).toContain('byte for byte');
  expect(judged.exitCode).toBe(exitCode);
});
