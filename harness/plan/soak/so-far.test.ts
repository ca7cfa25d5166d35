// A night that was cut off is in the history by what it had judged, once; a history that cannot be used is told before a night begins.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { appendHistory, HISTORY_FILE } from './history.ts';
import type { HistoryLine } from './history.ts';
import { createSoFar, openHistory } from './so-far.ts';

const NIGHT = '20261129-220000-aa';

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-soak-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, NIGHT));
  return folder;
};

const line = (cell: string, runs: number): HistoryLine => ({ format: 1, night: NIGHT, system: 'router', runtime: 'process', cell, runs, judged: runs, notPassed: 1, medianMs: 5, symptoms: [] });

test('what was noted last is taken in once, less what the history has already; a torn line costs itself', async () => {
  const root = temporary();
  const soFar = createSoFar(join(root, NIGHT), () => {});
  await Promise.all([soFar.note([line('a', 1)]), soFar.note([line('a', 2)]), soFar.note([line('a', 3), line('b', 4)])]);
  // It was killed while it wrote its end.
  await appendHistory(join(root, HISTORY_FILE), [line('b', 4)]);
  writeFileSync(join(root, NIGHT, 'so-far.ndjson'), '{"format":1,"nig', { flag: 'a' });
  const history = await openHistory(root);
  expect([history.of('router', 'process', 'a')?.judged, history.of('router', 'process', 'b')?.judged, history.nights]).toEqual([3, 4, 1]);
  expect(history.note).toBe(`cut off before it could end, and in the history by what it had judged: ${NIGHT} (3 judged)`);
  expect(await openHistory(root)).toMatchObject({ nights: 1, note: null });
  expect(readFileSync(join(root, HISTORY_FILE), 'utf8').split('\n').filter(Boolean)).toHaveLength(2);
  expect(readdirSync(join(root, NIGHT))).toEqual([]);
});

test('what cannot be noted is told once, and ends nothing', async () => {
  const root = temporary();
  const told: string[] = [];
  const soFar = createSoFar(join(root, 'not-there'), (text) => told.push(text));
  await soFar.note([line('a', 1)]);
  await soFar.note([line('a', 2)]);
  expect(told).toEqual([expect.stringMatching(/^if it is killed, the history will not know all of this night: ENOENT/)]);
});

test('a history that is a folder is named, with what to do', async () => {
  const root = temporary();
  mkdirSync(join(root, HISTORY_FILE));
  const problems = [{ family: 'environment', code: 'history-not-usable', message: expect.stringContaining(join(root, HISTORY_FILE)), hint: expect.stringContaining('move it away') }];
  await expect(openHistory(root)).rejects.toMatchObject({ problems });
  await expect(appendHistory(join(root, HISTORY_FILE), [line('a', 1)])).rejects.toMatchObject({ problems });
});
