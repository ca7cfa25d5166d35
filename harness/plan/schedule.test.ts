// Many at once: never more than there is room for, each released once, nobody kept waiting for ever.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Lock } from '../scenario/locks.ts';
import { createSchedule } from './schedule.ts';
import type { Demand, ScheduleOptions } from './schedule.ts';

const MEBIBYTE = 1024 * 1024;
const GIBIBYTE = 1024 * MEBIBYTE;
const LIGHT: Demand = { cpu: 0.1, memoryBytes: 1 };
const scheduleOf = (options: Partial<ScheduleOptions> = {}) =>
  createSchedule({ jobs: 100, processors: 2, memoryBytes: 64 * GIBIBYTE, ...options });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const locks = (...names: readonly string[]): readonly Lock[] => names.map((name) => ({ name, mode: 'write' }));
const reads = (...names: readonly string[]): readonly Lock[] => names.map((name) => ({ name, mode: 'read' }));

/** Works that end when they are told to; `running` holds those that were let in, in order. */
const gate = (schedule: ReturnType<typeof createSchedule>) => {
  const running: { name: string; started: () => void; end: () => void }[] = [];
  const ask = (name: string, demand: Partial<Demand> = {}): Promise<string> =>
    schedule.run({ ...LIGHT, name, ...demand }, (started) => new Promise((resolve) => running.push({ name, started, end: () => resolve(name) })));
  const names = (): readonly string[] => running.map(({ name }) => name);
  const end = async (name: string): Promise<void> => {
    running.find((one) => one.name === name)!.end();
    await turn();
    await turn();
  };
  const startAll = async (): Promise<void> => {
    for (let before = -1; before < running.length; ) {
      before = running.length;
      running.forEach(({ started }) => started());
      await turn();
    }
  };
  return { running, ask, names, end, startAll };
};

