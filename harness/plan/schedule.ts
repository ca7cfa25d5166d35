// Many runs side by side in one process. Most of a run is waiting, but starting one is work: so
// starts are limited by processors, and runs by the memory that their systems declare.
import { Semaphore } from 'async-mutex';
import { availableParallelism, totalmem } from 'node:os';

export type Weight = { readonly cpu: number; readonly memoryBytes: number };

export type Schedule = {
  /** Runs the work when there is room, in the order of asking; `started` is called by the work once the system is up. */
  readonly run: <T>(weight: Weight, work: (started: () => void) => Promise<T>) => Promise<T>;
};

export type ScheduleOptions = {
  /** Runs side by side at most; null: by memory and processors. */
  readonly jobs: number | null;
  readonly defaultJobs: number;
  /** Of this machine unless given. */
  readonly processors?: number;
  readonly memoryBytes?: number;
};

const MEBIBYTE = 1024 * 1024;
/** What a stage's own actors take beside the system. */
const ACTORS_MEMORY_BYTES = 250 * MEBIBYTE;
const MEMORY_SHARE = 0.6;
/** A start keeps a processor busy whatever the system: five programs begin at once. More side by side are no faster, and starve the runs. */
const START_CPU = 1;
/** Whole thousandths: sums of fractions do not come back to the whole, and would keep a large one waiting for ever. */
const CPU_PARTS = 1_000;

export const createSchedule = (options: ScheduleOptions): Schedule => {
  const { jobs, defaultJobs, processors = availableParallelism(), memoryBytes = totalmem() } = options;
  const cpuRoom = Math.max(1, Math.floor(processors)) * CPU_PARTS;
  const memoryRoom = Math.max(1, Math.floor((memoryBytes * MEMORY_SHARE) / MEBIBYTE));
  const running = new Semaphore(jobs ?? defaultJobs);
  const memory = new Semaphore(memoryRoom);
  const starting = new Semaphore(cpuRoom);

  /** What is more than there is gets all there is, and is then alone. */
  const memoryOf = (weight: Weight): number => Math.min(Math.ceil((weight.memoryBytes + ACTORS_MEMORY_BYTES) / MEBIBYTE), memoryRoom);
  const cpuOf = (weight: Weight): number => Math.min(Math.ceil(Math.max(weight.cpu, START_CPU) * CPU_PARTS), cpuRoom);

  return {
    run: (weight, work) =>
      running.runExclusive(() =>
        memory.runExclusive(async () => {
          // Releases once, however often it is called.
          const [, release] = await starting.acquire(cpuOf(weight));
          try {
            return await work(release);
          } finally {
            release();
          }
        }, memoryOf(weight)),
      ),
  };
};
