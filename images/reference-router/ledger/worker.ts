// The thread that owns the database connection. `node:sqlite` blocks while it waits for a lock, so it
// may do so here, where no stream, no heartbeat's timer and no signal is waiting for its turn.
import { parentPort, workerData } from 'node:worker_threads';
import type { DatabaseSync } from 'node:sqlite';
import type { Reply, Request, WorkerInput } from './messages.ts';
import { createOperations } from './operations.ts';
import { isBusy, openLedger } from './schema.ts';

// Short, so that the thread can be ended at any time and looks at its deadline often.
const BUSY_MS = 50;

const reply = (message: Reply): void => parentPort!.postMessage(message);

/** Tries until it works, fails for another reason than a lock, or the time is over. */
const persist = <T>(untilMs: number, work: () => T): T => {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= untilMs) throw error;
    }
  }
};

const answer = (database: DatabaseSync, operations: ReturnType<typeof createOperations>, request: Request): void => {
  const operation = operations[request.name] as (input: unknown) => unknown;
  try {
    reply({ kind: 'result', id: request.id, result: persist(request.untilMs, () => operation(request.input)) });
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    reply({ kind: 'failed', id: request.id, busy: isBusy(error), error: error instanceof Error ? error.message : String(error) });
  }
};

const start = (input: WorkerInput): void => {
  const database = persist(input.openUntilMs, () => openLedger(input.path, BUSY_MS));
  const operations = createOperations(database);
  parentPort!.on('message', (message: Request | 'close') => {
    if (message !== 'close') return answer(database, operations, message);
    database.close();
    parentPort!.close();
  });
  reply({ kind: 'ready' });
};

start(workerData as WorkerInput);
