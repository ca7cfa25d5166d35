// Who is left up, for how long, and what is said of it. That a real system stays reachable is tested from outside.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cellWith } from '../systems/fixture.ts';
import { testRun } from './fixture.ts';
import { keepUp } from './keep.ts';
import type { Kept, Keeping } from './keep.ts';

const folderOf = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-keep-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** A process that has ended by itself: `process-alive` is violated, whatever else is seen. */
const runOf = (isBad: boolean, signal?: AbortSignal) => {
  const run = testRun({ cell: cellWith({ expect: 'expect: [ process-alive ]' }), ...(signal ? { signal } : {}) });
  run.timeline.note({ type: 'system-started', process: 'proxy', pid: 1 });
  if (isBad) run.timeline.note({ type: 'process-exited', process: 'proxy', code: 1, signal: null });
  return run;
};

const table = (when: Keeping['when'], take = () => true) => {
  const stageFolder = folderOf();
  const told: string[] = [];
  const kept: Kept[] = [];
  const keeping: Keeping = {
    when,
    take: () => (told.push('take'), take()),
    show: (one) => {
      told.push('show');
      kept.push(one);
    },
    isOver: () => void told.push('over'),
  };
  const sampling = {
    end: async () => void told.push('end'),
    rest: async (work: () => Promise<void>) => {
      told.push('rest');
      await work();
      told.push('awake');
    },
  };
  return { told, kept, file: join(stageFolder, 'kept'), input: { keeping, sampling, stageFolder, control: async () => null, isEnd: true } };
};

test('a violation is left up until its file is removed; nothing is sampled meanwhile', async () => {
  const { told, kept, file, input } = table('violated');
  const keeping = keepUp(runOf(true), input);
  await expect.poll(() => kept.length, { message: 'it to be shown' }).toBe(1);
  expect(readFileSync(file, 'utf8')).toContain('Remove this file');
  expect(kept[0]).toMatchObject({ cell: 'disconnect/small', violated: ['process-alive'], file });
  rmSync(file);
  expect(await keeping).toBeGreaterThanOrEqual(0);
  expect(told).toEqual(['take', 'end', 'show', 'rest', 'awake', 'over']);
});

test('an interruption ends it too', async () => {
  const interrupt = new AbortController();
  const { told, kept, file, input } = table('violated');
  const keeping = keepUp(runOf(true, interrupt.signal), input);
  await expect.poll(() => kept.length, { message: 'it to be shown' }).toBe(1);
  interrupt.abort();
  expect(await keeping).not.toBeNull();
  expect(told.slice(-2)).toEqual(['awake', 'over']);
  expect(existsSync(file)).toBe(true);
});

test('what is not violated is passed over; with always it is asked at the end, and not before', async () => {
  const passed = table('violated');
  expect(await keepUp(runOf(false), passed.input)).toBeNull();
  const early = table('always');
  expect(await keepUp(runOf(false), { ...early.input, isEnd: false })).toBeNull();
  expect([...passed.told, ...early.told]).toEqual([]);
  const late = table('always', () => false);
  expect(await keepUp(runOf(false), late.input)).toBeNull();
  expect(late.told).toEqual(['take']);
});

test('one that is not the first, one that was interrupted, and a control are not kept', async () => {
  const second = table('violated', () => false);
  expect(await keepUp(runOf(true), second.input)).toBeNull();
  expect(existsSync(second.file)).toBe(false);
  const interrupted = table('violated');
  expect(await keepUp(runOf(true, AbortSignal.abort()), interrupted.input)).toBeNull();
  const control = table('always');
  const run = runOf(true);
  expect(await keepUp({ ...run, cell: { ...run.cell, staysMs: 100 } }, control.input)).toBeNull();
  expect([...interrupted.told, ...control.told]).toEqual([]);
});
