import { describe, expect, test } from 'vitest';
import { definition } from './bounded-wait.ts';
import { FACTS } from './fixtures/facts.ts';
import { verdictOf } from './fixtures/judging.ts';
import { LEAK, MARKER } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, every, isSample, timelineOf, without } from './fixtures/timeline.ts';

/** The system ends everything at that time: upstream, client, money. */
const endsAt = (ms: number, changes: Partial<Knobs> = {}): Partial<Knobs> => ({
  goneMs: null,
  closedMs: ms,
  ownsUntilMs: ms,
  servesUntilMs: ms + 1,
  toldMs: ms + 2,
  terminalMs: ms + 5,
  charges: [],
  ...changes,
});
const never: Partial<Knobs> = { ...LEAK, goneMs: null, servesUntilMs: null };
const headerWait: Partial<Knobs> = { headMs: null, eventsUntilMs: 0 };
const paused = at(1_150, 'client.alice', { type: 'paused', marker: MARKER, unreadBytes: 0 });
const comments = every(200, 1_300, 7_900).map((ms, index) =>
  at(ms, 'upstream.model', { type: 'answer-progress', exchange: 3, bytes: 200 + (index + 1) * 13, events: 1, comments: index + 1 }),
);
const bound = (name: string, client = 'alice') => ({ bound: name, client });
const timeout = { how: 'complete', errorEvent: 'status 504: header timeout' } as const;

