// A system that is started again: by whom it is followed, and what is said of a clock. Real processes are in harness/run.
import { describe, expect, test } from 'vitest';
import { createLiveTimeline } from '../model/live.ts';
import type { RunningSystem, Stage } from '../runtimes/runtime.ts';
import { noteClock } from './clock.ts';
import { cellWith } from './fixture.ts';
import { createProcess } from './process-lives.ts';

/** One life of a process, which ends when it is told to. */
const lifeOf = (pid: number): RunningSystem & { readonly end: (code: number) => void } => {
  const { promise, resolve } = Promise.withResolvers<Awaited<RunningSystem['exited']>>();
  let isOver = false;
  return {
    name: 'proxy',
    pid,
    exited: promise,
    hasExited: () => isOver,
    readLog: async () => `of ${pid}`,
    signal: async () => true,
    end: (code) => {
      isOver = true;
      resolve({ code, signal: null, atMs: 0 });
    },
  };
};

test('a process stays the same through its lives, and each start and end is noted', async () => {
  const lives = [lifeOf(11), lifeOf(12)];
  const timeline = createLiveTimeline(() => {});
  let begun = 0;
  const stage: Pick<Stage, 'startSystem'> = { startSystem: async () => lives[begun++]! };
  const process = createProcess({ name: 'proxy' }, stage, timeline);
  expect(() => process.hasExited()).toThrow('proxy was never started');
  await process.start();
  const before = process.exited;
  expect([process.pid, process.hasExited(), await process.readLog()]).toEqual([11, false, 'of 11']);
  lives[0]!.end(3);
  expect(await before).toMatchObject({ code: 3 });
  expect(process.hasExited()).toBe(true);
  const told: (number | null)[] = [];
  await process.start(async () => {
    told.push(process.pid, timeline.observations.filter(({ type }) => type === 'system-started').length);
  });
  expect(told, 'who looks at processes is told of the new one before its start is noted').toEqual([12, 1]);
  expect([process.pid, process.hasExited(), await process.readLog()]).toEqual([12, false, 'of 12']);
  expect(timeline.observations.map((seen) => (seen.type === 'system-started' ? seen.pid : seen.type))).toEqual([11, 'process-exited', 12]);
});

describe('a wrong clock is shown by the system itself', () => {
  const cell = cellWith({ system: 'system: { card: small, instances: 2, clocks: { 2: { behind: 1h } } }' });
  const say = (instance: number, headers: Record<string, string>): readonly string[] => {
    const timeline = createLiveTimeline(() => {});
    noteClock(cell, timeline, instance, { headers });
    return timeline.observations.map((seen) => (seen.type === 'fault' ? `${seen.fault} ${seen.edge}: ${seen.detail}` : seen.type));
  };
  const dated = (aheadMs: number): Record<string, string> => ({ date: new Date(Date.now() + aheadMs).toUTCString() });

  test('fired where its date says so', () => {
    expect(say(2, dated(-3_600_000))).toEqual(['clock fired: the wall clock of proxy.2 is 60.0 min behind']);
  });

  test('failed where its date says otherwise, or nothing', () => {
    expect(say(2, dated(0))).toEqual([expect.stringMatching(/^clock failed: .* should be 60\.0 min behind, but its answers are dated/)]);
    expect(say(2, {})).toEqual([expect.stringMatching(/^clock failed: .* no date/)]);
    expect(say(2, { date: 'tomorrow' })).toEqual([expect.stringMatching(/^clock failed: .* no date/)]);
  });

  test('of one whose clock is to be right nothing is said', () => {
    expect(say(1, dated(-3_600_000))).toEqual([]);
  });
});
