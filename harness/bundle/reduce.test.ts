// What is left of a bundle that was made smaller is a bundle: whatever stands in its lines, and wherever the last of them breaks off.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import type { Observation } from '../model/observation.ts';
import { createScope } from '../model/scope.ts';
import { bundleFolderOf } from './archive-read.ts';
import { archiveBundle } from './archive.ts';
import type { Archive } from './archive.ts';
import { unsealedGolden } from './fixture.ts';
import { readBundle } from './read.ts';
import type { Bundle } from './read.ts';
import { writeSeal } from './seal.ts';

const archiveOf = (folder: string, limitBytes: number): Promise<Archive> =>
  archiveBundle({ folder, root: 'it', path: join(folder, '..', 'it.zip'), limitBytes, refs: new Set(), force: true });

/** The first that has left out something of that file. */
const archiveWithout = async (folder: string, name: string): Promise<Archive> => {
  let made = await archiveOf(folder, 10_000_000);
  for (let limitBytes = made.bytes; made.reduced?.left.some(({ path }) => path === name) !== true; limitBytes -= 4_000) made = await archiveOf(folder, limitBytes);
  return made;
};

const readArchive = async ({ path }: Archive): Promise<Bundle> => {
  const scope = createScope();
  onTestFinished(async () => void (await scope.close()));
  return readBundle(await bundleFolderOf(path, scope));
};

const timelineOf = (folder: string): string => join(folder, 'timeline.ndjson');

test('an observation with line separators in its texts is kept as it is', async () => {
  const folder = unsealedGolden();
  const separated = { atMs: 1, actor: 'harness', seq: 90_001, type: 'refund', account: 'alice', attempt: 1, status: 400, verdict: 'refused',
    answer: '{"error":"no\u2028refund\u2029"}',
  };
  writeFileSync(timelineOf(folder), `${JSON.stringify(separated)}\n${readFileSync(timelineOf(folder), 'utf8')}`);
  await writeSeal(folder);
  const { timeline, isSealed } = await readArchive(await archiveWithout(folder, 'timeline.ndjson'));
  expect(isSealed).toBe(true);
  const has = (one: Observation): boolean => one.seq === separated.seq;
  expect(timeline.all.find(has)).toEqual((await readBundle(folder)).timeline.all.find(has));
  expect(JSON.stringify(timeline.all.find(has))).toContain('no\u2028refund\u2029');
});

test('a last line that was cut off when the run was is no damage in the archive either', async () => {
  const folder = unsealedGolden();
  appendFileSync(timelineOf(folder), '{"atMs":9999,"actor":"har');
  const { isSealed, notes } = await readArchive(await archiveWithout(folder, 'timeline.ndjson'));
  expect(isSealed).toBe(false);
  expect(notes.join()).toContain('the last line of timeline.ndjson was cut off');
});
