// From the rows of a card's queries to the canonical ledger. The contract of each query's columns is
// checked by name even when there are no rows, so that a wrong card is told at its first sample.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Account, Charge, LedgerValue, Reservation } from '../model/samples.ts';

export type LedgerQueries = { readonly accounts: string; readonly reservations?: string; readonly charges?: string };

type Row = Readonly<Record<string, SQLOutputValue>>;

const REQUIRED = {
  accounts: ['id', 'balance', 'reserved', 'spent'],
  reservations: ['id', 'account', 'amount', 'state'],
  charges: ['id', 'account', 'amount'],
} as const;

const isNothing = (value: SQLOutputValue | undefined): value is null | undefined => value === null || value === undefined;

const textOf = (value: SQLOutputValue | undefined): string | undefined => (isNothing(value) ? undefined : String(value));

/** Amounts as numbers; SQLite gives text for a column that was declared as text. */
const amountOf = (query: string, row: Row, column: string): number => {
  const value = row[column];
  const number = isNothing(value) || value === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) throw new Error(`ledger query "${query}": column "${column}" of row ${row.id} is ${value}, not a number`);
  return number;
};

/** Milliseconds since the epoch, from a number or from a date as text. */
const timeOf = (query: string, row: Row, column: string): number | undefined => {
  const value = row[column];
  if (isNothing(value) || value === '') return undefined;
  const time = Number.isNaN(Number(value)) ? Date.parse(String(value)) : Number(value);
  if (Number.isNaN(time)) throw new Error(`ledger query "${query}": column "${column}" of row ${row.id} is ${value}, not a time`);
  return time;
};

const readRows = (database: DatabaseSync, query: keyof typeof REQUIRED, sql: string): readonly Row[] => {
  try {
    const statement = database.prepare(sql);
    const columns = statement.columns().map((column) => column.name);
    const missing = REQUIRED[query].filter((column) => !columns.includes(column));
    if (missing.length > 0) {
      throw new Error(`it gives no column "${missing.join('", "')}"; it gives ${columns.join(', ')}`);
    }
    return statement.all();
  } catch (error) {
    // The same error, so that its SQLite code still says whether a lock was in the way.
    if (error instanceof Error) error.message = `ledger query "${query}": ${error.message}`;
    throw error;
  }
};

const toAccount = (row: Row): Account => ({
  id: String(row.id),
  balance: amountOf('accounts', row, 'balance'),
  reserved: amountOf('accounts', row, 'reserved'),
  spent: amountOf('accounts', row, 'spent'),
});

/** Leaves out what is undefined: a key without a value would differ from the same row after JSON. */
const compact = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;

const toReservation = (row: Row, terminal: ReadonlySet<string>): Reservation => compact({
  id: String(row.id),
  account: String(row.account),
  payer: textOf(row.payer) ?? String(row.account),
  amount: amountOf('reservations', row, 'amount'),
  state: String(row.state),
  terminal: terminal.has(String(row.state)),
  leaseAtMs: timeOf('reservations', row, 'lease_at'),
  startedAtMs: timeOf('reservations', row, 'started_at'),
  marker: textOf(row.marker),
  reason: textOf(row.reason),
});

const toCharge = (row: Row): Charge => compact({
  id: String(row.id),
  account: String(row.account),
  amount: amountOf('charges', row, 'amount'),
  marker: textOf(row.marker),
});

/** Reads all queries in one transaction, so that the parts are of one moment. */
export const readLedger = (database: DatabaseSync, queries: LedgerQueries, terminal: ReadonlySet<string>): LedgerValue => {
  database.exec('BEGIN');
  const accounts = readRows(database, 'accounts', queries.accounts);
  const reservations = queries.reservations ? readRows(database, 'reservations', queries.reservations) : [];
  const charges = queries.charges ? readRows(database, 'charges', queries.charges) : undefined;
  const wallMs = Date.now();
  database.exec('COMMIT');
  return compact({
    accounts: accounts.map(toAccount),
    reservations: reservations.map((row) => toReservation(row, terminal)),
    charges: charges?.map(toCharge),
    consistent: true,
    wallMs,
  });
};