describe('header', () => {
  table('bounded-wait', bound('header'), [
    [
      'told by an error status at 2 s',
      { entries: story({ ...endsAt(3_110), ...headerWait, told: timeout }) },
      'held',
      'alice was told (status 504: header timeout) 12 ms after the header bound of 2.0 s; upstream exchange 3 was closed by FIN 10 ms after the header bound',
    ],
    [
      'and the money is settled',
      { entries: story({ ...endsAt(3_110), ...headerWait, told: timeout }) },
      'held',
      'reservation 7 was charged 60 ms after the header bound of 2.0 s',
    ],
    ['never', { entries: story({ ...never, ...headerWait }) }, 'violated', 'alice was told nothing 4.9 s after the header bound of 2.0 s'],
    [
      'told, but the upstream stays open',
      { entries: story({ ...endsAt(3_110), ...headerWait, closedMs: null, ownsUntilMs: null }) },
      'violated',
      'upstream exchange 3 was still open 4.9 s after the header bound of 2.0 s',
    ],
    [
      'told, but the money stays held',
      { entries: story({ ...endsAt(3_110), ...headerWait, terminalMs: null }) },
      'violated',
      'reservation 7 was still active 4.9 s after the header bound',
    ],
    [
      'closed and settled, but not told',
      { entries: story({ ...endsAt(3_110), ...headerWait, toldMs: null }) },
      'violated',
      'alice was told nothing',
    ],
    [
      'told too late',
      { entries: story({ ...endsAt(3_110), ...headerWait, toldMs: 3_900 }) },
      'violated',
      'alice was told only 800 ms after the header bound of 2.0 s',
    ],
    [
      'told between bound and margin',
      { entries: story({ ...endsAt(3_110), ...headerWait, toldMs: 3_300 }) },
      'held',
      '200 ms after the header bound',
    ],
    [
      'a longer margin',
      { entries: story({ ...endsAt(3_110), ...headerWait, toldMs: 3_900 }), options: { within: 900 } },
      'held',
      '800 ms after',
    ],
    [
      'told at once is not by this bound',
      { entries: story({ ...endsAt(1_200), ...headerWait }) },
      'inconclusive',
      'alice was told 1.9 s before the header bound of 2.0 s: something else ended it',
    ],
    [
      'no ledger: money is not asked for',
      { entries: story({ ...endsAt(3_110), ...headerWait, terminalMs: null }), facts: { ledger: null } },
      'held',
      'closed by FIN',
    ],
    [
      'no account: money is not asked for',
      {
        entries: story({ ...endsAt(3_110), ...headerWait, terminalMs: null }),
        facts: { clients: { alice: { account: null, address: '' } } },
      },
      'held',
      'closed by FIN',
    ],
    [
      'no upstream got it',
      { entries: without(story({ ...endsAt(3_110), ...headerWait }), ({ actor }) => actor === 'upstream.model') },
      'inconclusive',
      "no upstream got alice's request: nothing waited",
    ],
    [
      'another upstream than the one that is asked for',
      { entries: story({ ...endsAt(3_110), ...headerWait }), options: { upstream: 'other' } },
      'inconclusive',
      "no upstream got alice's request",
    ],
    [
      'the one that is asked for',
      { entries: story({ ...endsAt(3_110), ...headerWait }), options: { upstream: 'model' } },
      'held',
      'closed by FIN',
    ],
    [
      'the upstream ended it',
      {
        entries: story({
          ...endsAt(3_110),
          ...headerWait,
          closedMs: null,
          upstreamEnd: { atMs: 2_500, how: 'cut', by: 'fault', usage: null },
        }),
      },
      'inconclusive',
      'was ended by a fault 600 ms before the header bound',
    ],
    [
      'the record ends too soon to say',
      { entries: without(story({ ...never, ...headerWait }), ({ atMs }) => atMs > 3_200) },
      'inconclusive',
      'alice had not been told 100 ms after the header bound of 2.0 s, which is too soon to say',
    ],
    [
      "the client's process broke",
      {
        entries: story({
          ...endsAt(3_110),
          ...headerWait,
          toldMs: null,
          extra: [at(2_000, 'harness', { type: 'actor-failed', process: 'clients', error: 'gone' })],
        }),
      },
      'inconclusive',
      'clients failed at 2.0 s',
    ],
    [
      'the system died',
      {
        entries: story({
          ...endsAt(3_110),
          ...headerWait,
          extra: [at(3_112, 'system', { type: 'process-exited', process: 'router', code: 1, signal: null })],
        }),
      },
      'inconclusive',
      'router died by itself',
    ],
    [
      'a fault did not fire',
      {
        entries: story({
          ...never,
          ...headerWait,
          extra: [at(3_112, 'harness', { type: 'fault', fault: 'x', edge: 'failed', detail: 'no' })],
        }),
      },
      'inconclusive',
      'fault x',
    ],
    [
      'the path did not work',
      {
        entries: story({
          ...never,
          ...headerWait,
          extra: [at(800, 'harness', { type: 'precondition', name: 'path', met: false, detail: 'no' })],
        }),
      },
      'inconclusive',
      'precondition path',
    ],
    [
      'clocks apart',
      { entries: story({ ...never, ...headerWait, extra: [at(101, 'harness', { type: 'clock', offsetMs: 0, errorMs: 300 })] }) },
      'inconclusive',
      'the clocks agree',
    ],
    [
      'somebody lagged',
      {
        entries: story({
          ...endsAt(3_110),
          ...headerWait,
          extra: [at(2_500, 'lag.clients', { type: 'scheduling-lag', process: 'clients', lagMs: 300 })],
        }),
      },
      'inconclusive',
      'clients lagged 300 ms',
    ],
    [
      'the record breaks off',
      { entries: without(story({ ...endsAt(3_110), ...headerWait }), ({ atMs }) => atMs > 7_000) },
      'inconclusive',
      'the record breaks off',
    ],
    [
      'the request was never written',
      { entries: without(story(endsAt(3_110)), ({ fact }) => fact.type === 'request-written') },
      'inconclusive',
      "the header bound of alice's exchange has no origin: its request was never written",
    ],
    [
      'nobody asked',
      { entries: without(story(endsAt(3_110)), ({ fact }) => fact.type === 'exchange-planned') },
      'inconclusive',
      'alice planned no exchange',
    ],
    ['no such bound', { entries: story(), facts: { bounds: { read: 1 } } }, 'does-not-apply', 'the card declares no header bound'],
    [
      'never seen reserved',
      { entries: story({ ...endsAt(3_110), ...headerWait, ledger: (value) => ({ ...value, reservations: [] }) }) },
      'inconclusive',
      "no reservation of alice's exchange was seen active before the header bound",
    ],
  ]);
});

