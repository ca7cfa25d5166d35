// Work in turns: what it comes to, and that others get theirs.
import { expect, test } from 'vitest';
import { nowMs } from './time.ts';
import { atOnce, inTurns } from './turns.ts';

const PART_MS = 15;

function* busy(parts: number, log: string[]): Generator<void, number> {
  for (let part = 1; part <= parts; part += 1) {
    const untilMs = nowMs() + PART_MS;
    while (nowMs() < untilMs);
    log.push(`part ${part}`);
    yield;
  }
  return parts;
}

function* failing(): Generator<void, number> {
  yield;
  throw new Error('no more');
}

test('at once nobody else comes in between; in turns whoever waits does, after each long part', async () => {
  const log: string[] = [];
  setImmediate(() => log.push('other'));
  expect(atOnce(busy(2, log))).toBe(2);
  expect(log).toEqual(['part 1', 'part 2']);
  const working = inTurns(busy(2, log));
  expect(await working).toBe(2);
  expect(log.slice(2)).toEqual(['part 1', 'other', 'part 2']);
});

test('what goes wrong in it goes to whoever asked for it', async () => {
  expect(() => atOnce(failing())).toThrow('no more');
  await expect(inTurns(failing())).rejects.toThrow('no more');
});
