// Silence of a stage is told once, dated when something was heard last; who says little is not silent.
import { expect, test } from 'vitest';
import { nowMs } from '../model/time.ts';
import { watchHeard } from './docker-heard.ts';
import { eventually } from './fixtures/wait.ts';

test('where nothing comes any more it is told, once', async () => {
  let told = 0;
  const heard = watchHeard(() => (told += 1), 10);
  heard.note();
  const notedMs = nowMs();
  await eventually('the silence', () => told > 0);
  expect(heard.lastMs()).toBeLessThanOrEqual(notedMs);
  heard.note();
  await eventually('many times as long', () => nowMs() - notedMs > 1_000);
  expect(told).toBe(1);
});

test('before the first word nobody is silent, and nobody is after the end', async () => {
  let told = 0;
  const unheard = watchHeard(() => (told += 1), 5);
  const ended = watchHeard(() => (told += 1), 5);
  ended.note();
  ended.end();
  const beganMs = nowMs();
  await eventually('many looks', () => nowMs() - beganMs > 500);
  expect(told).toBe(0);
  unheard.end();
});

test('a harness that was held up has looked once only', async () => {
  let told = 0;
  const heard = watchHeard(() => (told += 1), 50);
  heard.note();
  for (const untilMs = nowMs() + 1_000; nowMs() < untilMs;);
  // What had come meanwhile is read now.
  await new Promise((resolve) => setImmediate(resolve));
  heard.note();
  expect(told).toBe(0);
  heard.end();
});
