// What --keep-disk says is what `du` says, from the first group of a night to its last page; and many old nights do not end a new one.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SoakNight, Trend, Worth } from '../model/soak.ts';
import { bytesBelow, createDisk } from '../plan/soak/disk.ts';
import type { HistoryLine } from '../plan/soak/history.ts';
import { createKeeping } from '../plan/soak/keeping.ts';
import { createSoFar } from '../plan/soak/so-far.ts';
import { diskLines } from '../reports/soak/words.ts';
import { endNight, roomForPages } from './soak-end.ts';
import { earlierNights } from './soak-nights.ts';
import { thinPages } from './soak-pages.ts';

const MEBIBYTE = 1024 * 1024;
const TONIGHT = '20261130-220000-aa';
const PAGES = ['soak.html', 'soak.json', 'soak.md'];

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-soak-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const write = (folder: string, name: string, bytes: number): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), Buffer.alloc(bytes, ' '));
};

/** Names in the order of time. */
const nightName = (number: number): string => `20260101-${String(100_000 + number)}-aa`;

const line = (cell: number): HistoryLine => ({
  format: 1, night: TONIGHT, system: 'router', runtime: 'process', cell: `disconnect/endless[place=${cell}]`, runs: 9, judged: 9, notPassed: 0, medianMs: 900, symptoms: [],
});

const trend = (number: number): Trend => ({
  of: `router ${number}`, how: 'one system', measure: 'memory', outcome: 'flat', why: '0 MiB an hour', perHour: null, p: 1, readings: 480, fromMs: 0,
  points: Array.from({ length: 480 }, (_, at) => ({ at: at * 60_000, value: 80_000_000 + ((at * 7_919) % 100_003) })),
});

/** With so many lives that its pages are larger than anybody has guessed. */
const reportOf = (disk: SoakNight['disk']): SoakNight => ({
  format: 1, night: TONIGHT, startedAt: '', budgetMs: 1, tookMs: 1, seed: 1, runtime: 'process', why: '', version: '', jobs: 1, endedEarly: null, rounds: 9, runs: 1_000,
  cells: [], notReached: [], doesNotApply: [], trends: Array.from({ length: 320 }, (_, number) => trend(number)), noLife: null, outages: [], disk,
  history: { nights: 0, note: null }, exitCode: 0,
});

test('of a night of a thousand groups, its journal, its pages and its history never more is on the disk than may be, and as much as is said', async () => {
  const root = temporary();
  write(join(root, nightName(1), 'runs/00001/listed'), 'timeline.ndjson', 9_000);
  for (const name of PAGES) write(join(root, nightName(1)), name, 100_000);
  write(root, 'history.ndjson', 200_000);
  const limit = 14 * MEBIBYTE;
  const { kept, pagesBytes } = await earlierNights(root);
  const disk = createDisk(limit, kept, { bytes: pagesBytes, removed: null });
  expect(disk.keptBytes()).toBe(await bytesBelow(root));
  const folder = join(root, TONIGHT);
  mkdirSync(folder);
  const keeping = createKeeping(folder, disk);
  const soFar = createSoFar(folder, (text) => expect.unreachable(text));
  const lines: HistoryLine[] = [];
  const measured: number[] = [];
  for (let number = 0; number < 1_000; number += 1) {
    const group = await keeping.begin(2);
    expect(group, `there is room for group ${number}`).not.toBeNull();
    write(join(group!, 'control'), 'timeline.ndjson', 5_000);
    for (const name of number % 3 === 0 ? ['one', 'other'] : ['one']) {
      write(join(group!, name), 'timeline.ndjson', 10);
      await keeping.keep(join(group!, name), (['passed', 'known', 'error', 'failed'] as const satisfies readonly Worth[])[number % 4]!);
    }
    if (number % 5 === 0) await disk.drop(join(group!, 'one'));
    await keeping.end(group!);
    if (number % 4 === 0) lines.push(line(number));
    if (number % 20 === 0) await soFar.note(lines);
    if (number % 50 === 49) measured.push(await bytesBelow(root));
  }
  expect(Math.max(...measured)).toBeLessThanOrEqual(limit);
  expect(disk.removed().length).toBeGreaterThan(0);
  const told = () => ({ limitBytes: limit, keptBytes: disk.keptBytes(), largestBytes: keeping.largestAtOnce(), removed: disk.removed() });
  expect(await roomForPages(disk, { folder, report: reportOf(told()), lines })).toBe(true);
  const saidBytes = disk.keptBytes();
  await endNight({ root, folder, report: reportOf(told()), lines, write: () => {} });
  const taken = await bytesBelow(root);
  const pages = await Promise.all(PAGES.map((name) => bytesBelow(join(folder, name))));
  // More than the reserve that a night has for them: some bundles have gone for them.
  expect(pages.reduce((sum, bytes) => sum + bytes)).toBeGreaterThan(4 * MEBIBYTE);
  expect(taken).toBeLessThanOrEqual(limit);
  expect(Math.abs(taken - saidBytes)).toBeLessThan(32 * 1024);
  // No folder of a group is left without a bundle.
  expect(readdirSync(join(folder, 'runs')).filter((group) => readdirSync(join(folder, 'runs', group)).length === 0)).toEqual([]);
}, 120_000);

