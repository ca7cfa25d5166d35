// `hangup inspect` on a real database that somebody else has open and writes to.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import { openLedger } from '../../images/reference-router/ledger/schema.ts';
import { runCommand } from './program.ts';
import { testTerminal } from './test-terminal.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0).reverse()) cleanUp();
});

type Ledger = { readonly path: string; readonly folder: string; readonly database: DatabaseSync };

const ledgerWith = (lease: string, reserved = 100): Ledger => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-inspect-'));
  const path = join(folder, 'ledger.db');
  const database = openLedger(path, 100);
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }), () => database.close());
  database.exec(`INSERT INTO accounts (id, key_hash, balance, reserved) VALUES ('acme', 'h', 900, ${reserved})`);
  if (reserved > 0) {
    database.exec(
      `INSERT INTO reservations (id, account, payer, amount, started_at, lease_at) VALUES ('r', 'acme', 'acme', 100, 0, ${lease})`,
    );
  }
  return { path, folder, database };
};

const inspect = async (path: string, ...more: readonly string[]) => {
  const { terminal, out, err } = testTerminal();
  const words = ['inspect', '--system', 'reference-router', '--account', 'acme', '--ledger', path, '--for', '600ms', ...more];
  const code = await runCommand(words, terminal);
  return { code, output: out(), errors: err() };
};

test('a lease that somebody renews: exit 1, the class, and where to look next', async () => {
  const { path, database } = ledgerWith('0');
  const renew = database.prepare('UPDATE reservations SET lease_at = ?');
  const timer = setInterval(() => renew.run(Date.now()), 50);
  cleanUps.push(() => clearInterval(timer));
  renew.run(Date.now());
  const { code, output } = await inspect(path);
  expect(output).toContain('renewing: 100 reserved in total');
  expect(output).toContain('dump its stack');
  expect(code).toBe(1);
});

test('a lease of long ago, by the lease that the live system really has', async () => {
  const { path } = ledgerWith(String(Date.now() - 60_000));
  const byCard = (await inspect(path)).output;
  expect(byCard).toContain('stale but unswept');
  expect(byCard).toContain("judged by a lease of 1.5 s (the card's; --lease says another) and a renewal of 500 ms (the card's;");
  const { code, output } = await inspect(path, '--lease', '300s');
  expect(output).toContain('undecided');
  expect(output).toContain('judged by a lease of 5.0 min (--lease) and a renewal');
  expect(code).toBe(2);
});

test('nothing reserved: exit 0; as JSON for programs', async () => {
  const { path } = ledgerWith('0', 0);
  const { code, output } = await inspect(path, '--json');
  expect(JSON.parse(output)).toMatchObject({ class: 'nothing reserved', account: { id: 'acme', reserved: 0 }, live: [] });
  expect(code).toBe(0);
});

test('an account that is not there is told after the first look', async () => {
  const { path } = ledgerWith('0');
  expect((await inspect(path, '--account', 'nobody')).errors.match(/^look \d/gm)).toEqual(['look 1']);
});

test('it leaves nothing behind, and changes nothing', async () => {
  const { path, folder, database } = ledgerWith('0');
  const before = { files: readdirSync(folder).sort(), bytes: readFileSync(path).toString('base64') };
  await inspect(path);
  expect({ files: readdirSync(folder).sort(), bytes: readFileSync(path).toString('base64') }).toEqual(before);
  expect(database.prepare('SELECT count(*) AS n FROM reservations').get()).toEqual({ n: 1 });
});

test.each([
  ['an account that is not there', ['--account', 'nobody'], 'no account "nobody"', 4],
  ['a file that is not there', ['--ledger', '/nowhere/ledger.db'], 'no database at /nowhere/ledger.db', 3],
  ['a time that is none', ['--for', 'soon'], '--for takes a time', 4],
  ['a card without a ledger', ['--system', 'http-proxy'], 'describes no ledger', 4],
] as const)('%s is told', async (_, more, message, expected) => {
  const { path } = ledgerWith('0');
  const { code, errors } = await inspect(path, ...more);
  expect(errors).toContain(message);
  expect(code).toBe(expected);
});
