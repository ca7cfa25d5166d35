// Takes a ledger away from everybody without touching a process or a file: by SQL its tables get other
// names, and in their places stand views of a table that does not exist. Every access then fails, by name,
// for connections that were open before too; and nobody can make new tables in the empty places.
import type { DatabaseSync } from 'node:sqlite';
import { whenUnlocked, withDatabase } from './sqlite.ts';

/** What the system reads in the error: `no such table: main.the ledger is unavailable`. */
const NOTHING = 'the ledger is unavailable';
const AWAY = 'hangup_away_';
/** Nobody else can use the ledger meanwhile: only moments of others' locks are in the way. */
const RETURN_LIMIT_MS = 20_000;

const TABLES = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** With the old rules of renaming: triggers, views and foreign keys go on saying the names that the tables will have again. */
const change = (database: DatabaseSync, statements: () => readonly string[]): void => {
  database.exec('PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; BEGIN IMMEDIATE');
  for (const statement of statements()) database.exec(statement);
  database.exec('COMMIT');
};

/**
 * @returns the tables, to be brought back
 * @throws Error where there are none, or a lock is in the way for longer than the limit
 */
export const takeAway = (path: string, limitMs: number): Promise<readonly string[]> =>
  whenUnlocked(() => withDatabase(path, false, (database) => {
    let tables: readonly string[] = [];
    change(database, () => {
      tables = database.prepare(TABLES).all().map(({ name }) => String(name));
      if (tables.length === 0) throw new Error(`the ledger at ${path} has no tables that could be taken away`);
      return [
        ...tables.map((table) => `ALTER TABLE ${quote(table)} RENAME TO ${quote(AWAY + table)}`),
        ...tables.map((table) => `CREATE VIEW ${quote(table)} AS SELECT * FROM ${quote(NOTHING)}`),
      ];
    });
    return tables;
  }), limitMs);

/** Everything is as it was, but for quotes around the names in the text of the schema. */
export const bringBack = (path: string, tables: readonly string[]): Promise<void> =>
  whenUnlocked(() => withDatabase(path, false, (database) => change(database, () => [
    ...tables.map((table) => `DROP VIEW ${quote(table)}`),
    ...tables.map((table) => `ALTER TABLE ${quote(AWAY + table)} RENAME TO ${quote(table)}`),
  ])), RETURN_LIMIT_MS);
