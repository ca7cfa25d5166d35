import { describe, expect, test } from 'vitest';
import { FACTS } from './fixtures/facts.ts';
import { verdictOf } from './fixtures/judging.ts';
import { LEAK, MARKER } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';

const LEFT = { client: 'alice', after: 'gone' };
const charge = (amount: number, atMs = 3_020) => ({ charges: [{ atMs, amount }] });
const policy = (changes: Partial<typeof FACTS.policy>) => ({ policy: { ...FACTS.policy, ...changes } });
/** An upstream that takes 3 s longer, as one that is read on for nobody. */
const readOn = (changes: Partial<Knobs> = {}) => story({ closedMs: 6_000, ownsUntilMs: 6_000, terminalMs: 6_010, ...changes });
const toTheEnd = (changes: Partial<Knobs> = {}) =>
  story({
    goneMs: null,
    closedMs: null,
    ownsUntilMs: null,
    servesUntilMs: null,
    eventsUntilMs: 1_600,
    terminalMs: 1_720,
    charges: [{ atMs: 1_720, amount: 5 }],
    upstreamEnd: { atMs: 1_650, how: 'complete', by: 'script', usage: 5 },
    toldMs: 1_660,
    told: { how: 'complete', endMark: true },
    ...changes,
  });
const visible = (met: boolean) =>
  at(800, 'harness', { type: 'precondition', name: 'charge-visible', met, detail: 'no settled charge within 3000 ms' });
const aggregate = (changes: Partial<Knobs> = {}) => ({
  ...changes,
  ledger: (value: Parameters<Knobs['ledger']>[0]) => ({
    accounts: value.accounts,
    reservations: value.reservations,
    consistent: true,
    wallMs: value.wallMs,
  }),
});
const bob = at(1_050, 'harness', {
  type: 'exchange-planned',
  marker: 'hx.bob.1.00000002',
  client: 'bob',
  account: 'acc',
  upstream: 'model',
  request: 'chat',
  purpose: 'drive',
});

