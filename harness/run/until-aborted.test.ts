// Work and an interruption: whichever is first.
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { untilAborted } from './until-aborted.ts';

test('gives what the work gives, and leaves no listener behind', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(7), signal)).toBe(7);
  await expect(untilAborted(Promise.reject(new Error('broke')), signal)).rejects.toThrow('broke');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('does not wait for work that is interrupted, before or during it; what it throws then is nobody\'s', async () => {
  const interrupt = new AbortController();
  let fail = (_: Error): void => {};
  const work = untilAborted(new Promise<number>((_, reject) => { fail = reject; }), interrupt.signal);
  interrupt.abort();
  expect(await work).toBeUndefined();
  fail(new Error('too late'));
  expect(await untilAborted(new Promise(() => {}), interrupt.signal)).toBeUndefined();
});
