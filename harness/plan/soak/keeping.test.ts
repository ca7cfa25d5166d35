// Room is never exceeded and what says least goes first; a torn history costs one line; what is remembered of a cell is bounded; an engine
// that is away is waited for.
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bytesBelow, createDisk } from './disk.ts';
import type { Worth } from '../../model/soak.ts';
import { createEngineGate } from './engine.ts';
import { appendHistory, readHistory } from './history.ts';
import type { HistoryLine } from './history.ts';
import { createKeeping } from './keeping.ts';
import { createTally, note } from './tally.ts';
import type { Told } from './tally.ts';

const MEBIBYTE = 1024 * 1024;

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-soak-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const bundle = (folder: string, bytes: number): string => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'timeline.ndjson'), Buffer.alloc(bytes, 'x'));
  return folder;
};

test('the oldest passes go first, violations last, and no more is taken than allowed', async () => {
  const root = temporary();
  const limit = 40 * MEBIBYTE;
  const disk = createDisk(limit);
  const keeping = createKeeping(root, disk);
  const worths: readonly Worth[] = ['failed', 'passed', 'inconclusive', 'passed', 'error', 'passed', 'failed', 'passed', 'passed', 'inconclusive', 'failed', 'passed'];
  const made: string[] = [];
  let largest = 0;
  for (const worth of worths) {
    const group = await keeping.begin(1);
    expect(group).not.toBeNull();
    made.push(bundle(join(group!, 'bundle'), 6 * MEBIBYTE));
    bundle(join(group!, 'control'), MEBIBYTE);
    largest = Math.max(largest, await bytesBelow(root));
    await keeping.keep(made.at(-1)!, worth);
    await keeping.end(group!);
  }
  expect(largest).toBeLessThanOrEqual(limit);
  expect(await bytesBelow(root)).toBeLessThanOrEqual(limit);
  expect(disk.removed().map(({ what }) => what)).toEqual(['passed', 'error', 'inconclusive']);
  // All three violations are there, and what was kept last was a pass.
  expect(made.filter((folder) => disk.has(folder)).map((folder) => worths[made.indexOf(folder)])).toEqual(expect.arrayContaining(['failed', 'failed', 'failed']));
  expect(disk.keptBytes()).toBeGreaterThan(18 * MEBIBYTE);
});

test('what cannot be removed ends no night', async () => {
  const file = join(temporary(), 'file');
  writeFileSync(file, 'x');
  const disk = createDisk(10);
  // Nothing can be removed below what is no folder.
  disk.keep({ folder: join(file, 'bundle'), bytes: 10, worth: 'passed', order: 1 });
  expect(await disk.makeRoom(5, 0)).toBe(true);
});

test('without room for anything a group is cut rather than the limit passed', async () => {
  const root = temporary();
  const disk = createDisk(8 * MEBIBYTE);
  const keeping = createKeeping(root, disk);
  const group = await keeping.begin(4);
  const { promise: cut, resolve } = Promise.withResolvers<string>();
  const watch = keeping.watch(resolve);
  onTestFinished(watch.stop);
  bundle(join(group!, 'bundle'), 7 * MEBIBYTE);
  expect(await cut).toBe(group);
});

test('a run that grows and grows is cut before a violation is given for it; of what is kept, the older half of violations may make room', async () => {
  const root = temporary();
  const disk = createDisk(60 * MEBIBYTE);
  const keeping = createKeeping(root, disk);
  const violated: string[] = [];
  for (const worth of ['failed', 'failed', 'error', 'failed'] as const) {
    const group = await keeping.begin(1);
    const folder = bundle(join(group!, 'bundle'), 8 * MEBIBYTE);
    if (worth === 'failed') violated.push(folder);
    await keeping.keep(folder, worth);
    await keeping.end(group!);
  }
  const runaway = await keeping.begin(1);
  const { promise: cut, resolve } = Promise.withResolvers<string>();
  const watch = keeping.watch(resolve);
  onTestFinished(watch.stop);
  const grown = bundle(join(runaway!, 'bundle'), 34 * MEBIBYTE);
  expect(await cut).toBe(runaway);
  watch.stop();
  expect(violated.map((folder) => disk.has(folder))).toEqual([true, true, true]);
  await keeping.keep(grown, 'error');
  await keeping.end(runaway!);
  // What was cut goes for the next one, and no violation does.
  expect(await keeping.begin(1)).not.toBeNull();
  expect([...violated, grown].map((folder) => disk.has(folder))).toEqual([true, true, true, false]);
  // 24 of 60 have failed, less than half: what more would need them has to wait.
  expect(await disk.makeRoom(40 * MEBIBYTE, 30 * MEBIBYTE)).toBe(false);
  expect(violated.map((folder) => disk.has(folder))).toEqual([true, true, true]);
  expect(await disk.makeRoom(40 * MEBIBYTE, 12 * MEBIBYTE)).toBe(true);
  expect(violated.map((folder) => disk.has(folder))).toEqual([false, true, true]);
});

test('what the night itself writes takes room too: a pass goes for it', async () => {
  const root = temporary();
  const disk = createDisk(20 * MEBIBYTE);
  const keeping = createKeeping(root, disk);
  const group = await keeping.begin(1);
  const kept = bundle(join(group!, 'bundle'), 6 * MEBIBYTE);
  await keeping.keep(kept, 'passed');
  await keeping.end(group!);
  const next = await keeping.begin(1);
  expect([next === null, disk.has(kept)]).toEqual([false, true]);
  await keeping.end(next!);
  writeFileSync(join(root, 'so-far.ndjson'), Buffer.alloc(4 * MEBIBYTE, 'x'));
  expect(await keeping.begin(1)).not.toBeNull();
  expect(disk.has(kept)).toBe(false);
});

