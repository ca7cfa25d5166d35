// What faults do to the ledger from beside the system for a while, and undo: a write lock, or no ledger
// at all. Told as facts where it is done, so that it is known when it really held.
import type { Emit } from '../model/actor.ts';
import { bringBack, takeAway } from './away.ts';
import { journalOf, openDatabase, whenUnlocked, withoutLooking } from './sqlite.ts';

/** The system's own writers hold the lock for moments only; a ledger that is locked for longer is somebody else's. */
const PATIENCE_MS = 5_000;

type LetGo = () => Promise<void> | void;

/**
 * The write lock, by a transaction of its own connection that writes nothing: readers go on (WAL), writers wait.
 * It is gone with this process at the latest.
 * @throws Error for a rollback journal: our own readings close descriptors of the file that the lock is on, which
 *   gives it up (POSIX), and in that mode nobody could tell
 */
const lock = (path: string): Promise<LetGo> =>
  whenUnlocked(() => {
    if (journalOf(path) === 'rollback') {
      throw new Error('the ledger keeps a rollback journal: a lock held from beside the system would be lost with the next look at it');
    }
    const database = openDatabase(path, false);
    const close = withoutLooking(path, () => database.close());
    try {
      database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      close();
      throw error;
    }
    return () => {
      database.exec('ROLLBACK');
      close();
    };
  }, PATIENCE_MS);

const unavailable = async (path: string): Promise<LetGo> => {
  const tables = await takeAway(path, PATIENCE_MS);
  return () => bringBack(path, tables);
};

/** By the kind of the fault. */
const HOLDS: Readonly<Record<string, (path: string) => Promise<LetGo>>> = { 'ledger-lock': lock, 'ledger-unavailable': unavailable };

export type Holds = {
  /** @throws Error when it cannot be had, or is held already */
  readonly hold: (fault: string, path: string) => Promise<void>;
  /** @throws Error when it is not held, or cannot be undone */
  readonly letGo: (fault: string) => Promise<void>;
};

export const createHolds = (emit: Emit): Holds => {
  const held = new Map<string, LetGo | null>();
  const tell = (fault: string, edge: 'begin' | 'end'): void => emit('probe.ledger', { type: 'fault-held', fault, edge });
  return {
    hold: async (fault, path) => {
      const take = HOLDS[fault];
      if (!take) throw new Error(`no ${fault}; there are ${Object.keys(HOLDS).join(', ')}`);
      if (held.has(fault)) throw new Error(`${fault} is held already`);
      held.set(fault, null);
      try {
        held.set(fault, await take(path));
        tell(fault, 'begin');
      } catch (error) {
        held.delete(fault);
        throw error;
      }
    },
    letGo: async (fault) => {
      const letGo = held.get(fault);
      if (!letGo) throw new Error(`${fault} is not held`);
      await letGo();
      held.delete(fault);
      tell(fault, 'end');
    },
  };
};
