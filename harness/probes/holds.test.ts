// The ledger held or taken away from beside its system, which here is a process of its own that has it open.
import { expect, it, onTestFinished } from 'vitest';
import { DatabaseSync } from 'node:sqlite';
import type { Fact } from '../model/observation.ts';
import type { LedgerValue } from '../model/samples.ts';
import { createLedger, QUERIES, runProgram, temporaryFolder, until } from './fixture.ts';
import { createHolds } from './holds.ts';
import { definition } from './ledger.ts';

const start = () => {
  const facts: Fact[] = [];
  const holds = createHolds((actor, fact) => {
    expect(actor).toBe('probe.ledger');
    facts.push(fact);
  });
  return { facts, holds };
};

const edges = (facts: readonly Fact[]): readonly string[] =>
  facts.map((fact) => (fact.type === 'fault-held' ? `${fact.fault} ${fact.edge}` : fact.type));

/** A system with the ledger open, that writes and reads by statements it prepared long ago, and says how that went. */
const startSystem = async (path: string): Promise<{ write: () => Promise<string>; read: () => Promise<string> }> => {
  const { child, ready } = runProgram(`
    import { createInterface } from 'node:readline';
    import { DatabaseSync } from 'node:sqlite';
    const database = new DatabaseSync(${JSON.stringify(path)}, { timeout: 0 });
    const does = { write: database.prepare('UPDATE accounts SET spent = spent + 1'), read: database.prepare('SELECT * FROM accounts') };
    createInterface({ input: process.stdin }).on('line', (line) => {
      try { does[line].all(); console.log('done'); } catch (error) { console.log(error.message); }
    });
    console.log('ready');`, 'pipe');
  await ready;
  const lines: string[] = [];
  child.stdout!.on('data', (chunk: Buffer) => lines.push(...String(chunk).trim().split('\n')));
  const ask = async (what: string): Promise<string> => {
    const count = lines.length;
    child.stdin!.write(`${what}\n`);
    await until(`the answer to ${what}`, () => lines.length > count);
    return lines.at(-1)!;
  };
  return { write: () => ask('write'), read: () => ask('read') };
};

const openView = (path: string) => definition.open({ path, queries: QUERIES, terminal: ['charged'] });

it('ledger-lock: the system cannot write, it and our probe go on reading, and nothing is left of it', async () => {
  const { path, database } = createLedger('wal');
  const system = await startSystem(path);
  const { holds, facts } = start();
  expect(await system.write()).toBe('done');
  await holds.hold('ledger-lock', path);
  const view = openView(path);
  // Many looks: none of them may give the lock up.
  for (let look = 0; look < 5; look += 1) {
    expect(view.marksOnly?.()).toBe(false);
    expect(((await view.sample()) as LedgerValue).accounts[0]!.spent).toBe(1);
    expect(await system.write()).toBe('database is locked');
    expect(await system.read()).toBe('done');
  }
  await holds.letGo('ledger-lock');
  expect(await system.write()).toBe('done');
  expect(edges(facts)).toEqual(['ledger-lock begin', 'ledger-lock end']);
  expect(database.prepare('SELECT spent FROM accounts').get()).toEqual({ spent: 2 });
});

it('ledger-lock: waits for the one who has it, and gives up by name', async () => {
  const { path, database } = createLedger('wal');
  const { holds, facts } = start();
  database.exec('BEGIN IMMEDIATE');
  const held = holds.hold('ledger-lock', path);
  setTimeout(() => database.exec('COMMIT'), 60);
  await held;
  await expect(holds.hold('ledger-lock', path)).rejects.toThrow('ledger-lock is held already');
  expect(() => database.exec('BEGIN IMMEDIATE')).toThrow('database is locked');
  await holds.letGo('ledger-lock');
  await expect(holds.letGo('ledger-lock')).rejects.toThrow('ledger-lock is not held');
  expect(edges(facts)).toEqual(['ledger-lock begin', 'ledger-lock end']);
});

