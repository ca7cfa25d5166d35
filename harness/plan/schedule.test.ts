// Many at once: never more than there is room for, each released once, nobody kept waiting for ever.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSchedule } from './schedule.ts';
import type { ScheduleOptions, Weight } from './schedule.ts';

const MEBIBYTE = 1024 * 1024;
const LIGHT: Weight = { cpu: 0.1, memoryBytes: 1 };
const scheduleOf = (options: Partial<ScheduleOptions> = {}) =>
  createSchedule({ jobs: null, defaultJobs: 100, processors: 2, memoryBytes: 64 * 1024 * MEBIBYTE, ...options });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Works that end when they are told to; `running` holds those that were let in, in order. */
const gate = (schedule: ReturnType<typeof createSchedule>) => {
  const running: { name: string; started: () => void; end: () => void }[] = [];
  const ask = (name: string, weight = LIGHT): Promise<string> =>
    schedule.run(weight, (started) => new Promise((resolve) => running.push({ name, started, end: () => resolve(name) })));
  const names = (): readonly string[] => running.map(({ name }) => name);
  return { running, ask, names };
};

test('no more than the jobs run at once, in the order of asking', async () => {
  const { ask, names, running } = gate(scheduleOf({ jobs: 2 }));
  const all = ['a', 'b', 'c', 'd'].map((name) => ask(name));
  await turn();
  running.forEach(({ started }) => started());
  await turn();
  expect(names()).toEqual(['a', 'b']);
  running[0]!.end();
  await all[0];
  await turn();
  expect(names()).toEqual(['a', 'b', 'c']);
  for (let index = 1; index < 4; index += 1) {
    running[index]!.end();
    await all[index];
    await turn();
  }
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('starts are limited by processors, runs are not; one that has started lets the next begin', async () => {
  const { ask, names, running } = gate(scheduleOf({ processors: 2 }));
  for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name, { cpu: 1, memoryBytes: 1 });
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
  const { ask, names, running } = gate(scheduleOf({ memoryBytes: 1024 * MEBIBYTE }));
  const huge = ask('huge', { cpu: 64, memoryBytes: 10 * 1024 * MEBIBYTE });
  const light = ask('light');
  await turn();
  running[0]!.started();
  await turn();
  expect(names()).toEqual(['huge']);
  running[0]!.end();
  await huge;
  await turn();
  running[1]!.end();
  expect(await light).toBe('light');
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

test('whatever the weights, everybody has a turn, and one who needs all of it afterwards too', async () => {
  const weight = fc.record({
    cpu: fc.double({ min: 0, max: 3, noNaN: true }),
    memoryBytes: fc.integer({ min: 0, max: 4096 }).map((size) => size * MEBIBYTE),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(weight, { maxLength: 40 }), async (weights) => {
      const schedule = scheduleOf({ jobs: 7, processors: 2, memoryBytes: 4096 * MEBIBYTE });
      const all = weights.map((each, index) =>
        schedule.run(each, async (started) => {
          await turn();
          if (index % 2 === 0) started();
          await turn();
          return index;
        }),
      );
      expect(await Promise.all(all)).toEqual(weights.map((_, index) => index));
      expect(await schedule.run({ cpu: 2, memoryBytes: 1024 ** 5 }, async () => 'last')).toBe('last');
    }),
    { numRuns: 60 },
  );
});
