// Many runs side by side in one process. Most of a run is waiting, but starting one is work: so starts are limited by
// processors, runs by places, by the memory that their systems declare and the machine has, and by named locks. In the
// order of asking; a light one may fill a gap, but not for ever in front of a heavy one.
import { availableParallelism } from 'node:os';
import { nowMs } from '../model/time.ts';
import type { RuntimeKind } from '../runtimes/runtime.ts';
import type { Lock } from '../scenario/locks.ts';
import { capacityHere } from './capacity.ts';
import type { Capacity } from './capacity.ts';
import { placesOf } from './jobs.ts';
import type { Jobs } from './jobs.ts';
import type { MachineLocks } from './machine-locks.ts';
import { createQueue } from './queue.ts';
import type { Queue } from './queue.ts';
import type { Amounts, Want } from './room.ts';

export type Weight = { readonly cpu: number; readonly memoryBytes: number };

export type Demand = Weight & {
  /** For people who are told who waits. */
  readonly name?: string;
  readonly locks?: readonly Lock[];
  /** Starts nothing, so it weighs nothing: many of them share a place. */
  readonly hasNoStage?: boolean;
  /** It stands in the queue from now on, but is not let in before this has resolved: somebody else must be in first. */
  readonly after?: Promise<void>;
};

export type Schedule = {
  /**
   * Runs the work when there is room; `started` is called by the work once the system is up. When the user has
   * interrupted, whoever waits is let in at once, with nothing: its work sees that itself, and starts nothing.
   */
  readonly run: <T>(demand: Demand, work: (started: () => void) => Promise<T>) => Promise<T>;
};

export type ScheduleOptions = {
  readonly jobs: Jobs;
  readonly runtime?: RuntimeKind;
  /** Of this machine unless given. */
  readonly processors?: number;
  readonly memoryBytes?: number;
  /** What the engine has, or this machine; asked once, before the first run. */
  readonly capacity?: () => Promise<Capacity>;
  /** Locks that other invocations on this machine hold too. */
  readonly machine?: MachineLocks | null;
  readonly signal?: AbortSignal;
  /** Told, in one line, what is waited for when nothing has moved for a while. */
  readonly tell?: (line: string) => void;
};

const MEBIBYTE = 1024 * 1024;
/** What a stage's own actors take beside the system. */
const ACTORS_MEMORY_BYTES = 250 * MEBIBYTE;
const MEMORY_SHARE = 0.6;
/** A start keeps a processor busy whatever the system: five programs begin at once. More side by side are no faster, and starve the runs. */
const START_CPU = 1;
const CPU_PARTS = 1_000;
/** Runs without a stage share a place, unless it was said how many may run. */
const PLACE_PARTS = 64;

const wholeOf = ({ jobs, runtime = 'process', processors }: ScheduleOptions, has: Capacity): Amounts => {
  const count = Math.max(1, Math.floor(processors ?? has.processors ?? availableParallelism()));
  return {
    places: placesOf(jobs, runtime, count) * PLACE_PARTS,
    memory: Math.max(1, Math.floor((has.memoryBytes * MEMORY_SHARE) / MEBIBYTE)),
    starting: count * CPU_PARTS,
  };
};

/** What is more than there is gets all there is, and is then alone. */
const wantOf = ({ cpu, memoryBytes, locks = [], hasNoStage = false }: Demand, whole: Amounts, jobs: Jobs): Want =>
  hasNoStage
    ? { places: typeof jobs === 'number' ? PLACE_PARTS : 1, memory: 0, starting: 0, locks }
    : {
        places: PLACE_PARTS,
        memory: Math.min(Math.ceil((memoryBytes + ACTORS_MEMORY_BYTES) / MEBIBYTE), whole.memory),
        starting: Math.min(Math.ceil(Math.max(cpu, START_CPU) * CPU_PARTS), whole.starting),
        locks,
      };

type Opened = { readonly queue: Queue; readonly whole: Amounts };

/** Nobody on this machine can be told of our locks, or of theirs. */
const ALONE: MachineLocks = { take: async () => ({ release: () => {} }) };

export const createSchedule = (options: ScheduleOptions): Schedule => {
  const { jobs, signal, tell, memoryBytes } = options;
  const machine = options.machine ?? ALONE;
  const fixed = memoryBytes === undefined ? undefined : { memoryBytes, freeBytes: () => null };
  const capacityOf = options.capacity ?? (async () => fixed ?? capacityHere());
  let opened: Promise<Opened> | undefined;
  const open = (): Promise<Opened> =>
    (opened ??= capacityOf().then((capacity) => {
      const whole = wholeOf(options, capacity);
      const freeMemory = (): number | null => {
        const bytes = capacity.freeBytes();
        return bytes === null ? null : Math.floor(bytes / MEBIBYTE);
      };
      return { whole, queue: createQueue({ whole, freeMemory, ...(signal ? { signal } : {}), ...(tell ? { tell } : {}) }) };
    }));

  const run: Schedule['run'] = async (demand, work) => {
    const { queue, whole } = await open();
    const want = wantOf(demand, whole, jobs);
    const place = queue.placeFor(demand.name ?? 'a run', want);
    await demand.after;
    let sinceMs: number | undefined;
    for (;;) {
      const taken = await place.enter();
      // Interrupted: nothing was taken.
      if (taken === null) return work(() => {});
      // Not before: a long queue of ours for places would go first for as long as it lasts.
      sinceMs ??= nowMs();
      try {
        const locked = want.locks.length === 0 ? await ALONE.take([]) : await machine.take(want.locks.map(({ name }) => name), signal, sinceMs);
        if ('release' in locked) {
          try {
            return await work(taken.started);
          } finally {
            locked.release();
          }
        }
        // Nothing is kept meanwhile, so that two invocations never wait for each other.
        taken.end();
        await place.stepAside(locked);
      } finally {
        taken.end();
      }
    }
  };
  return { run };
};