it('ledger-lock: ends with the process that holds it', async () => {
  const { path, database } = createLedger('wal');
  const { child, ready } = runProgram(`
    import { createHolds } from ${JSON.stringify(new URL('./holds.ts', import.meta.url).href)};
    const holds = createHolds(() => {});
    await holds.hold('ledger-lock', ${JSON.stringify(path)});
    console.log('held');
    setInterval(() => holds, 1000);`);
  expect(await ready).toBe('held');
  expect(() => database.exec('BEGIN IMMEDIATE')).toThrow('database is locked');
  child.kill('SIGKILL');
  await until('the end of the lock', () => {
    try {
      database.exec('BEGIN IMMEDIATE; ROLLBACK');
      return true;
    } catch {
      return false;
    }
  });
});

it.each(['ledger-lock', 'ledger-unavailable'])('%s: refuses what is no ledger', async (fault) => {
  const { holds, facts } = start();
  await expect(holds.hold(fault, `${temporaryFolder()}/none.db`)).rejects.toThrow('no database at');
  expect(facts).toEqual([]);
  await expect(holds.hold('ledger-burns', 'x')).rejects.toThrow('no ledger-burns; there are ledger-lock, ledger-unavailable');
});

it('ledger-lock: refuses a rollback journal, by name', async () => {
  const { path, database } = createLedger('delete');
  const { holds, facts } = start();
  await expect(holds.hold('ledger-lock', path)).rejects.toThrow('keeps a rollback journal');
  expect(facts).toEqual([]);
  database.exec('BEGIN IMMEDIATE; ROLLBACK');
});

it.each(['wal', 'delete'] as const)('ledger-unavailable (%s): nobody reads or writes, our probe neither, and all is there again', async (journal) => {
  const { path, database } = createLedger(journal);
  database.exec(`
    CREATE UNIQUE INDEX account_ids ON accounts (id);
    CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT REFERENCES accounts (id));
    CREATE INDEX by_account ON notes (account);
    CREATE VIEW all_notes AS SELECT * FROM notes;
    CREATE TRIGGER noted AFTER UPDATE ON accounts BEGIN INSERT INTO notes (account) VALUES (new.id); END;`);
  const system = await startSystem(path);
  const { holds, facts } = start();
  expect(await system.write()).toBe('done');
  await holds.hold('ledger-unavailable', path);
  const gone = /no such table: main\.the ledger is unavailable/;
  expect(await system.write()).toMatch(gone);
  expect(await system.read()).toMatch(gone);
  await expect(openView(path).sample()).rejects.toThrow(gone);
  const newcomer = new DatabaseSync(path);
  onTestFinished(() => newcomer.close());
  expect(() => newcomer.exec("INSERT INTO accounts VALUES ('bob', 1, 0, 0)")).toThrow(gone);
  // Who comes now and makes what is missing makes nothing that would be in the way later.
  newcomer.exec('CREATE TABLE IF NOT EXISTS accounts (id TEXT)');
  await holds.letGo('ledger-unavailable');
  expect(await system.write()).toBe('done');
  expect(await system.read()).toBe('done');
  expect(((await openView(path).sample()) as LedgerValue).accounts).toEqual([{ id: 'alice', balance: 900, reserved: 100, spent: 2 }]);
  expect(database.prepare('SELECT * FROM all_notes').all()).toEqual([{ id: 1, account: 'alice' }, { id: 2, account: 'alice' }]);
  expect(database.prepare("SELECT name FROM sqlite_schema WHERE name LIKE '%away%' OR sql LIKE '%unavailable%'").all()).toEqual([]);
  expect(edges(facts)).toEqual(['ledger-unavailable begin', 'ledger-unavailable end']);
});

it('ledger-unavailable: an empty database has nothing that could be taken away', async () => {
  const path = `${temporaryFolder()}/empty.db`;
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = wal');
  database.close();
  await expect(start().holds.hold('ledger-unavailable', path)).rejects.toThrow('no tables');
});
