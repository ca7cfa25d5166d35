// A second connection to the ledger, for code that goes round the one thread which has it: planted
// defects only. Nothing that behaves well needs it.
import { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './schema.ts';

const BUSY_MS = 1_000;

/** One transaction. @throws Error when the ledger stays locked */
export const besideLedger = <T>(path: string, work: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    return inTransaction(database, () => work(database));
  } finally {
    database.close();
  }
};
