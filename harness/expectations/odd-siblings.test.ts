// Releases and siblings to the sample: what was live in the very sample in which it was over, rows that were never
// live, an account that is gone; and what the verdict then points at.
import { describe } from 'vitest';
import { crowd, CROWD } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { isSample, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const ALICE = { client: 'alice' };
const tell = (changes: Partial<Crowd> = {}, edit: (entries: readonly Entry[]) => readonly Entry[] = (entries) => entries): Row[1] => ({ entries: edit(crowd(changes)), facts: CROWD });
const never = (entries: readonly Entry[]): readonly Entry[] => without(entries, (entry) => entry.fact.type === 'exchange-planned' || isSample('ledger')(entry));
/** Bob gets an event every 1.43 s, the third at 4.06 s: in the very sample in which his row is over. */
const slow = (writesUntilMs: number): Partial<Crowd> => ({ bob: { everyMs: 1_430, writesUntilMs, terminalMs: 4_000 } });

describe('only-mine-released', () => {
  table('only-mine-released', ALICE, [
    ['released, and nothing more', tell(), 'held', "alice's exchange was released: account acc has 100 reserved, 1 live row of others hold 100", { whole: true }],
    ['nobody asked, and nothing was seen', tell({}, never), 'inconclusive', 'alice planned no exchange'],
    ['a row that was over when it was first seen', tell({ alice: { terminalMs: 1_110 } }), 'inconclusive', "no reservation of alice's exchange was ever seen active"],
    ['whose a row is cannot be told', tell({ marked: false }), 'inconclusive', 'reservation 7 may belong to another exchange', { evidence: 1 }],
    ['still held', tell({ alice: { terminalMs: null } }), 'violated', 'was still active at the end', { interval: [6_000, 7_960], evidence: 1 }],
    ['the account is gone', tell({ ledger: (value, ms) => (ms < 7_000 ? value : { ...value, accounts: [] }) }), 'inconclusive', 'account acc is not in the ledger at the end', { evidence: 1 }],
    ['a sibling that was live until the sample in which it was over', tell(slow(4_060)), 'held', 'account acc has 0 reserved'],
    ['a sibling that was live after it', tell(slow(5_490)), 'violated', 'reservation 8 of bob was released at 4.1 s', { interval: [4_060, 5_490], evidence: 2, class: 'aggregate and rows drifted apart' }],
  ]);
});
