// Writes into a ledger on the scenario's behalf: accounts of the set-up, rows of the `ledger-rows`
// fault. All statements are one transaction, so that the system never sees half of it.
import type { SQLInputValue } from 'node:sqlite';
import { whenUnlocked, withDatabase } from './sqlite.ts';

export type SqlStatement = {
  readonly sql: string;
  readonly parameters?: readonly SQLInputValue[] | Readonly<Record<string, SQLInputValue>>;
};

export type SqlResult = { readonly changes: readonly number[] };

/** The system's own writers hold the lock for moments only; who waits longer has met a held lock. */
const PATIENCE_MS = 5_000;

/**
 * @returns rows changed by each statement
 * @throws Error naming the statement, with the database's own message; nothing is written then
 */
export const runSql = (path: string, statements: readonly SqlStatement[], patienceMs = PATIENCE_MS): Promise<SqlResult> =>
  whenUnlocked(() =>
    withDatabase(path, false, (database) => {
      // Asks for the write lock first: a transaction that has begun is never refused half-way.
      database.exec('BEGIN IMMEDIATE');
      const changes = statements.map(({ sql, parameters = [] }, index) => {
        try {
          const statement = database.prepare(sql);
          const result = Array.isArray(parameters)
            ? statement.run(...(parameters as readonly SQLInputValue[]))
            : statement.run(parameters as Record<string, SQLInputValue>);
          return Number(result.changes);
        } catch (error) {
          if (error instanceof Error) error.message = `statement ${index + 1} of ${statements.length}: ${error.message}`;
          throw error;
        }
      });
      database.exec('COMMIT');
      return { changes };
    }), patienceMs);
