// Where a limit ends: the last moment that is in time, and the first that is not. And what is said where
// there are several of a kind.
import { describe, expect, test } from 'vitest';
import { verdictOf } from './fixtures/judging.ts';
import { LEAK, MARKER } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { control, story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { LedgerValue } from '../model/samples.ts';

const CLOSED = { upstream: 'model', after: 'gone', within: 2_000 };
const fed = { runDelayMs: () => 0 };
const quiet = { ...fed, eventsUntilMs: 1_300 };
const closes = (ms: number): Partial<Knobs> => ({ ...quiet, closedMs: ms, ownsUntilMs: ms });
const lag = (atMs: number, lagMs: number, process = 'upstreams') => at(atMs, `lag.${process}`, { type: 'scheduling-lag', process, lagMs });
const sampled = (atMs: number, tookMs = 0) => at(atMs, 'probe.sockets', { type: 'sample', probe: 'sockets', tookMs, value: { rows: [] } });
const fault = (name: string, atMs: number) => at(atMs, 'harness', { type: 'fault', fault: name, edge: 'failed', detail: 'no' });

describe('upstream-closed', () => {
  table('upstream-closed', CLOSED, [
    [
      'closed and let go when limit and margin are over',
      { entries: story({ ...closes(5_250), extra: [sampled(5_250)] }) },
      'held',
      'closed by FIN',
    ],
    [
      'a sample that ended a moment later says nothing of then',
      {
        entries: without(
          story({ ...closes(5_250), extra: [sampled(5_250.5)] }),
          (entry) => isSample('sockets')(entry) && entry.atMs > 5_250.5,
        ),
      },
      'inconclusive',
      "no sample that shows the system's end in time",
    ],
    [
      'a sample that began before the close says nothing of after it',
      {
        entries: without(
          story({ ...closes(3_010), extra: [sampled(3_011, 2)] }),
          (entry) => isSample('sockets')(entry) && entry.atMs > 3_011,
        ),
      },
      'inconclusive',
      "no sample that shows the system's end in time",
    ],
    ['a moment later, which the act itself took', { entries: story(closes(5_251)) }, 'inconclusive', 'were kept from the processor'],
    ['later than that', { entries: story(closes(5_251.5)) }, 'violated', 'closed only 2.3 s after'],
    [
      'an event at the last moment is on its way',
      { entries: story({ ...LEAK, ...fed, eventsUntilMs: 5_201 }) },
      'violated',
      'took 22 more events',
    ],
    [
      'a close in the very moment of the own end is the own end',
      { entries: story({ ...quiet, closedMs: 3_500, upstreamEnd: { atMs: 3_500, how: 'complete', by: 'script', usage: 2 } }) },
      'inconclusive',
      'was ended by its own script 500 ms after',
    ],
    [
      'an end that the peer made is no own end',
      {
        entries: story({
          ...quiet,
          closedMs: 3_500,
          closedHow: 'rst',
          upstreamEnd: { atMs: 3_499, how: 'aborted', by: 'peer', usage: null },
        }),
      },
      'held',
      'closed by RST 500 ms after',
    ],
    [
      'an end that the peer made is a close, where no other is on record',
      { entries: story({ ...LEAK, ...quiet, ownsUntilMs: 3_400, upstreamEnd: { atMs: 3_499, how: 'aborted', by: 'peer', usage: null } }) },
      'held',
      'closed by RST 499 ms after',
    ],
    [
      'closed before the leave, and its own end only later',
      { entries: story({ ...quiet, closedMs: 2_000, upstreamEnd: { atMs: 2_500, how: 'complete', by: 'script', usage: 2 } }) },
      'inconclusive',
      'the system closed it 1.0 s before',
    ],
    ['lag that ends as the window begins', { entries: story({ ...closes(3_010), extra: [lag(3_000, 300)] }) }, 'inconclusive', 'lagged'],
    ['lag that ended before', { entries: story({ ...closes(3_010), extra: [lag(2_999, 300)] }) }, 'held', 'closed'],
    [
      'lag that may have begun as the window ended',
      { entries: story({ ...closes(3_010), extra: [lag(3_560, 300)] }) },
      'inconclusive',
      'lagged',
    ],
    ['lag that began after', { entries: story({ ...closes(3_010), extra: [lag(3_561, 300)] }) }, 'held', 'closed'],
    [
      'the larger of two lags is named',
      { entries: story({ extra: [lag(3_010, 300), lag(3_020, 400, 'clients')] }) },
      'inconclusive',
      'clients lagged 400 ms',
    ],
    [
      'the control is long enough to the moment',
      { entries: story(fed), control: without(control(), ({ atMs }) => atMs > 3_260) },
      'held',
      'closed',
    ],
    [
      'the first fault that failed is named',
      { entries: story({ extra: [fault('one', 3_050), fault('two', 3_060)] }) },
      'inconclusive',
      'fault one',
    ],
    [
      'a request that comes with the last that may be on its way',
      {
        entries: story({
          extra: [
            at(3_251, 'upstream.model', {
              type: 'request-received',
              connection: 4,
              exchange: 4,
              marker: MARKER,
              method: 'POST',
              path: '/',
              bodyBytes: 1,
              behaviour: 'x',
            }),
            at(3_300, 'upstream.model', {
              type: 'peer-closed',
              connection: 4,
              exchange: 4,
              marker: MARKER,
              how: 'fin',
              bytes: 0,
              events: 0,
            }),
          ],
        }),
      },
      'held',
      'exchange 3 was closed',
    ],
    [
      'whose mark it is comes before who has asked',
      {
        entries: story({
          ...fed,
          extra: [
            at(1_050, 'harness', {
              type: 'exchange-planned',
              marker: 'hx.bob.1.00000002',
              client: 'bob',
              account: null,
              upstream: 'model',
              request: 'chat',
              purpose: 'drive',
            }),
          ],
        }),
        facts: { leaves: [] },
      },
      'held',
      'closed by FIN 10 ms after mark gone',
    ],
  ]);
});

describe('the ledger', () => {
  const OPTIONS = { client: 'alice', after: 'gone', within: 2_000 };
  const two = (secondUntilMs: number): Partial<Knobs> => ({
    ledger: (value: LedgerValue, ms: number): LedgerValue => {
      const terminal = ms >= secondUntilMs;
      return {
        ...value,
        reservations: value.reservations.flatMap((row) => [row, { ...row, id: '8', terminal, state: terminal ? 'released' : 'active' }]),
      };
    },
  });
  const died = (atMs: number) => at(atMs, 'system', { type: 'process-exited', process: 'router', code: 1, signal: null });
  const reading = (atMs: number) => at(atMs, 'probe.ledger', { type: 'sample', probe: 'ledger', tookMs: 0, error: 'locked' });
  table('billing-terminal', OPTIONS, [
    ['one of two stays', { entries: story(two(Infinity)) }, 'violated', 'reservation 8 was still active'],
    ['both end', { entries: story(two(4_000)) }, 'held', 'reservation 7 was charged'],
    ['the system died as it was surely late', { entries: story({ ...LEAK, ...fed, extra: [died(5_500)] }) }, 'inconclusive', 'router died'],
    ['the system died when all was decided', { entries: story({ ...LEAK, ...fed, extra: [died(5_600)] }) }, 'violated', 'still active'],
    ['a sample that failed is none', { entries: story({ extra: [reading(7_999)] }) }, 'held', 'charged'],
  ]);
  table('no-late-charge', { client: 'alice' }, [
    ['one of two never ends', { entries: story(two(Infinity)) }, 'inconclusive', 'never came to a terminal state'],
    [
      'counted from the end of both',
      { entries: story({ ...two(4_000), charges: [{ atMs: 3_500, amount: 19 }] }) },
      'held',
      '1 charge of 19 when it was settled',
    ],
  ]);
  table('charged-once', { client: 'alice', after: 'gone' }, [
    ['one of two is still held', { entries: story({ ...two(Infinity), charges: [] }) }, 'violated', 'its reservation is still held'],
    [
      'of two attempts one was complete',
      {
        entries: story({
          goneMs: null,
          closedMs: null,
          ownsUntilMs: null,
          eventsUntilMs: 1_600,
          terminalMs: 1_720,
          charges: [{ atMs: 1_720, amount: 5 }],
          upstreamEnd: { atMs: 1_650, how: 'complete', by: 'script', usage: 5 },
          toldMs: 1_660,
          told: { how: 'complete', endMark: true },
          extra: [
            at(1_105, 'upstream.model', {
              type: 'request-received',
              connection: 1,
              exchange: 2,
              marker: MARKER,
              method: 'POST',
              path: '/',
              bodyBytes: 1,
              behaviour: 'refused',
            }),
            at(1_106, 'upstream.model', {
              type: 'answer-ended',
              exchange: 2,
              marker: MARKER,
              how: 'cut',
              by: 'script',
              bytes: 0,
              events: 0,
              usage: null,
            }),
          ],
        }),
        options: { after: undefined },
      },
      'held',
      "alice: 5 charged; the upstream's usage was 5",
    ],
  ]);
  test('how long it may be silent follows how often it is sampled', () => {
    const entries = without(story(), (entry) => isSample('ledger')(entry) && entry.atMs > 7_300);
    const outcome = (ledgerMs: number) =>
      verdictOf('nothing-reserved', {
        entries,
        options: { client: 'alice' },
        facts: { sampling: { ledgerMs, socketsMs: 150, processMs: 150 } },
      }).outcome;
    expect([outcome(100), outcome(200)]).toEqual(['inconclusive', 'held']);
  });
});

describe('others', () => {
  table('bounded-memory', { 'at-most': 1_024 * 1_024 }, [
    [
      'a gap just as long as it may be',
      { entries: without(story(), (entry) => isSample('process')(entry) && entry.atMs > 4_100 && entry.atMs < 4_700) },
      'held',
      '1.0 MiB are allowed',
    ],
  ]);
  table('clean-shutdown', {}, [
    [
      'killed by us while somebody lagged for just a margin',
      {
        entries: story({
          ...fed,
          exit: { atMs: 8_700, code: null, signal: 'SIGKILL' },
          extra: [at(8_700, 'harness', { type: 'signal-sent', process: 'router', signal: 'SIGKILL', purpose: 'cleanup' }), lag(8_600, 250)],
        }),
        options: { within: 150 },
      },
      'violated',
      'SIGKILL was needed 190 ms after SIGTERM',
    ],
  ]);
  const foreign = { foreignMarkers: ['hx.bob.1.00000002'] };
  table('no-foreign-bytes', {}, [
    [
      'the first that is wrong is named',
      {
        entries: story({
          goneMs: null,
          toldMs: 2_000,
          told: foreign,
          extra: [
            at(2_100, 'harness', {
              type: 'exchange-planned',
              marker: 'hx.carol.1.00000003',
              client: 'carol',
              account: null,
              upstream: 'model',
              request: 'chat',
              purpose: 'drive',
            }),
            at(2_500, 'client.carol', {
              type: 'response-ended',
              marker: 'hx.carol.1.00000003',
              how: 'complete',
              endMark: true,
              errorEvent: null,
              bytes: 9,
              events: 1,
              ...foreign,
            }),
          ],
        }),
      },
      'violated',
      "alice's answer",
    ],
  ]);
  table('accounting-valid', {}, [
    [
      'the first refund ends it',
      {
        entries: story({
          ledger: (value, ms) =>
            ms < 4_500 ? value : { ...value, accounts: value.accounts.map((account) => ({ ...account, balance: 0 })) },
          extra: [at(4_400, 'harness', { type: 'refund', account: 'acc', attempt: 1, status: 200, answer: '', verdict: 'accepted' })],
        }),
      },
      'held',
      'add up',
    ],
    [
      'the first that is negative is named',
      {
        entries: story({
          ledger: (value, ms) =>
            ms < 4_500 ? value : { ...value, accounts: value.accounts.map((account) => ({ ...account, balance: -1, spent: -2 })) },
        }),
      },
      'violated',
      'its balance is -1',
    ],
  ]);
});
