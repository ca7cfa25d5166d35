// Writes what a fault adds to the ledger, through the card's statements, from beside the system.
import type { LedgerEntry } from '../faults/fault.ts';
import { problem } from '../model/problem.ts';
import type { Card } from '../systems/card.ts';
import { fillText } from '../systems/template.ts';
import type { Values } from '../systems/template.ts';
import type { Run } from './run-context.ts';
import { ledgerPath } from './sample.ts';

/** `${row.id}`, `${aggregate.amount}`: what is not known is SQL's NULL. */
const valuesOf = (part: 'row' | 'aggregate', fields: Readonly<Record<string, string | number | null>>): Values =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [`${part}.${key}`, value ?? 'NULL']));

/** @throws ProblemError `no-ledger-insert` */
const statementsFor = (card: Card, { row, aggregate }: LedgerEntry): readonly string[] => {
  const insert = card.ledger?.insert;
  // A ledger may well make up its totals from its rows: then they need no statement.
  const missing = row && !insert?.row.length ? 'row' : aggregate && !row && !insert?.aggregate.length ? 'aggregate' : null;
  if (missing !== null || !insert) throw problem('scenario', 'no-ledger-insert', `${card.file} has no ledger.insert.${missing} statements`);
  const fill = (part: 'row' | 'aggregate', fields: Parameters<typeof valuesOf>[1]): readonly string[] =>
    insert[part].map((sql) => fillText(sql, valuesOf(part, fields), `ledger.insert.${part}`));
  return [...(row ? fill('row', row) : []), ...(aggregate ? fill('aggregate', aggregate) : [])];
};

/** All in one transaction, so that the system never sees half of it. */
export const writeLedger = async (run: Run, entries: readonly LedgerEntry[]): Promise<void> => {
  const statements = entries.flatMap((entry) => statementsFor(run.cell.card, entry)).map((sql) => ({ sql }));
  await run.stage.send('probes', { do: 'sql', path: ledgerPath(run), statements });
};
