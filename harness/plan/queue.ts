// Who waits for room, in the order of asking, and who is let in next. A light one may pass a heavy one that does not fit
// yet, but only so often: then whatever the heavy one needs is kept for it. So everybody has a turn.
import { createRoom } from './room.ts';
import type { Amounts, Lack, Room, Want } from './room.ts';
import { createWaitWords } from './wait-words.ts';
import type { WaitState } from './wait-words.ts';

/** So many who came later and want the same may go first. */
const PASSES = 8;
/** What others on the machine take and give back, nobody tells us. */
const LOOK_AGAIN_MS = 500;

export type Entered = ReturnType<Room['take']>;

/** Another invocation has the lock; worth another try when it is freed. */
export type Elsewhere = { readonly name: string; readonly holder: string; readonly freed: Promise<void> };

export type Place = {
  /** Resolves when there is room, with what was taken; null when interrupted. */
  readonly enter: () => Promise<Entered | null>;
  /** Waits elsewhere without losing the place in the queue. */
  readonly stepAside: (elsewhere: Elsewhere) => Promise<void>;
};

export type Queue = { readonly placeFor: (name: string, want: Want) => Place };

export type QueueOptions = {
  readonly whole: Amounts;
  /** MiB that the machine has just now; null: nobody knows. */
  readonly freeMemory: () => number | null;
  readonly signal?: AbortSignal;
  readonly tell?: (line: string) => void;
};

type Waiting = {
  readonly name: string;
  readonly order: number;
  readonly want: Want;
  passes: number;
  letIn: (entered: Entered | null) => void;
};

type Choice = { readonly chosen: Waiting | null; readonly lacks: ReadonlyMap<Waiting, Lack> };

/** The first that fits and takes nothing from one that was passed often enough; and what the others before it lack. */
const choose = (waiting: readonly Waiting[], room: Room, freeMemory: number | null): Choice => {
  const lacks = new Map<Waiting, Lack>();
  const patient: Waiting[] = [];
  for (const one of waiting) {
    const lack = room.lackOf(one.want, freeMemory);
    if (lack === null && !patient.some((earlier) => room.delays(one.want, earlier.want, freeMemory))) return { chosen: one, lacks };
    if (lack !== null) lacks.set(one, lack);
    if (one.passes >= PASSES) patient.push(one);
  }
  return { chosen: null, lacks };
};

export const createQueue = ({ whole, freeMemory, signal, tell }: QueueOptions): Queue => {
  const room = createRoom(whole);
  const waiting: Waiting[] = [];
  const aside = new Map<Waiting, Elsewhere>();
  const inside = new Map<Waiting, Want>();
  let asked = 0;
  let timer: NodeJS.Timeout | undefined;

  const freeNow = (): number | null => (waiting.some(({ want }) => want.memory > 0) ? freeMemory() : null);

  const state = (): WaitState | null => {
    const [first] = [...waiting, ...aside.keys()].sort((a, b) => a.order - b.order);
    if (first === undefined) return null;
    const free = freeNow();
    const elsewhere = aside.get(first);
    const lack = elsewhere ? ({ of: 'lock', name: elsewhere.name } as const) : room.lackOf(first.want, free);
    const holder = lack?.of === 'lock' ? [...inside].find(([, { locks }]) => locks.some(({ name }) => name === lack.name))?.[0].name : undefined;
    return {
      name: first.name, others: waiting.length + aside.size - 1, lack, running: inside.size, memory: first.want.memory,
      memoryLeft: lack?.of === 'free-memory' ? (free ?? 0) : whole.memory - room.taken().memory,
      holder: elsewhere?.holder ?? holder ?? 'another run',
    };
  };
  const words = createWaitWords(tell, state);

  const admit = (one: Waiting, free: number | null): void => {
    const at = waiting.indexOf(one);
    for (const earlier of waiting.slice(0, at)) if (room.delays(one.want, earlier.want, free)) earlier.passes += 1;
    waiting.splice(at, 1);
    inside.set(one, one.want);
    const { started, end } = room.take(one.want);
    const after = (work: () => void, isEnd: boolean) => (): void => {
      work();
      if (isEnd) inside.delete(one);
      words.moved();
      look();
    };
    one.letIn({ started: after(started, false), end: after(end, true) });
    words.moved();
  };

  const look = (): void => {
    clearTimeout(timer);
    for (;;) {
      const free = freeNow();
      const { chosen, lacks } = choose(waiting, room, free);
      if (chosen === null) {
        if ([...lacks.values()].some(({ of }) => of === 'free-memory')) timer = setTimeout(look, LOOK_AGAIN_MS).unref();
        return;
      }
      admit(chosen, free);
    }
  };

  const releaseAll = (): void => {
    words.stop();
    for (const one of waiting.splice(0)) one.letIn(null);
  };
  signal?.addEventListener('abort', releaseAll, { once: true });

  const enter = (one: Waiting): Promise<Entered | null> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve(null);
      one.letIn = resolve;
      const at = waiting.findIndex(({ order }) => order > one.order);
      waiting.splice(at < 0 ? waiting.length : at, 0, one);
      look();
    });

  return {
    placeFor: (name, want) => {
      const one: Waiting = { name, want, order: (asked += 1), passes: 0, letIn: () => {} };
      return {
        enter: () => enter(one),
        stepAside: async (elsewhere) => {
          aside.set(one, elsewhere);
          words.moved();
          await elsewhere.freed;
          aside.delete(one);
        },
      };
    },
  };
};