test('three hundred old nights do not end a new one, and what was removed is said', async () => {
  const root = temporary();
  for (let number = 0; number < 300; number += 1) for (const name of PAGES) write(join(root, nightName(number)), name, 10_000);
  write(root, 'history.ndjson', 300_000);
  const limit = 10 * MEBIBYTE;
  const before = await bytesBelow(root);
  expect(before).toBeGreaterThan(limit);
  const removed = await thinPages(root, limit);
  const { kept, pagesBytes } = await earlierNights(root);
  const disk = createDisk(limit, kept, { bytes: pagesBytes, removed });
  expect(await createKeeping(join(root, TONIGHT), disk).begin(1)).not.toBeNull();
  const left = readdirSync(root).filter((name) => name !== 'history.ndjson');
  expect(left).toEqual(Array.from({ length: left.length }, (_, index) => nightName(300 - left.length + index)));
  expect(await bytesBelow(root)).toBeLessThan(limit / 10 + 400_000);
  expect(await bytesBelow(join(root, 'history.ndjson'))).toBeGreaterThanOrEqual(300_000);
  // The folder that held them all is no smaller than before.
  expect(removed).toEqual({ what: 'pages', count: 300 - left.length, bytes: before - (await bytesBelow(root)) });
  expect(diskLines(reportOf({ limitBytes: limit, keptBytes: 0, largestBytes: 0, removed: disk.removed() }))[1]).toBe(
    `Removed for want of room: pages of ${removed!.count} nights (${Math.round(removed!.bytes / MEBIBYTE)} MiB).`,
  );
});

test('nights whose bundles are gone lose their pages first, the newest ten never do, and what is not ours stays', async () => {
  const root = temporary();
  for (let number = 0; number < 16; number += 1) for (const name of PAGES) write(join(root, nightName(number)), name, 100_000);
  for (const number of [0, 1, 12]) write(join(root, nightName(number), 'runs/00001/bundle'), 'verdicts.json', 10);
  mkdirSync(join(root, nightName(2), 'runs/00007'), { recursive: true });
  write(join(root, nightName(3)), 'notes.txt', 10);
  write(join(root, nightName(4), 'other'), 'soak.html', 10);
  const pagesOf = (number: number): readonly string[] => PAGES.filter((name) => existsSync(join(root, nightName(number), name)));
  expect(await thinPages(root, 60 * MEBIBYTE)).toBeNull();
  // What is too much is taken by three: the two oldest have bundles still.
  expect(await thinPages(root, 40 * MEBIBYTE)).toMatchObject({ what: 'pages', count: 3 });
  expect(Array.from({ length: 16 }, (_, number) => pagesOf(number).length)).toEqual([3, 3, 0, 0, 0, ...Array.from({ length: 11 }, () => 3)]);
  expect([existsSync(join(root, nightName(2))), readdirSync(join(root, nightName(3))), readdirSync(join(root, nightName(4)))]).toEqual([false, ['notes.txt'], ['other']]);
  const last = await thinPages(root, MEBIBYTE);
  expect(last).toMatchObject({ what: 'pages', count: 3 });
  expect(Array.from({ length: 16 }, (_, number) => pagesOf(number).length)).toEqual([...Array.from({ length: 6 }, () => 0), ...Array.from({ length: 10 }, () => 3)]);
  expect((await earlierNights(root)).kept).toHaveLength(3);
  // They have nothing more to lose, and are not counted again.
  expect(await thinPages(root, MEBIBYTE)).toBeNull();
});
