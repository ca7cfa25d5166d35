// How long a thread may have been waiting without a break: told by later samples only, since a wait is counted when it is over.
import { describe, expect, test } from 'vitest';
import { waitedOnMs, worstStarvation } from './readings.ts';
import type { Reading } from './readings.ts';
import type { ProcessValue } from './samples.ts';

const sample = (atMs: number, runDelays: Readonly<Record<string, number>>): Reading<ProcessValue> => ({
  beganMs: atMs - 1, atMs, ref: `probe.process#${atMs}`, value: { alive: {}, pids: [], rssBytes: 0, runDelayMs: 0, runDelays },
});
/** One each 100 ms, of a thread whose count is given from 0 ms on. */
const counted = (...delays: readonly number[]): readonly Reading<ProcessValue>[] => delays.map((delay, index) => sample(100 * index, { '9:9': delay }));

describe('a wait since 250 ms', () => {
  test.each<[string, readonly Reading<ProcessValue>[], number]>([
    ['none', counted(0, 0, 0, 0, 0, 0), 250],
    ['one that was over with the next sample', counted(0, 0, 0, 90, 90, 90), 250],
    ['one that may have begun then', counted(0, 0, 0, 0, 0, 0, 249, 249), 500],
    ['one that began later', counted(0, 0, 0, 0, 0, 0, 248, 248), 250],
    ['one that was counted in parts', counted(0, 0, 0, 0, 130, 130, 280, 280), 500],
    ['one, and after a break another', counted(0, 0, 0, 0, 130, 130, 200, 200), 300],
    ['short ones that began later', counted(0, 0, 0, 0, 0, 49, 149, 249), 250],
    ['one that was over, and a little now and then', counted(0, 0, 0, 0, 0, 0, 400, 401, 402, 403), 600],
    ['one that had begun long before', counted(0, 0, 0, 0, 0, 0, 550, 550), 500],
    ['one that is not over when the record ends', counted(0, 0, 0, 0), 250],
    ['none that was looked at', [], 250],
  ])('%s', (_, readings, toMs) => expect(waitedOnMs(readings, 250)).toBe(toMs));

  test('of a thread that was not there yet is none', () => {
    expect(waitedOnMs([sample(200, {}), sample(300, {}), sample(400, { '9:9': 400 })], 250)).toBe(250);
  });
  test('of a process that is not asked about is none', () => {
    const readings = counted(0, 0, 0, 0, 0, 0, 300);
    expect(waitedOnMs(readings, 250, new Set(['9']))).toBe(250);
    expect(waitedOnMs(readings, 250, new Set(['8']))).toBe(500);
  });
  test('is counted whole where the window is as long as it', () => {
    const readings = counted(0, 0, 0, 0, 0, 0, 300);
    expect(worstStarvation(readings, { fromMs: 0, toMs: 250 }, Infinity).waitedMs).toBe(0);
    expect(worstStarvation(readings, { fromMs: 0, toMs: waitedOnMs(readings, 250) }, Infinity).waitedMs).toBe(300);
  });
});
