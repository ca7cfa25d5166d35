// Exchanges that end in odd ways: another upstream takes over, a close that is answered by more events, a
// client that cannot even connect, a control whose client broke, a grace that is shorter than the claim's.
import { describe } from 'vitest';
import { LEAK, MARKER } from './fixtures/knobs.ts';
import { control, story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const OPTIONS = { upstream: 'model', after: 'gone', within: 2_000 };
const asked = (atMs: number, upstream: string, exchange = 9, connection = exchange): Entry =>
  at(atMs, `upstream.${upstream}`, {
    type: 'request-received',
    connection,
    exchange,
    marker: MARKER,
    method: 'POST',
    path: '/',
    bodyBytes: 1,
    behaviour: 'endless',
  });
const progress = (atMs: number, events: number): Entry =>
  at(atMs, 'upstream.model', { type: 'answer-progress', exchange: 3, bytes: events * 200, events, comments: 0 });
const failed = (process: string, atMs: number): Entry => at(atMs, 'harness', { type: 'actor-failed', process, error: 'out of memory' });

describe('another upstream takes over', () => {
  table('upstream-closed', OPTIONS, [
    [
      'after the leave',
      { entries: story({ extra: [asked(4_000, 'backup')] }) },
      'violated',
      "still working for the gone: upstream backup was asked again 1.0 s after alice's FIN",
    ],
    ['before the leave, as well', { entries: story({ extra: [asked(2_000, 'backup')] }) }, 'held', 'closed by FIN'],
  ]);
});

describe('what the upstream writes after the close', () => {
  table('upstream-closed', OPTIONS, [
    [
      'was taken by nobody',
      { entries: story({ extra: [progress(3_040, 20)] }) },
      'held',
      "was closed by FIN 10 ms after alice's FIN and took 0 more events",
    ],
    [
      'was taken where the system had only half-closed',
      { entries: story({ ownsUntilMs: null, extra: [progress(3_040, 20), progress(7_000, 25), progress(7_100, 26)] }) },
      'violated',
      "was only half-closed 4.1 s after alice's FIN and took 7 more events",
    ],
    [
      'was taken by nobody, if it came too late',
      { entries: story({ closedMs: 5_600, ownsUntilMs: 5_600, eventsUntilMs: 3_500, extra: [progress(5_610, 30)] }) },
      'violated',
      'took 5 more events',
    ],
  ]);
});

describe('a close by halves', () => {
  const early = (entries: readonly Entry[]): readonly Entry[] =>
    entries.map((entry) => (entry.fact.type === 'peer-closed' ? { ...entry, atMs: 1_120 } : entry));
  table('upstream-closed', OPTIONS, [
    [
      'that came with the request is a leak where the events go on',
      { entries: early(story({ closedMs: 8_800, ownsUntilMs: null })) },
      'violated',
      "was only half-closed 4.9 s after alice's FIN and took 49 more events",
    ],
    [
      'that came with the request says nothing where they do not',
      { entries: early(story({ ownsUntilMs: null, eventsUntilMs: 3_000 })) },
      'inconclusive',
      "was not open at alice's FIN",
    ],
    [
      'tells what was taken all the same',
      { entries: story({ ownsUntilMs: null, extra: [progress(3_040, 22)] }) },
      'violated',
      "FIN came 10 ms after alice's FIN, but the system still owns its end (established) and took 3 more events",
    ],
  ]);
});

describe('a system that the scenario stops', () => {
  const told = (atMs: number): Entry =>
    at(atMs, 'harness', { type: 'signal-sent', process: 'router', signal: 'SIGTERM', purpose: 'fault' });
  const facts = { stopsAt: 'gone' };
  table('upstream-closed', OPTIONS, [
    [
      'closes everything, not because of the leave',
      { entries: story({ closedMs: 3_400, ownsUntilMs: 3_400, extra: [told(3_100)] }), facts },
      'inconclusive',
      'the system was told to stop by SIGTERM 300 ms before it closed',
    ],
    ['later than it closed is none of the leave', { entries: story({ extra: [told(3_100)] }), facts }, 'held', 'closed by FIN'],
  ]);
});

describe('a control', () => {
  table('upstream-closed', OPTIONS, [
    [
      'whose client broke shows no time-out of the system',
      { entries: story(), control: control({ closedMs: 2_905, extra: [failed('clients', 2_900)] }) },
      'inconclusive',
      'the control: the watching process clients failed at 2.9 s: out of memory',
    ],
    ['whose client broke much later is good', { entries: story(), control: control({ extra: [failed('clients', 6_000)] }) }, 'held', 'closed'],
    [
      'that was asked less often has no such request',
      {
        entries: story({
          extra: [
            asked(1_150, 'model', 9, 2),
            at(3_012, 'upstream.model', { type: 'peer-closed', connection: 2, exchange: 9, marker: MARKER, how: 'fin', bytes: 0, events: 0 }),
          ],
        }),
      },
      'inconclusive',
      'the control has no such request: its client stayed, and upstream model was asked less often',
    ],
  ]);
});

describe('a follow-up', () => {
  const bob = (answer: readonly Entry[]): readonly Entry[] =>
    story({
      extra: [
        at(3_990, 'harness', {
          type: 'exchange-planned',
          marker: 'hx.bob.1.00000002',
          client: 'bob',
          account: 'other',
          upstream: 'model',
          request: 'chat',
          purpose: 'drive',
        }),
        ...answer,
      ],
    });
  const refused = at(4_000, 'client.bob', { type: 'connect-failed', error: 'connect ECONNREFUSED' });
  const died = (atMs: number): Entry => at(atMs, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null });
  const reset = [
    at(4_000, 'client.bob', { type: 'request-written', connection: 1, marker: 'hx.bob.1.00000002', bytes: 1 }),
    at(4_010, 'client.bob', {
      type: 'response-ended',
      marker: 'hx.bob.1.00000002',
      how: 'reset',
      endMark: false,
      errorEvent: null,
      bytes: 0,
      events: 0,
      foreignMarkers: [],
    }),
  ];
  table('follow-up-served', { client: 'bob', after: 'gone', within: 1_000 }, [
    ['that cannot connect is not served', { entries: bob([refused]) }, 'violated', 'bob could not connect: connect ECONNREFUSED'],
    [
      'that cannot connect to a system that just died says nothing of slots',
      { entries: bob([refused, died(4_001)]) },
      'inconclusive',
      'router died by itself',
    ],
    ['that is reset before a head is not served', { entries: bob(reset) }, 'violated', 'bob was answered with no status, reset after 10 ms'],
  ]);
});

describe('a shutdown', () => {
  const killed = at(8_900, 'harness', { type: 'signal-sent', process: 'router', signal: 'SIGKILL', purpose: 'cleanup' });
  table('clean-shutdown', { within: 5_000 }, [
    [
      "that we cut short before its limit was over is not the system's fault",
      { entries: story({ exit: { atMs: 8_910, code: null, signal: 'SIGKILL' }, extra: [killed] }) },
      'inconclusive',
      'SIGKILL was sent 390 ms after SIGTERM, before the 5.0 s that are allowed were over',
    ],
  ]);
});

describe('the answer to a refund', () => {
  table('refundable', { client: 'alice' }, [
    [
      'is told in one line',
      {
        entries: story(LEAK).map((entry) =>
          entry.fact.type === 'refund' ? { ...entry, fact: { ...entry.fact, answer: '{\n  "detail": "ongoing"\n}\n' } } : entry,
        ),
      },
      'violated',
      'the refund was refused: status 400, { "detail": "ongoing" }; account acc had 100 reserved',
    ],
  ]);
});
