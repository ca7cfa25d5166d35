// Many runs side by side in one process. Most of a run is waiting, but starting one is work: so
// starts are limited by processors, and runs by the memory that their systems declare.
import { Semaphore } from 'async-mutex';
import { availableParallelism, totalmem } from 'node:os';

export type Weight = { readonly cpu: number; readonly memoryBytes: number };

export type Schedule = {
  /** Runs the work when there is room; `starting` is released by the work once the system is up. */
  readonly run: <T>(weight: Weight, work: (started: () => void) => Promise<T>) => Promise<T>;
};

export type ScheduleOptions = {
  /** Runs side by side at most; null: by memory and processors. */
  readonly jobs: number | null;
  readonly defaultJobs: number;
};

const MEBIBYTE = 1024 * 1024;
/** What a stage's own actors take beside the system. */
const ACTORS_MEMORY_BYTES = 250 * MEBIBYTE;
const MEMORY_SHARE = 0.6;
/** Processors that a start keeps busy whatever the system: five programs begin at once. More starts side by side are no faster, and starve the runs. */
const START_CPU = 0.6;

export const createSchedule = ({ jobs, defaultJobs }: ScheduleOptions): Schedule => {
  const running = new Semaphore(jobs ?? defaultJobs);
  const starting = new Semaphore(Math.max(1, availableParallelism()));
  const capacity = Math.floor((totalmem() * MEMORY_SHARE) / MEBIBYTE);
  const memory = new Semaphore(capacity);

  const run: Schedule['run'] = async (weight, work) => {
    const room = Math.ceil((weight.memoryBytes + ACTORS_MEMORY_BYTES) / MEBIBYTE);
    const [, leaveRunning] = await running.acquire();
    const [, leaveMemory] = await memory.acquire(Math.min(room, capacity));
    const [, leaveStarting] = await starting.acquire(Math.min(Math.max(weight.cpu, START_CPU), availableParallelism()));
    let started = false;
    const release = (): void => {
      if (!started) leaveStarting();
      started = true;
    };
    try {
      return await work(release);
    } finally {
      release();
      leaveMemory();
      leaveRunning();
    }
  };
  return { run };
};