test('the folder of a group is counted once, as long as a bundle of it is kept, and is gone with the last, also while the group is under way', async () => {
  const root = temporary();
  const disk = createDisk(40 * MEBIBYTE);
  const keeping = createKeeping(root, disk);
  const group = (await keeping.begin(2))!;
  for (const name of ['one', 'other']) await keeping.keep(bundle(join(group, name), 100_000), 'passed');
  bundle(join(group, 'control'), 100_000);
  const bundleBytes = await bytesBelow(join(group, 'one'));
  const groupBytes = (await bytesBelow(group)) - 3 * bundleBytes;
  expect(disk.keptBytes()).toBe(2 * bundleBytes + groupBytes);
  await disk.drop(join(group, 'one'));
  expect(disk.keptBytes()).toBe(bundleBytes + groupBytes);
  await disk.drop(join(group, 'other'));
  expect(disk.keptBytes()).toBe(0);
  expect(await bytesBelow(group)).toBe(bundleBytes + groupBytes);
  await keeping.end(group);
  expect(await bytesBelow(group)).toBe(0);
});

const line = (night: string, fingerprints: readonly string[], notPassed = fingerprints.length): HistoryLine => ({
  format: 1, night, system: 'router', runtime: 'process', cell: 'disconnect/endless', runs: 10, judged: 10, notPassed, medianMs: 900,
  symptoms: fingerprints.map((fingerprint) => ({ fingerprint, words: `because of ${fingerprint}`, outcome: 'violated' })),
});

test('a history with a torn line is read without it, and goes on behind it', async () => {
  const file = join(temporary(), 'history.ndjson');
  expect(await readHistory(file)).toMatchObject({ nights: 0, note: null });
  await appendHistory(file, [line('1', ['a']), line('2', ['a', 'b'])]);
  appendFileSync(file, JSON.stringify(line('3', ['c'])).slice(0, 90));
  await appendHistory(file, [line('4', ['b'])]);
  appendFileSync(file, '{"format":1,"night":7}\nnull\n');
  const history = await readHistory(file);
  expect(history.nights).toBe(3);
  expect(history.note).toMatch(/^left out, since cut off or not written by a soak: 3 lines of/);
  const past = history.of('router', 'process', 'disconnect/endless')!;
  expect(past).toMatchObject({ nights: 3, judged: 30, notPassed: 4, medianMs: 900 });
  expect(Object.fromEntries(past.since)).toEqual({ a: '1', b: '2' });
  expect(past.latest.map(({ fingerprint }) => fingerprint)).toEqual(['b']);
  expect(history.of('another', 'process', 'disconnect/endless')).toBeNull();
  expect(readFileSync(file, 'utf8').split('\n').filter((each) => each.includes('"night":"4"'))).toHaveLength(1);
});

test('of a cell the first and the last pass are kept, everything else that is not, and few of the same error', () => {
  const tally = createTally('disconnect/endless', 'router');
  let number = 0;
  const run = (status: Told['status'], fingerprint?: string): string | null => {
    number += 1;
    const outcome = status === 'known' || status === 'does-not-apply' ? 'passed' : status;
    const seen = fingerprint === undefined ? [] : [{ fingerprint, words: fingerprint, outcome: 'error' as const }];
    return note(tally, { cell: tally.cell, system: 'router', outcome, status, tookMs: number, folder: `run-${number}`, seen, fixed: [] });
  };
  expect([run('passed'), run('passed'), run('failed', 'x'), run('passed'), run('inconclusive', 'y'), run('passed')]).toEqual([null, null, null, 'run-2', null, 'run-4']);
  expect(tally.kept.map(({ folder }) => folder)).toEqual(['run-1', 'run-3', 'run-5', 'run-6']);
  const errors = Array.from({ length: 8 }, () => run('error', 'engine-unreachable'));
  expect(errors.filter((folder) => folder === null)).toHaveLength(5);
  expect(tally).toMatchObject({ runs: 14, judged: 6, notPassed: 2, first: 'run-1', last: 'run-6' });
  for (let more = 0; more < 5_000; more += 1) run('failed', `symptom ${more}`);
  expect([tally.durations.length, tally.symptoms.size, tally.kept.length].every((size) => size <= 400)).toBe(true);
});

test('an engine that does not answer is waited for, and then swept', async () => {
  const answers = [false, false, false, true];
  const told: string[] = [];
  let swept = 0;
  const gate = createEngineGate({
    runtime: { kind: 'docker', probe: async () => ({ available: answers.shift() ?? true, why: 'connection refused', isolation: 'namespace' }) },
    sweep: async () => (swept += 1), elapsedMs: () => 5, isOver: () => false, signal: new AbortController().signal, progress: (text) => told.push(text), pollMs: 1,
  });
  gate.suspect([{ family: 'scenario' }]);
  expect(gate.isSuspected()).toBe(false);
  gate.suspect([{ family: 'environment' }]);
  await gate.ask();
  expect([gate.isSuspected(), gate.isAway()]).toEqual([true, true]);
  expect(await gate.untilAnswering()).toBe(true);
  expect([gate.isSuspected(), gate.isAway(), swept]).toEqual([false, false, 1]);
  expect(gate.outages()).toHaveLength(1);
  expect(told).toEqual(['the engine does not answer (connection refused); waiting until it does', expect.stringMatching(/^the engine answers again/)]);
});