describe('the client left', () => {
  table('charged-once', LEFT, [
    [
      'what it had received',
      { entries: story(charge(18)) },
      'held',
      'alice: 18 charged; the client had 18 events when it left, the upstream had written 19',
    ],
    ['what the upstream had written', { entries: story(charge(19)) }, 'held', '19 charged'],
    ['less than it had received', { entries: story(charge(17)) }, 'violated', 'alice was charged 17, at least 18 is right'],
    ['more than was written', { entries: story(charge(20)) }, 'violated', 'alice was charged 20, at most 19 is right'],
    [
      'what was written 500 ms after the leave',
      { entries: readOn(charge(25, 6_010)) },
      'held',
      '25 charged; the client had 18 events when it left, the upstream had written 25',
    ],
    ['all that was read on for', { entries: readOn(charge(48, 6_010)) }, 'violated', 'alice was charged 48, at most 25 is right'],
    [
      'a little more, while the system was starved',
      { entries: readOn({ ...charge(28, 6_010), runDelayMs: (ms) => (ms > 3_000 ? 400 : 0) }) },
      'inconclusive',
      'more than 25, but system or watchers were kept from the processor',
    ],
    [
      'the price of asking, for what came so late that it may be no work for the one who left',
      {
        // Comments only, until it had been gone for a while.
        entries: readOn({ ...charge(3, 6_010), runDelayMs: (ms) => (ms > 3_000 ? 400 : 0) }).map((entry) =>
          entry.fact.type === 'received' || (entry.fact.type === 'answer-progress' && entry.atMs < 3_700) ? { ...entry, fact: { ...entry.fact, events: 0 } } : entry),
        facts: { price: { perRequest: 3, perEvent: 1 } },
      },
      'inconclusive',
      'more than 0, but system or watchers were kept from the processor',
    ],
    [
      'a lot more, while the system was starved',
      { entries: readOn({ ...charge(40, 6_010), runDelayMs: (ms) => (ms > 3_000 ? 400 : 0) }) },
      'violated',
      'alice was charged 40, at most 29 is right',
    ],
    [
      'twice',
      {
        entries: story({
          charges: [
            { atMs: 3_020, amount: 9 },
            { atMs: 3_120, amount: 9 },
          ],
        }),
      },
      'violated',
      "alice's exchange was charged 2 times: 9 and 9 charged",
    ],
    ['not at all', { entries: story({ charges: [] }) }, 'violated', 'alice: nothing was charged; the client had 18 events when it left'],
    ['not at all, and still held', { entries: story(LEAK) }, 'violated', 'its reservation is still held'],
    [
      'not at all, and still held, where no charge was ever seen',
      { entries: story({ ...LEAK, extra: [visible(false)] }) },
      'violated',
      'its reservation is still held',
    ],
    [
      'not at all, where no charge was ever seen',
      { entries: story({ charges: [], extra: [visible(false)] }) },
      'inconclusive',
      'precondition charge-visible was not met',
    ],
    ['not at all, where a charge was seen', { entries: story({ charges: [], extra: [visible(true)] }) }, 'violated', 'nothing was charged'],
    [
      'nothing delivered, nothing charged',
      { entries: story({ charges: [], headMs: null, eventsUntilMs: 0 }) },
      'held',
      'nothing was charged; the client had 0 events when it left, the upstream had written 0',
    ],
    ['nothing delivered, one of 0', { entries: story({ ...charge(0), headMs: null, eventsUntilMs: 0 }) }, 'held', '0 charged'],
    [
      'nothing delivered, the price of a request',
      { entries: story({ ...charge(3), headMs: null, eventsUntilMs: 0 }), facts: { price: { perRequest: 3, perEvent: 1 } } },
      'violated',
      'alice was charged 3, at most 0 is right',
    ],
    [
      'the price of request and events',
      { entries: story(charge(2 + 18 * 3)), facts: { price: { perRequest: 2, perEvent: 3 } } },
      'held',
      '56 charged',
    ],
    ['without a price only the count', { entries: story(charge(1_000)), facts: { price: null } }, 'held', 'the amount is not judged'],
    [
      'a client that does not read has no lower bound',
      {
        entries: without(
          story({ ...charge(0), extra: [at(1_101, 'client.alice', { type: 'paused', marker: MARKER, unreadBytes: 0 })] }),
          ({ fact }) => fact.type === 'received',
        ),
      },
      'held',
      '0 charged; the client had 0 events',
    ],
    [
      'policy: nothing for a part',
      { entries: story({ charges: [] }), facts: policy({ partialBilling: 'nothing' }) },
      'held',
      'nothing was charged',
    ],
    [
      'policy: nothing for a part, and something charged',
      { entries: story(charge(1)), facts: policy({ partialBilling: 'nothing' }) },
      'violated',
      'at most 0 is right',
    ],
    [
      'policy: nothing for a part, one of 0',
      { entries: story(charge(0)), facts: policy({ partialBilling: 'nothing' }) },
      'held',
      'the amount is not judged',
    ],
    ['policy: full', { entries: story(charge(999)), facts: policy({ partialBilling: 'full' }) }, 'held', 'the amount is not judged'],
    [
      'policy: full, and nothing charged',
      { entries: story({ charges: [] }), facts: policy({ partialBilling: 'full' }) },
      'violated',
      'nothing was charged',
    ],
  ]);
});

