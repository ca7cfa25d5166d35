// What is owed when the client leaves oddly: by a half-close that is served or not, in the moment that it was told
// the end, by a kill that is noted late; and when nobody can say whose a charge is.
import { describe } from 'vitest';
import { FACTS } from './fixtures/facts.ts';
import { MARKER } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const ALICE = { client: 'alice' };
const LEFT = { ...ALICE, after: 'gone' };
const SERVED = { leaves: [], policy: { ...FACTS.policy, halfClose: 'serve' } } as const;
/** Five events were written, and four are charged: enough for one who left early, too little for one who read all. */
const four = (changes: Partial<Knobs>) => ({
  entries: story({
    closedMs: null, ownsUntilMs: null, servesUntilMs: null, eventsUntilMs: 1_600, terminalMs: 1_720, charges: [{ atMs: 1_720, amount: 4 }],
    upstreamEnd: { atMs: 1_650, how: 'complete', by: 'script', usage: 5 }, toldMs: 1_660, told: { how: 'complete', endMark: true }, goneMs: 1_400, ...changes,
  }),
});

describe('left, or not', () => {
  table('charged-once', ALICE, [
    ['by a half-close that is served: it has left nothing', { ...four({ how: 'half-close' }), facts: SERVED }, 'violated', "the upstream's usage was 5"],
    ['by a half-close that means the end', four({ how: 'half-close' }), 'held', '4 charged; the client had'],
    ['by a FIN, where a half-close is served', { ...four({}), facts: SERVED }, 'held', '4 charged; the client had'],
    ['in the moment that it had read all: it has left nothing', four({ goneMs: 1_659 }), 'violated', "the upstream's usage was 5"],
    ['just before that', four({ goneMs: 1_658 }), 'violated', 'at least 5 is right: the client had 5 events when it left'],
  ]);
});

describe('killed, which is noted late', () => {
  const killed = (amount: number, changes: Partial<Knobs> = {}) => ({
    entries: story({
      goneMs: null, runDelayMs: () => 0, charges: [{ atMs: 4_020, amount }], terminalMs: 4_020, ...changes,
      extra: [
        at(3_000, 'harness', { type: 'mark', mark: 'gone', client: 'alice' }),
        at(3_150, 'harness', { type: 'left', how: 'kill', wire: 'fin', marker: MARKER, unreadBytes: 0, socket: { before: 'established', after: 'established' } }),
      ],
    }),
  });
  const readOn: Partial<Knobs> = { closedMs: 4_000, ownsUntilMs: 4_000 };
  table('charged-once', LEFT, [
    ['what it had at the mark is owed', killed(18), 'held', 'the client had 18 events when it left'],
    ['what was written half a second after the mark may be', killed(24, readOn), 'held', '24 charged'],
    ['so may what was written while the kill went unnoted', killed(25, readOn), 'inconclusive', 'more than 24'],
    ['more may not', killed(27, readOn), 'violated', 'was charged 27, at most'],
  ]);
});

describe('whose charge it is', () => {
  const bob: Entry = at(1_050, 'harness', { type: 'exchange-planned', marker: 'hx.bob.1.00000002', client: 'bob', account: 'acc', upstream: 'model', request: 'chat', purpose: 'drive' });
  table('charged-once', LEFT, [
    ["one that may be another's says nothing", { entries: story({ marked: false, extra: [bob] }) }, 'inconclusive', "may be another exchange's: the ledger has no markers", { evidence: 1 }],
    ['where there is none, nobody was charged', { entries: story({ marked: false, charges: [], extra: [bob] }) }, 'violated', 'nothing was charged', { evidence: 2 }],
  ]);
});

describe('no-late-charge', () => {
  const both: Partial<Knobs> = { charges: [{ atMs: 3_020, amount: 7 }, { atMs: 3_020, amount: 12 }] };
  const refunded = at(8_060, 'harness', { type: 'refund', account: 'acc', attempt: 1, status: 200, answer: '', verdict: 'accepted' });
  const growth = (jumpMs: number) => ({
    entries: story({
      refund: null, extra: [refunded],
      ledger: ({ charges: _, ...value }, ms) => (ms < jumpMs ? value : { ...value, accounts: value.accounts.map((account) => ({ ...account, spent: account.spent + 5 })) }),
    }),
    facts: { ledger: { hasReservations: true, hasCharges: false } },
  });
  table('no-late-charge', ALICE, [
    ['two that were there at once, in another order later', { entries: story({ ...both, ledger: (value, ms) => (ms < 5_000 ? value : { ...value, charges: value.charges!.toReversed() }) }) }, 'held', '2 charges of 19 when it was settled'],
    ['settled in the last sample of all', { entries: without(story({ terminalMs: 8_360, charges: [{ atMs: 8_360, amount: 19 }] }), (entry) => isSample('ledger')(entry) && entry.atMs > 8_360) }, 'held', 'no other in 0 ms after that', { evidence: 1 }],
    ['what is spent before the refund was charged', growth(7_960), 'violated', '5 was charged', { interval: [3_060, 7_960], evidence: 2 }],
    ['what comes in a transaction of its own, and says so', { entries: story({ charges: [{ atMs: 3_120, amount: 19 }] }) }, 'violated', "19 was charged 100 ms after alice's exchange was settled: it was over in a sample in which nothing was charged yet", { interval: [3_060, 3_160] }],
    ['what comes between the same samples', { entries: story({ charges: [{ atMs: 3_059, amount: 19 }] }) }, 'held', '1 charge of 19'],
    ['what comes beside another charge', { entries: story({ charges: [{ atMs: 3_020, amount: 7 }, { atMs: 3_120, amount: 12 }] }) }, 'violated', "12 was charged 100 ms after alice's exchange was settled", { whole: true }],
    ['what is spent with it was not', growth(8_060), 'held', '1 charge of 19'],
  ]);
});
