// Who waits for so long at most gets what came in time, and else what the caller says; a refusal is a refusal.
import { expect, test } from 'vitest';
import { within } from './within.ts';

const never = new Promise<string>(() => {});

test('what is done in time is what it is, a refusal too', async () => {
  expect(await within(Promise.resolve('done'), 60_000, () => 'late')).toBe('done');
  await expect(within(Promise.reject(new Error('refused')), 60_000, () => 'late')).rejects.toThrow('refused');
});

test('what is not counts as the caller says', async () => {
  expect(await within(never, 5, () => 'late')).toBe('late');
  const late = (): never => {
    throw new Error('nothing came');
  };
  await expect(within(never, 5, late)).rejects.toThrow('nothing came');
});

test('what refuses when nobody waits any more is nobody\'s', async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  expect(await within(promise, 5, () => 'late')).toBe('late');
  reject(new Error('too late'));
  await new Promise((resolve) => setImmediate(resolve));
});
