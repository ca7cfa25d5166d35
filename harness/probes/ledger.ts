// The billing view: accounts, reservations and charges of the system's own SQLite file, read as any
// neighbour would, with real locking. Each sample opens, reads once and closes, because a reader that
// stays open changes what the system leaves behind; a file that nobody has open is read as a copy.
import type { Options } from '../model/fields.ts';
import { textOption } from '../model/fields.ts';
import type { LedgerValue } from '../model/samples.ts';
import type { LedgerQueries } from './ledger-rows.ts';
import { readLedger } from './ledger-rows.ts';
import type { ProbeDefinition, ProbeView } from './probe.ts';
import { createWriteCount } from './write-count.ts';
import { isOpenElsewhere, journalOf, whenUnlocked, withCopy, withDatabase } from './sqlite.ts';

/** In WAL a reader waits for nobody but a recovery; longer than this is an error of that sample. */
const PATIENCE_MS = 250;

const open = (config: Options): ProbeView => {
  const path = textOption(config, 'path');
  const queries = config.queries as LedgerQueries;
  const terminal = new Set(config.terminal as readonly string[]);
  const temporary = config.temporary as string | undefined;
  const isDead = config.dead === true;

  const counted = createWriteCount(path);

  const sample = (): Promise<LedgerValue> =>
    whenUnlocked(() => {
      // The first to open a closed WAL database creates files beside it, and leaves them.
      const nobodyHasIt = isDead || (journalOf(path) === 'wal' && !isOpenElsewhere(path));
      if (nobodyHasIt) return withCopy(path, (database) => readLedger(database, queries, terminal), temporary);
      const { value, writes } = counted(() => withDatabase(path, true, (database) => readLedger(database, queries, terminal)));
      return writes === undefined ? value : { ...value, writes };
    }, PATIENCE_MS);

  // With a rollback journal an open read transaction can lock the system's writer out.
  return { sample, marksOnly: () => !isDead && journalOf(path) === 'rollback' };
};

export const definition: ProbeDefinition = {
  kind: 'ledger',
  about: 'accounts, reservations and charges of a SQLite ledger, in one short read a sample',
  fields: {
    options: {
      path: { type: 'text', about: 'the database, as this process sees it' },
      queries: { type: 'any', about: 'one SELECT each for accounts and, where there are any, reservations and charges' },
      terminal: { type: 'text', list: true, about: 'states in which a reservation holds nothing any more' },
      dead: { type: 'boolean', optional: true, about: 'the system has ended: read a copy and leave the files as they are' },
      temporary: { type: 'text', optional: true, about: 'folder for such copies; the machine\'s own otherwise' },
    },
  },
  example: {
    path: '/stage/ledger.db',
    queries: { accounts: 'SELECT id, balance, reserved, spent FROM accounts' },
    terminal: ['charged', 'released'],
  },
  open,
};