describe('read', () => {
  table('bounded-wait', bound('read'), [
    [
      'counted from the last byte',
      { entries: story(endsAt(3_305, { eventsUntilMs: 1_300 })) },
      'held',
      'closed by FIN 5 ms after the read bound of 2.0 s',
    ],
    [
      'counted from the head where nothing was written',
      { entries: story(endsAt(3_120, { eventsUntilMs: 0 })) },
      'held',
      'closed by FIN 5 ms after the read bound',
    ],
    ['never', { entries: story({ ...never, eventsUntilMs: 1_300 }) }, 'violated', 'after the read bound of 2.0 s'],
    ['bytes go on: never due', { entries: story(never) }, 'inconclusive', 'has no origin: the upstream never paused for 2.0 s'],
    [
      'comments are bytes',
      { entries: story({ ...never, eventsUntilMs: 1_200, extra: comments }) },
      'inconclusive',
      'the upstream never paused for 2.0 s',
    ],
    [
      'the pause counts, not what the upstream wrote when it was let finish',
      {
        entries: story({
          ...never,
          eventsUntilMs: 1_300,
          extra: [at(6_500, 'upstream.model', { type: 'answer-progress', exchange: 3, bytes: 9_000, events: 3, comments: 0 })],
        }),
      },
      'violated',
      'after the read bound of 2.0 s',
    ],
    [
      'a pause of little more than the bound is none',
      {
        entries: story({
          ...never,
          eventsUntilMs: 1_300,
          extra: every(2_200, 3_500, 7_900).map((ms, index) =>
            at(ms, 'upstream.model', { type: 'answer-progress', exchange: 3, bytes: 9_000 + index, events: 3 + index, comments: 0 }),
          ),
        }),
      },
      'inconclusive',
      'the upstream never paused',
    ],
    ['no head was written', { entries: story({ ...never, ...headerWait }) }, 'inconclusive', 'has no origin: the upstream wrote no head'],
    [
      'no upstream got it',
      { entries: without(story(never), ({ actor }) => actor === 'upstream.model') },
      'inconclusive',
      'has no origin: no upstream got it',
    ],
  ]);
});

describe('progress', () => {
  table('bounded-wait', bound('progress'), [
    [
      'comments are no progress',
      { entries: story(endsAt(3_205, { eventsUntilMs: 1_200, extra: comments.filter(({ atMs }) => atMs < 3_205) })) },
      'held',
      'closed by FIN 5 ms after the progress bound of 2.0 s',
    ],
    [
      'comments extend it for ever',
      { entries: story({ ...never, eventsUntilMs: 1_200, extra: comments }) },
      'violated',
      'upstream exchange 3 was still open 4.8 s after the progress bound of 2.0 s and took 312 B more',
    ],
    [
      'counted from the head where no event came',
      { entries: story(endsAt(3_120, { eventsUntilMs: 0 })) },
      'held',
      'closed by FIN 5 ms after the progress bound',
    ],
  ]);
});

describe('send', () => {
  const stuck = (changes: Partial<Knobs> = {}): Partial<Knobs> => ({
    sendQueue: (ms) => (ms < 2_000 ? ms : 40_000),
    extra: [paused],
    toldMs: null,
    ...changes,
  });
  table('bounded-wait', bound('send'), [
    [
      'the system lets go of a client that does not read',
      { entries: story(endsAt(4_100, stuck())) },
      'held',
      'the system let go of alice, who does not read, by 100 ms after the send bound of 2.0 s',
    ],
    ['never', { entries: story({ ...never, ...stuck() }) }, 'violated', 'after the send bound of 2.0 s and took'],
    [
      'never, and nothing is written',
      { entries: story({ ...never, ...stuck(), eventsUntilMs: 1_300 }) },
      'violated',
      'the system still holds the connection of alice, who does not read',
    ],
    [
      'it lets go of the upstream only',
      { entries: story(endsAt(4_100, stuck({ servesUntilMs: null }))) },
      'violated',
      'the system still holds the connection of alice, who does not read, 3.9 s after the send bound',
    ],
    [
      'the queue never stood still',
      { entries: story({ ...never, ...stuck({ sendQueue: (ms) => ms }) }) },
      'inconclusive',
      'has no origin: its send queue was never seen standing still',
    ],
    [
      'the queue was empty',
      { entries: story({ ...never, ...stuck({ sendQueue: () => 0 }) }) },
      'inconclusive',
      'its send queue was never seen standing still',
    ],
    [
      'never connected',
      { entries: without(story({ ...never, ...stuck() }), ({ fact }) => fact.type === 'connected') },
      'inconclusive',
      'has no origin: the client never connected',
    ],
    [
      'resumed: it reads again, and is told',
      {
        entries: story(
          endsAt(4_100, stuck({ toldMs: 4_105, extra: [paused, at(3_000, 'client.alice', { type: 'resumed', marker: MARKER })] })),
        ),
      },
      'held',
      'alice was told (truncated)',
    ],
    [
      'no sample shows it in time',
      {
        entries: without(story(endsAt(4_100, stuck())), (entry) => isSample('sockets')(entry) && entry.atMs > 4_080 && entry.atMs < 7_000),
      },
      'inconclusive',
      'probe sockets has no sample that shows in time whether the system let go of alice',
    ],
  ]);
});

