// Barriers: all meet, somebody never comes, somebody is late.
import { expect, test } from 'vitest';
import { createBarriers } from './barriers.ts';

const step = (kind: string, options = {}) => ({ kind, options, mark: null });
const meets = (name: string) => step('barrier', { name });
const LONG_MS = 60_000;

/** What is settled by now, without time passing. */
const settledNow = async (work: Promise<boolean>): Promise<boolean | 'waiting'> =>
  Promise.race([work, new Promise<'waiting'>((resolve) => setImmediate(() => resolve('waiting')))]);

test('opens when the last of those whose scripts name it has come', async () => {
  const barriers = createBarriers({ alice: [meets('all')], bob: [step('request'), meets('all')], carol: [step('request')] });
  const alice = barriers.meet('all', 'alice', LONG_MS);
  expect(await settledNow(alice)).toBe('waiting');
  const bob = barriers.meet('all', 'bob', LONG_MS);
  expect(await Promise.all([alice, bob])).toEqual([true, true]);
  // Whoever comes to an open barrier passes.
  expect(await barriers.meet('all', 'alice', LONG_MS)).toBe(true);
});

test('barriers of other names stay shut', async () => {
  const barriers = createBarriers({ alice: [meets('one'), meets('two')], bob: [meets('one'), meets('two')] });
  const two = barriers.meet('two', 'alice', LONG_MS);
  expect(await Promise.all([barriers.meet('one', 'alice', LONG_MS), barriers.meet('one', 'bob', LONG_MS)])).toEqual([true, true]);
  expect(await settledNow(two)).toBe('waiting');
  barriers.leave('bob');
  await two;
});

test('a script that ended without coming opens it, and nobody says that all have met', async () => {
  const barriers = createBarriers({ alice: [meets('all')], bob: [meets('all')], carol: [meets('all')] });
  const alice = barriers.meet('all', 'alice', LONG_MS);
  barriers.leave('bob');
  expect(await settledNow(alice)).toBe('waiting');
  const carol = barriers.meet('all', 'carol', LONG_MS);
  expect(await Promise.all([alice, carol])).toEqual([false, false]);
});

test('leaving after having met changes nothing', async () => {
  const barriers = createBarriers({ alice: [meets('all')], bob: [meets('all')] });
  const alice = barriers.meet('all', 'alice', LONG_MS);
  barriers.leave('alice');
  expect(await settledNow(alice)).toBe('waiting');
  expect(await Promise.all([alice, barriers.meet('all', 'bob', LONG_MS)])).toEqual([true, true]);
});

test('the limit runs out for who waits; who comes later still meets', async () => {
  const barriers = createBarriers({ alice: [meets('all')], bob: [meets('all')] });
  expect(await barriers.meet('all', 'alice', 5)).toBe(false);
  expect(await barriers.meet('all', 'bob', LONG_MS)).toBe(true);
});

test('a barrier that no script names is nobody to wait for', async () => {
  expect(await createBarriers({}).meet('none', 'alice', LONG_MS)).toBe(true);
});
