// Accounts by hand, for whoever runs the router without a harness: adds one, or shows what the ledger says.
// It works on the file (LEDGER) beside a router that runs, as the router's own transactions do.
import { createHash } from 'node:crypto';
import { messageOf } from './log.ts';
import { inTransaction, openLedger } from './ledger/schema.ts';

const USAGE = `usage: LEDGER=/path/of/ledger.db node account.ts add <id> <key> <balance>
       LEDGER=/path/of/ledger.db node account.ts show
`;
const BUSY_MS = 5_000;
const EX_USAGE = 64;

const [command, id, key, balance = ''] = process.argv.slice(2);
const { LEDGER } = process.env;

/** An account that is there already keeps its key and its money. */
const add = (ledger: string): void => {
  const database = openLedger(ledger, BUSY_MS);
  const hash = createHash('sha256').update(key!).digest('hex');
  inTransaction(database, () =>
    database.prepare('INSERT OR IGNORE INTO accounts (id, key_hash, balance) VALUES (?, ?, ?)').run(id!, hash, Number(balance)));
  database.close();
};

const show = (ledger: string): void => {
  const database = openLedger(ledger, BUSY_MS);
  for (const row of database.prepare('SELECT id, balance, reserved, spent, refunded FROM accounts').all()) {
    process.stdout.write(`account ${JSON.stringify(row)}\n`);
  }
  const reservations = 'SELECT account, amount, state, reason, started_at, lease_at FROM reservations ORDER BY started_at DESC LIMIT 10';
  for (const row of database.prepare(reservations).all()) process.stdout.write(`reservation ${JSON.stringify(row)}\n`);
  database.close();
};

const isAdding = command === 'add' && id !== undefined && key !== undefined && /^\d+$/.test(balance);
if (!LEDGER || !(isAdding || command === 'show')) {
  process.stderr.write(USAGE);
  process.exitCode = EX_USAGE;
} else {
  try {
    if (isAdding) add(LEDGER);
    else show(LEDGER);
  } catch (error) {
    process.stderr.write(`account: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}