describe('lifetime', () => {
  const vanished: Partial<Knobs> = { goneMs: 2_000, how: 'vanish', wire: 'nothing', toldMs: null };
  table('bounded-wait', bound('lifetime'), [
    [
      'a client that stays is told',
      { entries: story(endsAt(4_110)) },
      'held',
      'alice was told (truncated) 12 ms after the lifetime bound of 3.0 s',
    ],
    [
      'a client that vanished: the system lets go of its leg',
      { entries: story(endsAt(4_110, vanished)) },
      'held',
      'the system let go of alice, who does not read',
    ],
    [
      'a client that vanished: never',
      { entries: story({ ...never, ...vanished, eventsUntilMs: 1_300 }) },
      'violated',
      'the system still holds the connection of alice',
    ],
    [
      'a client that vanished later was told before',
      { entries: story(endsAt(4_110, { ...vanished, goneMs: 6_000, toldMs: 4_112 })) },
      'held',
      'alice was told',
    ],
    [
      'a client that left need not be told',
      { entries: story(endsAt(4_110, { goneMs: 2_000, toldMs: null })) },
      'held',
      'closed by FIN 10 ms after',
    ],
    [
      'a client that half-closed still reads',
      { entries: story(endsAt(4_110, { goneMs: 2_000, how: 'half-close', toldMs: null })) },
      'violated',
      'alice was told nothing',
    ],
    [
      'a client that left after it was due must have been told',
      { entries: story(endsAt(4_110, { goneMs: 7_000, toldMs: null })) },
      'violated',
      'alice was told nothing',
    ],
    [
      'the probe never saw its leg',
      {
        entries: story(endsAt(4_110, vanished)).map((entry) =>
          entry.fact.type === 'sample' && entry.fact.probe === 'sockets' && entry.fact.value
            ? { ...entry, fact: { ...entry.fact, value: { rows: entry.fact.value.rows.filter(({ local }) => !local.endsWith(':8000')) } } }
            : entry,
        ),
      },
      'inconclusive',
      "probe sockets had never seen the system's end of alice's connection",
    ],
    [
      'it never connected',
      { entries: without(story(endsAt(4_110, vanished)), ({ fact }) => fact.type === 'connected') },
      'inconclusive',
      'alice never connected',
    ],
    [
      'a client that vanished was let go much earlier',
      { entries: story(endsAt(4_110, { ...vanished, servesUntilMs: 2_300 })) },
      'inconclusive',
      'the system had let go of alice by 1.7 s before the lifetime bound of 3.0 s: something else ended it',
    ],
    ['age counts like lifetime', { entries: story(endsAt(4_110)), options: { bound: 'age' } }, 'held', 'after the age bound of 3.0 s'],
    [
      'a socket that waits to be accepted is not let go',
      {
        entries: story(endsAt(4_110, vanished)).map((entry) =>
          entry.fact.type === 'sample' && entry.fact.probe === 'sockets' && entry.fact.value && entry.atMs < 2_900
            ? {
                ...entry,
                fact: {
                  ...entry.fact,
                  value: { rows: entry.fact.value.rows.map((row) => ({ ...row, inode: entry.atMs < 2_700 ? 0 : 1 })) },
                },
              }
            : entry,
        ),
      },
      'held',
      'by 120 ms after the lifetime bound',
    ],
  ]);
});