describe('the system drains', () => {
  const drain = { ...policy({ onDisconnect: 'drain' }) };
  table('charged-once', LEFT, [
    [
      "the upstream's usage",
      {
        entries: story({
          closedMs: null,
          eventsUntilMs: 3_500,
          upstreamEnd: { atMs: 3_550, how: 'complete', by: 'script', usage: 24 },
          ...charge(24, 3_600),
          terminalMs: 3_600,
        }),
        facts: drain,
      },
      'held',
      '24 charged',
    ],
    [
      "less than the upstream's usage",
      {
        entries: story({
          closedMs: null,
          eventsUntilMs: 3_500,
          upstreamEnd: { atMs: 3_550, how: 'complete', by: 'script', usage: 24 },
          ...charge(23, 3_600),
          terminalMs: 3_600,
        }),
        facts: drain,
      },
      'violated',
      'at least 24 is right',
    ],
    [
      'what it wrote until the drain bound',
      { entries: story({ closedMs: 4_005, ...charge(29, 4_010), terminalMs: 4_010 }), facts: drain },
      'held',
      '29 charged',
    ],
    [
      'more than it wrote until the drain bound',
      { entries: readOn(charge(40, 6_010)), facts: drain },
      'violated',
      'alice was charged 40, at most 32 is right',
    ],
    [
      'all that it wrote where there is no drain bound',
      { entries: readOn(charge(48, 6_010)), facts: { ...drain, bounds: {} } },
      'held',
      '48 charged',
    ],
  ]);
});

describe('read to the end', () => {
  table('charged-once', { client: 'alice' }, [
    ['exactly the usage', { entries: toTheEnd() }, 'held', "alice: 5 charged; the upstream's usage was 5"],
    [
      'one less',
      { entries: toTheEnd(charge(4, 1_720)) },
      'violated',
      "alice was charged 4, at least 5 is right: the upstream's usage was 5",
    ],
    ['one more', { entries: toTheEnd(charge(6, 1_720)) }, 'violated', 'alice was charged 6, at most 5 is right'],
    [
      'the usage counts, not the events',
      { entries: toTheEnd({ upstreamEnd: { atMs: 1_650, how: 'complete', by: 'script', usage: 7 } }) },
      'violated',
      'at least 7 is right',
    ],
    [
      'without a usage the events count',
      { entries: toTheEnd({ upstreamEnd: { atMs: 1_650, how: 'complete', by: 'script', usage: null } }) },
      'held',
      '5 charged',
    ],
    ['never', { entries: toTheEnd({ charges: [] }) }, 'violated', "nothing was charged; the upstream's usage was 5"],
    [
      'never, and still held',
      { entries: toTheEnd({ charges: [], terminalMs: null, extra: [visible(false)] }) },
      'violated',
      'its reservation is still held',
    ],
    [
      'then she leaves, and owes all of it',
      { entries: toTheEnd({ goneMs: 3_000 }), facts: policy({ partialBilling: 'nothing' }) },
      'held',
      "alice: 5 charged; the upstream's usage was 5",
    ],
    [
      'then she leaves, and one less is too little',
      { entries: toTheEnd({ goneMs: 3_000, upstreamEnd: { atMs: 1_650, how: 'complete', by: 'script', usage: 6 } }) },
      'violated',
      'at least 6 is right',
    ],
    ['policy for parts does not matter', { entries: toTheEnd(), facts: policy({ partialBilling: 'nothing' }) }, 'held', '5 charged'],
    ['only growth of a total', { entries: toTheEnd(aggregate()) }, 'held', '5 charged'],
    [
      'only growth of a total, twice',
      {
        entries: toTheEnd(
          aggregate({
            charges: [
              { atMs: 1_720, amount: 3 },
              { atMs: 1_920, amount: 2 },
            ],
          }),
        ),
      },
      'violated',
      'charged 2 times: 3 and 2 charged',
    ],
    ['no markers', { entries: toTheEnd({ marked: false }) }, 'held', '5 charged'],
    [
      'no markers, and another exchange of the account',
      { entries: toTheEnd({ marked: false, extra: [bob] }) },
      'inconclusive',
      "may be another exchange's: the ledger has no markers",
    ],
    [
      'only growth, and another exchange of the account',
      { entries: toTheEnd({ ...aggregate(), extra: [bob] }) },
      'inconclusive',
      'the ledger has no markers',
    ],
    ['markers, and another exchange of the account', { entries: toTheEnd({ extra: [bob] }) }, 'held', '5 charged'],
  ]);
});