test('no more than the jobs run at once, in the order of asking', async () => {
  const { ask, names, end, startAll } = gate(scheduleOf({ jobs: 2 }));
  const all = ['a', 'b', 'c', 'd'].map((name) => ask(name));
  await turn();
  await startAll();
  expect(names()).toEqual(['a', 'b']);
  await end('a');
  expect(names()).toEqual(['a', 'b', 'c']);
  for (const name of ['b', 'c', 'd']) await end(name);
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('starts are limited by processors, runs are not; one that has started lets the next begin', async () => {
  const { ask, names, running } = gate(scheduleOf({ processors: 2 }));
  for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name, { cpu: 1 });
  await turn();
  expect(names()).toEqual(['a', 'b']);
  running[0]!.started();
  running[0]!.started();
  running[0]!.started();
  await turn();
  // Once: three calls of one start do not let in three others.
  expect(names()).toEqual(['a', 'b', 'c']);
});

test('what asks for more processors or memory than there are gets all, and is then alone', async () => {
  const { ask, names, end, startAll } = gate(scheduleOf({ memoryBytes: GIBIBYTE }));
  const huge = ask('huge', { cpu: 64, memoryBytes: 10 * GIBIBYTE });
  const light = ask('light');
  await turn();
  await startAll();
  expect(names()).toEqual(['huge']);
  await end('huge');
  await end('light');
  expect(await Promise.all([huge, light])).toEqual(['huge', 'light']);
});

test('what the machine has free just now counts too, less what is promised to those who have not started', async () => {
  let freeBytes: number | null = 1.2 * GIBIBYTE;
  const { ask, names, end, running } = gate(scheduleOf({ capacity: async () => ({ memoryBytes: 64 * GIBIBYTE, freeBytes: () => freeBytes }) }));
  const each = { memoryBytes: 350 * MEBIBYTE };
  const all = ['a', 'b', 'c', 'd'].map((name) => ask(name, each));
  await turn();
  // With their actors 600 MiB each.
  expect(names()).toEqual(['a', 'b']);
  freeBytes = 0.1 * GIBIBYTE;
  running[0]!.started();
  running[1]!.started();
  await end('a');
  expect(names()).toEqual(['a', 'b']);
  // Alone it gets its turn whatever is free: nobody would ever free more.
  await end('b');
  expect(names()).toEqual(['a', 'b', 'c']);
  await end('c');
  await end('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('two who hold one lock never run together, readers do; a writer is not passed by readers for ever', async () => {
  const { ask, names, end } = gate(scheduleOf({ processors: 64 }));
  void ask('writer', { locks: locks('ledger') });
  void ask('other', { locks: locks('other') });
  void ask('reader-1', { locks: reads('ledger') });
  void ask('reader-2', { locks: reads('ledger', 'unrelated') });
  void ask('second', { locks: locks('ledger', 'other') });
  await turn();
  expect(names()).toEqual(['writer', 'other']);
  await end('writer');
  expect(names()).toEqual(['writer', 'other', 'reader-1', 'reader-2']);
  for (let number = 3; number < 40; number += 1) void ask(`reader-${number}`, { locks: reads('ledger') });
  await turn();
  // Gaps were filled while it waited, and then no more.
  expect(names().length).toBe(4 + 8);
  await end('other');
  for (const name of names().filter((one) => one.startsWith('reader'))) await end(name);
  expect(names().at(-1)).toBe('second');
});

test('a heavy one is passed by lighter ones where it does not fit, but only so often', async () => {
  const { ask, names, end, startAll } = gate(scheduleOf({ memoryBytes: 10 * GIBIBYTE }));
  void ask('half', { memoryBytes: 3 * GIBIBYTE });
  void ask('heavy', { memoryBytes: 5 * GIBIBYTE });
  for (let number = 0; number < 30; number += 1) void ask(`light-${number}`);
  await turn();
  await startAll();
  const before = names().filter((name) => name.startsWith('light')).length;
  expect(before).toBe(8);
  // What asks for nothing that it needs goes on passing it.
  void ask('idle', { hasNoStage: true });
  await turn();
  expect(names().at(-1)).toBe('idle');
  await end('half');
  for (let number = 0; number < before; number += 1) await end(`light-${number}`);
  expect(names()).toContain('heavy');
});

test('an interruption lets everybody go who waits, though nothing ends that runs', async () => {
  const interruption = new AbortController();
  const { ask, names } = gate(scheduleOf({ jobs: 1, signal: interruption.signal }));
  void ask('runs', { locks: locks('one') });
  void ask('waits', { locks: locks('one') });
  await turn();
  expect(names()).toEqual(['runs']);
  interruption.abort();
  await turn();
  void ask('comes later');
  await turn();
  expect(names()).toEqual(['runs', 'waits', 'comes later']);
});

test('a work that throws makes room, whether it had started or not, and its error is its own', async () => {
  const schedule = scheduleOf({ jobs: 1 });
  await expect(schedule.run(LIGHT, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
  await expect(
    schedule.run(LIGHT, async (started) => {
      started();
      throw new Error('broke later');
    }),
  ).rejects.toThrow('broke later');
  expect(await schedule.run({ cpu: 64, memoryBytes: 1024 ** 5 }, async () => 'all of it')).toBe('all of it');
});

test('runs without a stage share a place, unless it was said how many may run', async () => {
  const counts = await Promise.all(
    ([null, '50%', 3] as const).map(async (jobs) => {
      const { ask, names } = gate(scheduleOf({ jobs, memoryBytes: MEBIBYTE }));
      for (let number = 0; number < 200; number += 1) void ask(String(number), { hasNoStage: true });
      await turn();
      return names().length;
    }),
  );
  expect(counts).toEqual([200, 200, 3]);
});

test('who waits is said once when nothing has moved for two seconds, and what for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const told: string[] = [];
    const { ask, end } = gate(scheduleOf({ tell: (line) => told.push(line) }));
    void ask('first', { locks: locks('gpu') });
    void ask('second', { locks: locks('gpu') });
    void ask('third', { locks: locks('gpu') });
    await turn();
    await vi.advanceTimersByTimeAsync(1_900);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(told).toEqual(['waiting: second (and 1 more), for the lock "gpu", held by first']);
    await end('first');
    await vi.advanceTimersByTimeAsync(2_100);
    expect(told.at(-1)).toBe('waiting: third, for the lock "gpu", held by second');
    await end('second');
    await end('third');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(told).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

const NAMES = ['a', 'b', 'c'] as const;
const anyDemand = fc.record({
  cpu: fc.double({ min: 0, max: 3, noNaN: true }),
  memoryBytes: fc.integer({ min: 0, max: 5_000 }).map((size) => size * MEBIBYTE),
  hasNoStage: fc.boolean(),
  locks: fc.uniqueArray(fc.record({ name: fc.constantFrom(...NAMES), mode: fc.constantFrom('read' as const, 'write' as const) }), { selector: ({ name }) => name }),
});

/** What runs at one moment, against what there is. */
const checkRoom = (inside: ReadonlySet<Demand>, whole: { readonly jobs: number; readonly memoryBytes: number }): void => {
  expect(inside.size).toBeLessThanOrEqual(whole.jobs);
  const heavy = [...inside].filter(({ hasNoStage }) => hasNoStage !== true);
  const taken = heavy.reduce((sum, { memoryBytes }) => sum + memoryBytes + 250 * MEBIBYTE, 0);
  if (heavy.length > 1) expect(taken).toBeLessThanOrEqual(whole.memoryBytes * 0.6);
  for (const name of NAMES) {
    const modes = [...inside].flatMap((each) => (each.locks ?? []).filter((lock) => lock.name === name).map(({ mode }) => mode));
    if (modes.includes('write')) expect(modes).toEqual(['write']);
  }
};

test('whatever the weights and locks: never over the room, everything ends, and nobody is passed for ever', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyDemand, { maxLength: 40 }), fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 8, maxLength: 8 }), async (demands, lengths) => {
      const whole = { jobs: 7, memoryBytes: 4_096 * MEBIBYTE };
      const schedule = scheduleOf({ ...whole, processors: 2 });
      const inside = new Set<Demand>();
      const entered: number[] = [];
      const all = demands.map((demand, index) =>
        schedule.run(demand, async (started) => {
          inside.add(demand);
          entered.push(index);
          checkRoom(inside, whole);
          for (let length = lengths[index % lengths.length]!; length > 0; length -= 1) await turn();
          if (index % 2 === 0) started();
          await turn();
          inside.delete(demand);
          return index;
        }),
      );
      expect(await Promise.all(all)).toEqual(demands.map((_, index) => index));
      // Eight may pass one; and of each of those that were patient before it as many again.
      for (const [place, index] of entered.entries()) expect(place - index).toBeLessThanOrEqual(8 * (index + 1));
      expect(await schedule.run({ cpu: 2, memoryBytes: 1024 ** 5, locks: locks(...NAMES) }, async () => 'last')).toBe('last');
    }),
    { numRuns: 150 },
  );
});

test('a heavy one among light ones that never stop coming has its turn', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.constantFrom<Partial<Demand>>({ memoryBytes: GIBIBYTE ** 2 }, { locks: locks('a') }, { cpu: 64 }), async (beside, wish) => {
      const schedule = scheduleOf({ jobs: beside + 1 });
      let isOver = false;
      const stream = async (): Promise<void> => {
        while (!isOver) await schedule.run({ ...LIGHT, locks: reads('a') }, turn);
      };
      const streams = Array.from({ length: 2 * beside }, stream);
      await turn();
      // Waited for without an end: were it starved, this would never come back.
      await schedule.run({ ...LIGHT, ...wish }, turn);
      isOver = true;
      await Promise.all(streams);
    }),
    { numRuns: 20 },
  );
});
