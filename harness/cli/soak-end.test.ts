// The end of a night loses as little as can be, and two soaks never share a folder.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SoakNight } from '../model/soak.ts';
import { lockFolder } from '../plan/folder-lock.ts';
import { HISTORY_FILE } from '../plan/soak/history.ts';
import { endNight } from './soak-end.ts';
import { toSoakOptions } from './soak-options.ts';
import { soak } from './soak.ts';
import { testTerminal } from './test-terminal.ts';

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-soak-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const report: SoakNight = {
  format: 1, night: 'n', startedAt: '2026-11-30T22:00:00.000Z', budgetMs: 1, tookMs: 1, seed: 7, runtime: 'process', why: '', version: '0.1.0', jobs: 1, endedEarly: null, rounds: 1, runs: 0,
  cells: [], notReached: [], doesNotApply: [], trends: [], noLife: null, outages: [], disk: { limitBytes: 1, keptBytes: 0, largestBytes: 0, removed: [] }, history: { nights: 0, note: null }, exitCode: 0,
};

test('a night whose data cannot be written is in the history all the same, its pages and its report are there, and it is said', async () => {
  const root = temporary();
  const folder = join(root, 'night');
  // A folder is where the file must go.
  mkdirSync(join(folder, 'soak.json/taken'), { recursive: true });
  let said = '';
  const lines = [{ format: 1, night: 'n', system: 'router', runtime: 'process', cell: 'a', runs: 1, judged: 1, notPassed: 0, medianMs: 5, symptoms: [] }] as const;
  await expect(endNight({ root, folder, report, lines, write: (text) => (said += text) })).rejects.toThrow(/soak\.json/);
  expect(JSON.parse(readFileSync(join(root, HISTORY_FILE), 'utf8'))).toEqual(lines[0]);
  expect([existsSync(join(folder, 'soak.md')), existsSync(join(folder, 'soak.html'))]).toEqual([true, true]);
  expect(said).toContain('Where to look first:');
});

const SCENARIO = join(import.meta.dirname, '../../scenarios/disconnect/finite.yaml');

/** Refused before anything is begun. */
const soakInto = (output: string): Promise<number> =>
  soak(testTerminal().terminal, toSoakOptions([SCENARIO], { runtime: 'process', output, live: 'none', for: 1 }));

test('a second soak into the same folder is refused, by whatever path', async () => {
  const root = temporary();
  const [nights, again] = [join(root, 'nights'), join(root, 'again')];
  mkdirSync(nights);
  symlinkSync(nights, again);
  using _ = await lockFolder('soak', nights, (holder) => new Error(holder));
  await expect(soakInto(again)).rejects.toMatchObject({ problems: [{ code: 'soak-under-way', message: expect.stringContaining(`process ${process.pid} soaks into ${again} already`) }] });
});

test('an output folder that is a file is named, before a night begins', async () => {
  const file = join(temporary(), 'file');
  writeFileSync(file, '');
  await expect(soakInto(file)).rejects.toMatchObject({ problems: [{ code: 'output-not-writable', message: `${file} cannot be made` }] });
});
