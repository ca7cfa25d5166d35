// Ledgers that give the id of a deleted row out again: whose row it then is, and what of the old one is said by it.
import { describe } from 'vitest';
import { crowd, CROWD, markerOf } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';
import type { LedgerValue, Reservation } from '../model/samples.ts';

const tell = (changes: Partial<Crowd> = {}): Row[1] => ({ entries: crowd(changes), facts: CROWD });
const LIMIT = { client: 'alice', after: 'gone', within: 2_000 };
const LEFT = { client: 'alice', after: 'gone' };

/** Dave, of alice's account, asks at that time; his row has the id that hers had. */
const asks = (atMs: number): Entry =>
  at(atMs, 'harness', { type: 'exchange-planned', marker: markerOf('dave'), client: 'dave', account: 'acc', upstream: 'model', request: 'chat', purpose: 'drive' });
const again = (fromMs: number, row: Partial<Reservation> = {}) => (value: LedgerValue, ms: number): LedgerValue => {
  const own = value.reservations.map((each) => (each.id === '7' ? { ...each, startedAtMs: 1 } : each));
  const { leaseAtMs, marker, ...first } = { leaseAtMs: 0, ...value.reservations[0]! };
  return { ...value, reservations: ms < fromMs ? own : [...own, { ...first, id: '7', account: 'acc', payer: 'acc', leaseAtMs: leaseAtMs + ms, ...row }] };
};
const unmarked: Partial<Crowd> = { marked: false, bob: { account: null }, alice: { isDeleted: true } };

describe('an id that another account gets', () => {
  const reused = tell({ alice: { isDeleted: true }, carol: { row: '7', reservedMs: 4_000 } });
  const unseen = tell({ alice: { isDeleted: true }, carol: { row: '7', reservedMs: 3_030 } });
  table('billing-terminal', LIMIT, [
    ['later', reused, 'held', 'reservation 7 was gone 60 ms after'],
    ['between two samples', unseen, 'held', 'reservation 7 was gone 60 ms after'],
  ]);
  table('renewal-stopped', LEFT, [['whose lease moves', unseen, 'held', 'no lease of 1 reservation of alice']]);
  table('only-mine-released', { client: 'alice' }, [['and holds', unseen, 'held', "alice's exchange was released"]]);
  table('not-swept-while-live', { client: 'carol' }, [['whose row it is now', unseen, 'held', 'reservation 7 (2) was held']]);
});

describe('an id that comes back in the same account', () => {
  table('billing-terminal', LIMIT, [
    ['for whoever asked meanwhile', tell({ ...unmarked, ledger: again(4_000, { startedAtMs: 2 }), extra: [asks(3_900)] }), 'held', 'reservation 7 was gone'],
    ['for nobody', tell({ ...unmarked, ledger: again(4_000, { startedAtMs: 2 }) }), 'violated', 'reservation 7 was gone, and active again'],
    ['for somebody who asked too late to have made it', tell({ ...unmarked, ledger: again(4_000), extra: [asks(4_070)] }), 'violated', 'and active again'],
    ['though it began when hers did', tell({ ...unmarked, ledger: again(4_000, { startedAtMs: 1 }), extra: [asks(3_900)] }), 'violated', 'and active again'],
    ['under her marker', tell({ alice: { isDeleted: true }, ledger: again(4_000, { marker: markerOf('alice') }), extra: [asks(3_900)] }), 'violated', 'and active again'],
  ]);
  table('only-mine-released', { seeded: 'alice' }, [
    [
      'of a row that a fault wrote',
      tell({ ...unmarked, ledger: (value, ms) => again(5_000, { id: 'added-1' })(ms < 3_300 || ms > 4_000 ? value : again(0, { id: 'added-1' })(value, ms), ms), extra: [asks(4_900), at(3_290, 'harness', { type: 'ledger-rows', reservations: ['added-1'], account: 'acc' })] }),
      'violated',
      'reservation added-1 of what a fault added',
    ],
  ]);
});
