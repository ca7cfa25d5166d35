// Ledgers that are odd but right, or hide a leak behind something that is: rows that flicker, totals that
// several exchanges share, a baseline that was not yet at rest.
import { describe } from 'vitest';
import { LEAK, WALL_MS } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';
import type { LedgerValue } from '../model/samples.ts';

const LEFT = { client: 'alice', after: 'gone', within: 2_000 };
const AGGREGATE = { ledger: { hasReservations: false, hasCharges: true } };
type Edit = (value: LedgerValue, ms: number) => LedgerValue;
const noRows: Edit = (value) => ({ ...value, reservations: [] });
const reserving =
  (amountAt: (ms: number) => number): Edit =>
  (value, ms) => ({
    ...value,
    accounts: value.accounts.map((account) =>
      account.id === 'acc' ? { ...account, balance: account.balance - amountAt(ms), reserved: account.reserved + amountAt(ms) } : account,
    ),
  });
const planned = (fromMs: number, marker = 'hx.bob.1.00000002') =>
  at(fromMs, 'harness', { type: 'exchange-planned', marker, client: 'bob', account: 'acc', upstream: 'model', request: 'chat', purpose: 'drive' });

/** The row is terminal in between, and active before and after. */
const terminalBetween = (fromMs: number, toMs: number): Edit => (value, ms) => ({
  ...value,
  reservations: value.reservations.map((row) => (ms >= fromMs && ms < toMs ? { ...row, state: 'charged', terminal: true } : row)),
});

describe('a state that flickers before the leave', () => {
  table('billing-terminal', LEFT, [
    ['is not judged: it ended in time and stayed so', { entries: story({ ledger: terminalBetween(1_500, 2_500) }) }, 'held', '60 ms after'],
    [
      'but what is open again after the leave is',
      { entries: story({ ledger: terminalBetween(2_500, 3_300), terminalMs: 4_000 }) },
      'violated',
      'reservation 7 was charged, and active again 800 ms later',
    ],
    [
      'and a second return is, though the first was before',
      {
        entries: story({
          terminalMs: 4_500,
          ledger: (value, ms) => terminalBetween(1_500, 2_000)(terminalBetween(3_500, 4_000)(value, ms), ms),
        }),
      },
      'violated',
      'reservation 7 was charged, and active again 500 ms later',
    ],
  ]);
});

describe('a total that another exchange of the account may keep up', () => {
  const shared = (fromMs: number, changes: Partial<Knobs> = {}): readonly Entry[] =>
    story({
      ...changes,
      ledger: (value, ms) => noRows(reserving((at_) => (at_ >= fromMs ? 40 : 0))(value, ms), ms),
      extra: [planned(fromMs - 10)],
    });
  table('billing-terminal', LEFT, [
    [
      'accuses nobody while it asks',
      { entries: shared(2_000), facts: AGGREGATE },
      'inconclusive',
      "the reserved total of alice's account was still 40 5.0 s after alice's FIN, which may be another exchange's: the ledger has no reservations",
    ],
    ['accuses nobody where it comes back for a later one', { entries: shared(4_000), facts: AGGREGATE }, 'inconclusive', "another exchange's"],
    [
      'but it is back where nobody holds anything',
      { entries: story({ ledger: noRows, extra: [planned(2_000)] }), facts: AGGREGATE },
      'held',
      "the reserved total of alice's account was 0",
    ],
    [
      'and one that was over before is not the reason',
      {
        entries: story({
          ...LEAK,
          ledger: noRows,
          extra: [
            planned(1_055),
            at(1_058, 'client.bob', {
              type: 'response-ended', marker: 'hx.bob.1.00000002', how: 'complete', endMark: true, errorEvent: null, bytes: 1, events: 1,
              foreignMarkers: [],
            }),
          ],
        }),
        facts: AGGREGATE,
      },
      'violated',
      'still 100 5.0 s after',
    ],
  ]);
});

describe('a baseline that was not at rest', () => {
  /** An earlier exchange's row: live at the baseline, and until then. */
  const earlier =
    (untilMs: number): Edit =>
    (value, ms) => {
      const isLive = ms < untilMs;
      const row = {
        id: '6', account: 'acc', payer: 'acc', amount: 100, state: isLive ? 'active' : 'charged', terminal: !isLive, leaseAtMs: WALL_MS,
        marker: 'hx.alice.0.00000000',
      };
      return { ...reserving(() => (isLive ? 100 : 0))(value, ms), reservations: [row, ...value.reservations] };
    };
  table('nothing-reserved', { client: 'alice' }, [
    [
      'is not what must be kept',
      { entries: story({ ledger: earlier(2_000) }) },
      'held',
      'account acc has 0 reserved, the baseline had 100, of which 100 were released since',
    ],
    [
      'hides no leak of as much',
      { entries: story({ ...LEAK, ledger: earlier(2_000) }) },
      'violated',
      'account acc has 100 reserved 7.0 s after the baseline, which had 100, of which 100 were released since, in 1 live row',
    ],
    ['is kept where it lives on', { entries: story({ ledger: earlier(Infinity) }) }, 'held', 'account acc has 100 reserved, as before'],
  ]);
});

