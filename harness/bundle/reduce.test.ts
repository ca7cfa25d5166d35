// What is left of a bundle that was made smaller is a bundle: whatever stands in its lines, and wherever the last of them breaks off.
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  archiveBundle({ folder, root: 'it', path: join(folder, '..', `${limitBytes}.zip`), limitBytes, refs: new Set(), force: true });

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

test('dumps lose their middles as logs do, and are left out where that is not enough', async () => {
  const folder = unsealedGolden();
  mkdirSync(join(folder, 'dumps'));
  const dump = Array.from({ length: 5_000 }, () => randomBytes(30).toString('base64')).join('\n');
  for (const name of ['router.txt', 'router.file.txt']) writeFileSync(join(folder, 'dumps', name), dump);
  await writeSeal(folder);
  const cut = await archiveOf(folder, 250_000);
  expect(cut.reduced).toMatchObject({ canBeJudged: true, left: ['router.file.txt', 'router.txt'].map((name) => ({ path: `dumps/${name}`, what: 'the middle' })) });
  const { folder: unpacked, isSealed, notes } = await readArchive(cut);
  expect(isSealed).toBe(true);
  expect(notes.join()).toContain('dumps/router.txt: the middle');
  const kept = readFileSync(join(unpacked, 'dumps/router.txt'), 'utf8');
  expect(kept.startsWith(dump.slice(0, 30_000)) && kept.endsWith(dump.slice(-30_000))).toBe(true);
  // Smaller than what is left of them: no limit is refused for their sake.
  const least = await archiveOf(folder, 40_000);
  expect(least.bytes).toBeLessThan(40_000);
  expect(least.reduced?.left.filter(({ what }) => what === 'all').map(({ path }) => path)).toEqual(expect.arrayContaining(['dumps/router.txt', 'dumps/router.file.txt']));
  expect(existsSync(join((await readArchive(least)).folder, 'dumps/router.txt'))).toBe(false);
});

test('of a long line both ends are kept too, and no character is cut in two', async () => {
  const folder = unsealedGolden();
  mkdirSync(join(folder, 'dumps'));
  const long = Array.from({ length: 50_000 }, () => `${randomBytes(9).toString('base64')}\u00e4\u20ac\u{1f600}`).join('');
  // One byte more each: the cuts fall at every place in a character.
  const dumps = [0, 1, 2, 3].map((more) => [`long-${more}.txt`, `short\n${'x'.repeat(more)}${long}\n`] as const);
  for (const [name, text] of dumps) writeFileSync(join(folder, 'dumps', name), text);
  await writeSeal(folder);
  const { folder: unpacked } = await readArchive(await archiveOf(folder, 600_000));
  for (const [name, text] of dumps) {
    const kept = readFileSync(join(unpacked, 'dumps', name), 'utf8');
    const [begin, end] = kept.split(/\n\[\d+ bytes left out of the archive\]\n/) as [string, string];
    for (const part of [begin, end]) expect(Buffer.byteLength(part)).toBeGreaterThan(16 * 1024);
    expect({ name, isBegin: text.startsWith(begin), isEnd: text.endsWith(end) }).toEqual({ name, isBegin: true, isEnd: true });
  }
});

test('what a later version puts into bundles is left out too, at the very end', async () => {
  const folder = unsealedGolden();
  mkdirSync(join(folder, 'later', 'deep'), { recursive: true });
  writeFileSync(join(folder, 'later', 'deep', 'file.bin'), randomBytes(200_000));
  await writeSeal(folder);
  const { left } = (await archiveOf(folder, 100_000)).reduced!;
  expect(left.slice(-2).map(({ path }) => path)).toEqual(['later/deep/file.bin', 'report.md']);
});

test('a last line that was cut off when the run was is no damage in the archive either', async () => {
  const folder = unsealedGolden();
  appendFileSync(timelineOf(folder), '{"atMs":9999,"actor":"har');
  const { isSealed, notes } = await readArchive(await archiveWithout(folder, 'timeline.ndjson'));
  expect(isSealed).toBe(false);
  expect(notes.join()).toContain('the last line of timeline.ndjson was cut off');
});
