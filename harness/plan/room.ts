// What there is on a machine and what is taken of it, as plain numbers: whether a run fits, what it lacks, and whether
// letting it in would keep another one waiting. Everything of a run is taken at once or not at all, so that nobody
// holds one thing while it waits for another.
import type { Lock } from '../scenario/locks.ts';

/** Whole numbers: sums of fractions do not come back to the whole, and would keep a large one waiting for ever. */
export type Amounts = {
  /** Parts of a place beside the others; see PLACE_PARTS. */
  readonly places: number;
  /** MiB of memory. */
  readonly memory: number;
  /** Thousandths of a processor, until it has started. */
  readonly starting: number;
};

export type Want = Amounts & { readonly locks: readonly Lock[] };

export const RESOURCES = ['places', 'memory', 'starting'] as const;
export type Resource = (typeof RESOURCES)[number];

/** What a run that fits in nowhere lacks: a resource, the memory that is free just now, or a lock. */
export type Lack = { readonly of: Resource | 'free-memory' } | { readonly of: 'lock'; readonly name: string };

export type Room = {
  /** Null: it fits. `freeMemory` is what the machine has just now, MiB; null where nobody knows. */
  readonly lackOf: (want: Want, freeMemory: number | null) => Lack | null;
  /** Letting `newcomer` in takes what `waiting` needs. */
  readonly delays: (newcomer: Want, waiting: Want, freeMemory: number | null) => boolean;
  /** Takes it all. `started` gives the processor back, `end` all the rest; each counts once. */
  readonly take: (want: Want) => { readonly started: () => void; readonly end: () => void };
  readonly taken: () => Amounts;
};

const conflicts = (a: readonly Lock[], b: readonly Lock[]): string | undefined =>
  a.find((lock) => b.some(({ name, mode }) => name === lock.name && (mode === 'write' || lock.mode === 'write')))?.name;

const once = (work: () => void): (() => void) => {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
};

export const createRoom = (whole: Amounts): Room => {
  const taken = { places: 0, memory: 0, starting: 0 };
  /** Of those who have not started yet: what the machine calls free is still theirs. */
  let promised = 0;
  const held = new Set<readonly Lock[]>();

  /** Whoever has the machine for itself gets what there is, whatever that is. */
  const isFreeNow = (memory: number, freeMemory: number | null): boolean =>
    memory === 0 || freeMemory === null || taken.memory === 0 || promised + memory <= freeMemory;

  const lackOf: Room['lackOf'] = (want, freeMemory) => {
    const [lock] = [...held].map((locks) => conflicts(want.locks, locks)).filter((name) => name !== undefined);
    if (lock !== undefined) return { of: 'lock', name: lock };
    const short = RESOURCES.find((resource) => want[resource] > 0 && taken[resource] + want[resource] > whole[resource]);
    if (short !== undefined) return { of: short };
    return isFreeNow(want.memory, freeMemory) ? null : { of: 'free-memory' };
  };

  const delays: Room['delays'] = (newcomer, waiting, freeMemory) => {
    if (conflicts(newcomer.locks, waiting.locks) !== undefined) return true;
    const isShort = RESOURCES.some(
      (resource) => newcomer[resource] > 0 && waiting[resource] > 0 && taken[resource] + newcomer[resource] + waiting[resource] > whole[resource],
    );
    if (isShort || newcomer.memory === 0 || waiting.memory === 0 || freeMemory === null) return isShort;
    return promised + newcomer.memory + waiting.memory > freeMemory;
  };

  const take: Room['take'] = (want) => {
    for (const resource of RESOURCES) taken[resource] += want[resource];
    promised += want.memory;
    held.add(want.locks);
    const started = once(() => {
      taken.starting -= want.starting;
      promised -= want.memory;
    });
    const end = once(() => {
      started();
      taken.places -= want.places;
      taken.memory -= want.memory;
      held.delete(want.locks);
    });
    return { started, end };
  };

  return { lackOf, delays, take, taken: () => ({ ...taken }) };
};