/** The refund was asked 60 ms before its answer came. */
const asked = (entries: readonly Entry[]): readonly Entry[] =>
  entries.map((entry) => (entry.fact.type === 'refund' ? { ...entry, fact: { ...entry.fact, tookMs: 60 } } : entry));
const emptied: Edit = (value, ms) =>
  ms < 8_050 ? value : { ...value, accounts: value.accounts.map((account) => ({ ...account, balance: 0 })) };
const charged = (atMs: number, amount: number) => ({ atMs, amount });
const growing: Edit = ({ charges: _, ...value }) => value;
const SPENT = { ledger: { hasReservations: true, hasCharges: false } };
const prepared = (changes: Partial<Knobs>, marker = 'hx.alice.0.00000000'): Partial<Knobs> => ({
  ...changes,
  extra: [
    at(600, 'harness', {
      type: 'exchange-planned', marker, client: 'alice', account: 'acc', upstream: 'model', request: 'chat', purpose: 'prepare',
    }),
  ],
});

describe('a total that grows as the stream does', () => {
  const asItGoes = [charged(1_500, 4), charged(2_000, 5), charged(2_500, 5), charged(3_020, 4)];
  table('charged-once', { client: 'alice', after: 'gone' }, [
    ['is one charge', { entries: story({ charges: asItGoes, ledger: growing }), facts: SPENT }, 'held', 'alice: 18 charged'],
    [
      'is too much where it is too much in all',
      { entries: story({ charges: [...asItGoes.slice(0, 3), charged(3_020, 9)], ledger: growing }), facts: SPENT },
      'violated',
      'alice was charged 23, at most 19 is right',
    ],
    [
      'and grows once more afterwards is two',
      { entries: story({ charges: [...asItGoes, charged(3_420, 1)], ledger: growing }), facts: SPENT },
      'violated',
      'charged 2 times: 18 and 1 charged',
    ],
    ['but rows are counted', { entries: story({ charges: asItGoes }) }, 'violated', 'charged 4 times: 4 and 5 and 5 and 4 charged'],
  ]);
});

describe("the preparation's own exchange", () => {
  const late = { charges: [charged(1_300, 3), charged(3_020, 18)], marked: false };
  table('charged-once', { client: 'alice', after: 'gone' }, [
    [
      'may be charged after the baseline: then nobody is accused of it',
      { entries: story(prepared(late)) },
      'inconclusive',
      "a charge of alice's account may be another exchange's: the ledger has no markers",
    ],
    [
      'the same where only a total grows',
      { entries: story(prepared({ ...late, ledger: growing })), facts: SPENT },
      'inconclusive',
      "may be another exchange's",
    ],
    [
      'that was charged before is known',
      { entries: story(prepared({ charges: [charged(700, 3), charged(3_020, 18)], marked: false })) },
      'held',
      'alice: 18 charged',
    ],
    [
      'that was never charged, like the other, hides nothing',
      { entries: story(prepared({ charges: [], marked: false })) },
      'violated',
      'alice: nothing was charged',
    ],
  ]);
});

describe('another exchange of the account, and no charge at all', () => {
  table('charged-once', { client: 'alice', after: 'gone' }, [
    ['is no charge of hers', { entries: story({ marked: false, charges: [], extra: [planned(1_055)] }) }, 'violated', 'alice: nothing was charged'],
  ]);
});

describe('what a refund pays out', () => {
  const payout = [charged(3_020, 19), charged(8_080, 9_881)];
  table('no-late-charge', { client: 'alice' }, [
    [
      'is no late charge for all that is known, where rows have no markers',
      { entries: asked(story({ charges: payout, marked: false })) },
      'inconclusive',
      '9881 more was booked after the refund, which may be what was paid out: it has no marker',
    ],
    ['leaves the claim as it was where nothing comes', { entries: asked(story({ marked: false })) }, 'held', '1 charge of 19'],
  ]);
  table('accounting-valid', {}, [
    [
      'may be gone from the books before its answer has come',
      { entries: asked(story({ ledger: emptied })) },
      'held',
      'add up',
    ],
    ['must not be gone before it was asked', { entries: story({ ledger: emptied }) }, 'violated', 'does not add up at 8.1 s'],
  ]);
});

describe('a ledger that is read at marks only', () => {
  const marks = [960, 2_960, 3_060, 5_960, 7_960];
  const rare = (changes: Partial<Knobs> = {}): readonly Entry[] =>
    story(changes).filter(({ atMs, fact }) => fact.type !== 'sample' || fact.probe !== 'ledger' || marks.includes(atMs));
  table('nothing-reserved', { client: 'alice' }, [
    ['shows what is left', { entries: rare() }, 'held', 'account acc has 0 reserved, as before'],
    ['shows what is not left', { entries: rare(LEAK) }, 'violated', 'account acc has 100 reserved'],
  ]);
  table('renewal-stopped', { client: 'alice', after: 'gone' }, [
    ['shows a renewal', { entries: rare(LEAK) }, 'violated', 'lease of reservation 7 moved'],
    ['does not show that there was none', { entries: rare() }, 'inconclusive', 'probe ledger too slow'],
  ]);
});
