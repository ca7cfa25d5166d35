// The thread that owns the database connection. `node:sqlite` blocks while it waits for a lock, so it
// may do so here, where no stream, no heartbeat's timer and no signal is waiting for its turn.
import { parentPort, workerData } from 'node:worker_threads';
import type { DatabaseSync } from 'node:sqlite';
import { monotonicMs, processClocks } from './clocks.ts';
import type { Reply, Request, WorkerInput } from './messages.ts';
import { createOperations } from './operations.ts';
import type { Place } from './place.ts';
import { createPlace } from './place.ts';
import { isBusy, openLedger } from './schema.ts';

// Short, so that the thread can be ended at any time and looks at its deadline often.
const BUSY_MS = 50;
// Of a lease: with a renewal every third of it nobody's lease is over before it is noticed that the ledger is locked.
const PATIENCE = 1 / 6;

const reply = (message: Reply): void => parentPort!.postMessage(message);

/** Tries until it works, fails for another reason than a lock, or the time is over. `onLocked` is told before each new attempt. */
const persist = <T>(untilMs: number, work: () => T, onLocked: (waitedMs: number) => void = () => undefined): T => {
  const beganMs = monotonicMs();
  for (;;) {
    try {
      return work();
    } catch (error) {
      const now = monotonicMs();
      if (!isBusy(error) || now >= untilMs) throw error;
      onLocked(now - beganMs);
    }
  }
};

type Served = { readonly database: DatabaseSync; readonly operations: ReturnType<typeof createOperations>; readonly place: Place };

const answer = ({ database, operations, place }: Served, request: Request): void => {
  const operation = operations[request.name] as (input: unknown) => unknown;
  // While it is locked nobody renews. A short wait is within what a lease allows for; after a longer one all leases count anew.
  const onLocked = (waitedMs: number): void => void (waitedMs >= place.leaseMs * PATIENCE && place.forget());
  try {
    reply({ kind: 'result', id: request.id, result: persist(request.untilMs, () => operation(request.input), onLocked) });
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    if (isBusy(error)) place.forget();
    reply({ kind: 'failed', id: request.id, busy: isBusy(error), error: error instanceof Error ? error.message : String(error) });
  }
};

/** Without it the next instance takes a little longer to see that nobody is here: no reason to wait for a lock. */
const leave = (place: Place): void => {
  try {
    place.instances.leave();
  } catch {
    // Locked, or gone.
  }
};

const start = (input: WorkerInput): void => {
  const database = persist(input.openUntilMs, () => openLedger(input.path, BUSY_MS));
  const place = createPlace(database, input.instance, input.leaseMs, processClocks());
  const operations = createOperations(database, place);
  parentPort!.on('message', (message: Request | 'close') => {
    if (message !== 'close') return answer({ database, operations, place }, message);
    leave(place);
    database.close();
    parentPort!.close();
  });
  reply({ kind: 'ready' });
};

start(workerData as WorkerInput);
