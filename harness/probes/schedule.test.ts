// Sampling by the clock: no overlap, no drift, marks in between, failures as facts.
import { setTimeout as pass } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { until } from './fixture.ts';
import type { ProbeView } from './probe.ts';
import { createSchedule } from './schedule.ts';
import type { Sampled, Schedule } from './schedule.ts';

const create = (view: ProbeView): { schedule: Schedule; seen: Sampled[] } => {
  const seen: Sampled[] = [];
  const schedule = createSchedule(view, (sampled) => seen.push(sampled));
  onTestFinished(() => schedule.halt());
  return { schedule, seen };
};

it('never runs two samples of one probe at once, also when each takes longer than the period', async () => {
  let running = 0;
  let most = 0;
  const { schedule, seen } = create({
    sample: async () => {
      running += 1;
      most = Math.max(most, running);
      await pass(15);
      running -= 1;
      return running;
    },
  });
  schedule.start(5);
  const marked = await schedule.sample('gone');
  expect(marked).toMatchObject({ mark: 'gone', value: 0 });
  expect(marked.tookMs).toBeGreaterThan(10);
  await until('five samples', () => seen.length >= 5);
  expect(most).toBe(1);
  expect(seen.filter((each) => each.mark === 'gone')).toHaveLength(1);
});

it('takes due times from the start, so that slow samples do not add up', async () => {
  const at: number[] = [];
  const { schedule } = create({
    sample: async () => {
      at.push(performance.now());
      await pass(20);
    },
  });
  schedule.start(50);
  // With drift every distance would be 70 ms or more; a machine that is late is so now and then only.
  const distances = (): readonly number[] => at.slice(1).map((each, index) => each - at[index]!);
  await until('two samples less than 65 ms apart', () => distances().some((distance) => distance < 65));
});

it('reports a failing sample and goes on', async () => {
  let round = 0;
  const { schedule, seen } = create({
    sample: () => {
      round += 1;
      if (round === 2) throw new Error('locked');
      return round;
    },
  });
  schedule.start(5);
  await until('three samples', () => seen.length >= 3);
  expect(seen.slice(0, 3).map((each) => each.error ?? each.value)).toEqual([1, 'locked', 3]);
});

it('samples at marks only while the view says so', async () => {
  let asked = 0;
  const { schedule, seen } = create({
    sample: () => 'seen',
    marksOnly: () => {
      asked += 1;
      return true;
    },
  });
  schedule.start(5);
  await until('three rounds', () => asked >= 3);
  await schedule.sample('baseline');
  expect(seen.map((each) => each.mark)).toEqual(['baseline']);
});

it('stops when it is halted, and goes on with a view that replaces the first', async () => {
  let closed = 0;
  const { schedule, seen } = create({ sample: () => 'first', close: () => { closed += 1; } });
  schedule.start(5);
  await until('a sample', () => seen.length > 0);
  schedule.replace({ sample: () => 'second' });
  await until('the second view', () => seen.at(-1)?.value === 'second');
  expect(closed).toBe(1);
  schedule.halt();
  await schedule.sample('last');
  const count = seen.length;
  const clock = create({ sample: () => 'tick' });
  clock.schedule.start(5);
  await until('four ticks of a schedule that runs', () => clock.seen.length >= 4);
  expect(seen).toHaveLength(count);
});
