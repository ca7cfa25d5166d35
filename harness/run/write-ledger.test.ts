// What is sent to the ledger for a fault: the card's statements, filled in, in their order and as one.
import { expect, test } from 'vitest';
import { cellWith, METERED } from '../systems/fixture.ts';
import { testRun } from './fixture.ts';
import { writeLedger } from './write-ledger.ts';

const INSERT = `insert: {
  row: [ "INSERT \${row.id} \${row.account} \${row.amount} \${row.leaseAtMs} \${row.startedAtMs}", "NOTE \${row.id}" ],
  aggregate: [ "UPDATE \${aggregate.account} \${aggregate.amount} \${aggregate.reservedAtMs}" ] } }`;

const runWith = (insert: string) =>
  testRun({ cell: cellWith({}, { ...METERED, ledger: METERED.ledger!.replace(/insert: \{.*\} \}/, insert) }) });
const row = (id: string) => ({ id, account: 'a', amount: 5, leaseAtMs: 20, startedAtMs: 10 });
const aggregate = { account: 'a', amount: 5, reservedAtMs: 20 };

test('of each entry the row, then its part of the total, all in one transaction', async () => {
  const run = runWith(INSERT);
  await writeLedger(run, [{ row: row('r1'), aggregate }, { row: row('r2') }, { aggregate: { ...aggregate, reservedAtMs: null } }]);
  expect(run.sent).toHaveLength(1);
  expect(run.sent[0]).toMatchObject({ to: 'probes', command: { do: 'sql', path: expect.stringMatching(/l\.db$/) } });
  expect((run.sent[0]!.command.statements as { sql: string }[]).map(({ sql }) => sql)).toEqual([
    'INSERT r1 a 5 20 10', 'NOTE r1', 'UPDATE a 5 20',
    'INSERT r2 a 5 20 10', 'NOTE r2',
    'UPDATE a 5 NULL',
  ]);
});

test('a ledger that makes its totals up from its rows needs no statement for them; what cannot be written is said', async () => {
  const rows = runWith('insert: { row: [ "INSERT ${row.id}" ] } }');
  await writeLedger(rows, [{ row: row('r1'), aggregate }]);
  expect(rows.sent[0]!.command.statements).toEqual([{ sql: 'INSERT r1' }]);
  await expect(writeLedger(rows, [{ aggregate }])).rejects.toThrow('has no ledger.insert.aggregate statements');
  const totals = runWith('insert: { aggregate: [ "UPDATE ${aggregate.amount}" ] } }');
  await expect(writeLedger(totals, [{ row: row('r1'), aggregate }])).rejects.toThrow('has no ledger.insert.row statements');
  await expect(writeLedger(testRun({ cell: cellWith({}, {}) }), [{ aggregate }])).rejects.toThrow('has no ledger.insert.aggregate');
  expect(rows.sent).toHaveLength(1);
});