describe('drain and settle', () => {
  table('bounded-wait', bound('drain'), [
    [
      'counted from the leave',
      { entries: story({ closedMs: 3_990, ownsUntilMs: 3_990, terminalMs: 3_995 }) },
      'held',
      'closed by FIN 11 ms before the drain bound of 1.0 s',
    ],
    ['may be early', { entries: story() }, 'held', 'closed by FIN 991 ms before the drain bound of 1.0 s'],
    ['never', { entries: story(LEAK) }, 'violated', 'still open 4.0 s after the drain bound'],
    [
      'nobody left',
      { entries: story({ goneMs: null }) },
      'inconclusive',
      "the drain bound of alice's exchange has no origin: its client never left",
    ],
  ]);
  const ended: Partial<Knobs> = {
    goneMs: null,
    closedMs: null,
    ownsUntilMs: null,
    servesUntilMs: null,
    eventsUntilMs: 1_600,
    upstreamEnd: { atMs: 1_650, how: 'complete', by: 'script', usage: 5 },
    toldMs: 1_660,
    told: { how: 'complete', endMark: true },
  };
  table('bounded-wait', bound('settle'), [
    [
      'counted from the end of the upstream exchange',
      { entries: story({ ...ended, terminalMs: 2_600 }) },
      'held',
      'alice was told (complete) 990 ms before the settle bound of 1.0 s; reservation 7 was charged 10 ms after',
    ],
    [
      'never settled',
      { entries: story({ ...ended, terminalMs: null }) },
      'violated',
      'reservation 7 was still active 5.3 s after the settle bound of 1.0 s',
    ],
    [
      'counted from the leave',
      { entries: story({ closedMs: 3_500, ownsUntilMs: 3_500, terminalMs: 3_505 }) },
      'held',
      'closed by FIN 501 ms before the settle bound',
    ],
    ["counted from the system's own close", { entries: story(endsAt(2_000)) }, 'held', 'alice was told'],
    ['nobody ended it', { entries: story(never) }, 'inconclusive', 'has no origin: neither upstream nor client ended it'],
    [
      'nothing to wait for',
      { entries: story({ ...ended, goneMs: 2_000, toldMs: null }), facts: { ledger: null } },
      'inconclusive',
      'nothing was waited for at the settle bound',
    ],
  ]);
});

describe('shutdown', () => {
  const stop = (changes: Partial<Knobs> = {}) => story({ ...endsAt(8_530), refund: null, ...changes });
  table('bounded-wait', bound('shutdown'), [
    ['counted from the signal', { entries: stop() }, 'held', 'alice was told (truncated) 478 ms before the shutdown bound of 500 ms'],
    [
      'was never told to stop',
      { entries: without(stop(), ({ fact }) => fact.type === 'signal-sent') },
      'inconclusive',
      'has no origin: the system was never told to stop',
    ],
    [
      'of what was over before nothing is said',
      { entries: story({ ...endsAt(2_000), refund: null }) },
      'inconclusive',
      'nothing was waited for at the shutdown bound of 500 ms',
    ],
    [
      'of what was over but for its money that is judged',
      { entries: story({ ...endsAt(2_000), terminalMs: null, charges: [], refund: null }) },
      'inconclusive',
      'reservation 7',
    ],
  ]);
  test("the scenario's own stop counts", () => {
    const entries = without(
      story({
        ...endsAt(3_030),
        goneMs: null,
        refund: null,
        exit: { atMs: 3_100, code: 0, signal: null },
        extra: [
          at(3_000, 'client.alice', { type: 'mark', mark: 'stopping', client: 'alice' }),
          at(3_010, 'harness', { type: 'signal-sent', process: 'router', signal: 'SIGTERM', purpose: 'fault' }),
        ],
      }),
      ({ fact }) => fact.type === 'signal-sent' && fact.purpose === 'stop',
    );
    expect(verdictOf('bounded-wait', { entries, options: bound('shutdown'), facts: { stopsAt: 'stopping' } })).toMatchObject({
      outcome: 'held',
      reason: expect.stringContaining('478 ms before the shutdown bound'),
    });
  });
});

describe('pending', () => {
  const pendingAt = (ms: number, changes: Partial<Knobs>) =>
    definition.pending!({
      timeline: timelineOf(...without(story(changes), ({ atMs }) => atMs > ms)),
      facts: FACTS,
      options: bound('lifetime'),
    });
  test('waits before it is due', () => expect(pendingAt(3_000, never)).toContain('which is too soon to say'));
  test('is decided', () => expect(pendingAt(5_000, endsAt(4_110))).toBeNull());
  test('is over', () => expect(pendingAt(5_500, never)).toBeNull());
  test('waits for its origin', () => expect(pendingAt(1_050, never)).toBe('alice planned no exchange'));
});