describe('ended in another way', () => {
  const cut = (changes: Partial<Knobs> = {}) =>
    story({
      goneMs: null,
      closedMs: null,
      eventsUntilMs: 1_600,
      terminalMs: 1_720,
      upstreamEnd: { atMs: 1_650, how: 'cut', by: 'fault', usage: null },
      toldMs: 1_660,
      ...changes,
    });
  table('charged-once', { client: 'alice' }, [
    [
      'what came',
      { entries: cut(charge(5, 1_720)) },
      'held',
      'alice: 5 charged; the client had 5 events in all, the upstream had written 5',
    ],
    ['more than came', { entries: cut(charge(6, 1_720)) }, 'violated', 'at most 5 is right'],
    [
      'an error status, and nothing',
      {
        entries: story({
          goneMs: null,
          charges: [],
          headMs: null,
          eventsUntilMs: 0,
          toldMs: 3_100,
          told: { how: 'complete', errorEvent: 'status 504' },
        }),
      },
      'held',
      'nothing was charged',
    ],
    [
      "an end mark without the upstream's end is no reading to the end",
      { entries: cut({ ...charge(4, 1_720), told: { how: 'complete', endMark: true } }) },
      'violated',
      'at least 5 is right: the client had 5 events in all',
    ],
  ]);
});

describe('inconclusive', () => {
  table('charged-once', LEFT, [
    ['the ledger was never seen', { entries: without(story(), isSample('ledger')) }, 'inconclusive', 'probe ledger never saw the ledger'],
    [
      'nobody asked',
      { entries: without(story(), ({ fact }) => fact.type === 'exchange-planned') },
      'inconclusive',
      'alice planned no exchange',
    ],
    ['no mark', { entries: story({ goneMs: null }) }, 'inconclusive', 'mark gone was never set'],
    [
      'no baseline',
      { entries: without(story(), (entry) => isSample('ledger')(entry) && entry.atMs < 1_100) },
      'inconclusive',
      'no sample of the baseline',
    ],
    [
      'no upstream got it',
      { entries: without(story({ charges: [] }), ({ actor }) => actor === 'upstream.model') },
      'inconclusive',
      "no upstream got alice's request: there is nothing to charge",
    ],
    [
      'the system died',
      { entries: story({ extra: [at(7_000, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null })] }) },
      'inconclusive',
      'router died',
    ],
    ['the record breaks off', { entries: without(story(), ({ atMs }) => atMs > 7_000) }, 'inconclusive', 'the record breaks off'],
    [
      'the path did not work',
      { entries: story({ extra: [at(800, 'harness', { type: 'precondition', name: 'path', met: false, detail: 'no' })] }) },
      'inconclusive',
      'precondition path',
    ],
    [
      'clocks apart',
      { entries: story({ extra: [at(101, 'harness', { type: 'clock', offsetMs: 0, errorMs: 300 })] }) },
      'inconclusive',
      'the clocks agree',
    ],
  ]);
  test('charged twice is wrong whatever else is', () => {
    const entries = story({
      charges: [
        { atMs: 3_020, amount: 9 },
        { atMs: 3_120, amount: 9 },
      ],
      extra: [at(3_050, 'harness', { type: 'fault', fault: 'signal', edge: 'failed', detail: 'no' })],
    });
    expect(verdictOf('charged-once', { entries, options: LEFT }).outcome).toBe('violated');
  });
});

describe('does not apply', () => {
  table('charged-once', LEFT, [
    ['without a ledger', { entries: story(), facts: { ledger: null } }, 'does-not-apply', 'the card has no ledger'],
    [
      'to a client that vanishes',
      { entries: story(), facts: { leaves: [{ mark: 'gone', client: 'alice', how: 'vanish' }] } },
      'does-not-apply',
      'alice vanishes',
    ],
  ]);
});

test('a client that vanished is charged for what was delivered until its end', () => {
  const entries = story({ how: 'vanish', wire: 'nothing', closedMs: 4_100, terminalMs: 4_110, charges: [{ atMs: 4_110, amount: 29 }] });
  expect(verdictOf('charged-once', { entries, options: { client: 'alice' } })).toMatchObject({
    outcome: 'held',
    reason: 'alice: 29 charged; the client had 18 events in all, the upstream had written 29',
  });
});
