import { describe, expect, test } from 'vitest';
import { LEAK, MARKER } from './fixtures/knobs.ts';
import { verdictOf } from './fixtures/judging.ts';
import { control, story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, isSample, timelineOf, without } from './fixtures/timeline.ts';
import { FACTS } from './fixtures/facts.ts';
import { definition } from './upstream-closed.ts';

const OPTIONS = { upstream: 'model', after: 'gone', within: 2_000 };
const again = (atMs: number, exchange = 4) =>
  at(atMs, 'upstream.model', {
    type: 'request-received',
    connection: exchange,
    exchange,
    marker: MARKER,
    method: 'POST',
    path: '/',
    bodyBytes: 1,
    behaviour: 'endless',
  });
const closedAt = (ms: number) => ({ closedMs: ms, ownsUntilMs: ms });

describe('held', () => {
  table('upstream-closed', OPTIONS, [
    [
      'closed by FIN at once',
      { entries: story() },
      'held',
      "upstream exchange 3 was closed by FIN 10 ms after alice's FIN and took 0 more events",
    ],
    ['closed by RST', { entries: story({ closedHow: 'rst' }) }, 'held', 'closed by RST'],
    ['events on the way are counted', { entries: story(closedAt(4_050)) }, 'held', "1.1 s after alice's FIN and took 10 more events"],
    ['between limit and margin', { entries: story(closedAt(5_100)) }, 'held', "2.1 s after alice's FIN"],
    ['left by RST', { entries: story({ how: 'rst', wire: 'rst' }) }, 'held', "after alice's RST"],
    ['left by half-close', { entries: story({ how: 'half-close' }) }, 'held', "after alice's half-close"],
    [
      'killed, though a sample that began before still saw it',
      {
        entries: story({
          goneMs: null,
          extra: [
            at(3_000, 'harness', { type: 'mark', mark: 'gone', client: 'alice' }),
            at(3_150, 'harness', {
              type: 'left',
              how: 'kill',
              wire: 'fin',
              marker: MARKER,
              unreadBytes: 0,
              socket: { before: 'established', after: 'established' },
            }),
          ],
        }),
      },
      'held',
      "closed by FIN 10 ms after alice's FIN",
    ],
    [
      'the end is orphaned, not absent',
      {
        entries: story({ ownsUntilMs: null }).map((entry) =>
          entry.fact.type === 'sample' && entry.fact.probe === 'sockets' && entry.fact.value && entry.atMs > 3_010
            ? {
                ...entry,
                fact: {
                  ...entry.fact,
                  value: { rows: entry.fact.value.rows.map((row) => ({ ...row, state: 'fin-wait-2' as const, inode: 0 })) },
                },
              }
            : entry,
        ),
      },
      'held',
      'closed by FIN',
    ],
    ["a healthy exchange beside it is nobody's business", { entries: story(), options: { client: 'alice' } }, 'held', 'closed by FIN'],
  ]);
});

describe('violated', () => {
  table('upstream-closed', OPTIONS, [
    [
      'never closed',
      { entries: story(LEAK) },
      'violated',
      "upstream exchange 3 was still open 5.0 s after alice's FIN and took 49 more events",
    ],
    [
      'never closed, and nothing was written',
      { entries: story({ ...LEAK, eventsUntilMs: 1_300 }) },
      'violated',
      "still open 5.0 s after alice's FIN and took 0 more events",
    ],
    ['closed too late', { entries: story(closedAt(5_600)) }, 'violated', "still open 2.6 s after alice's FIN and took 25 more events"],
    [
      'closed too late, silently',
      { entries: story({ ...closedAt(5_600), eventsUntilMs: 1_300 }) },
      'violated',
      "closed only 2.6 s after alice's FIN and took 0 more events",
    ],
    [
      'half-closed',
      { entries: story({ ownsUntilMs: null }) },
      'violated',
      "half-closed: FIN came 10 ms after alice's FIN, but the system still owns its end (established)",
    ],
    ['half-closed too long', { entries: story({ ownsUntilMs: 5_700 }) }, 'violated', 'half-closed'],
    [
      'D13 another connection took the work over',
      { entries: story({ extra: [again(3_900)] }) },
      'violated',
      "still working for the gone: upstream model was asked again 900 ms after alice's FIN, as exchange 4 on connection 4",
    ],
    ['D13 a retry that was on its way, and stays', { entries: story({ extra: [again(3_100)] }) }, 'violated', 'asked again 100 ms after'],
    [
      'events go on though the probes died',
      { entries: without(story(LEAK), ({ atMs, fact }) => fact.type === 'sample' && atMs > 3_500) },
      'violated',
      'took 49 more events',
    ],
    [
      "events go on though the upstream's words were cut later",
      {
        entries: story({ ...LEAK, extra: [at(7_900, 'lag.upstreams', { type: 'events-dropped', process: 'upstreams', count: 3 })] }),
      },
      'violated',
      'still open',
    ],
    ['without a control it is still a leak', { entries: story(LEAK), control: null }, 'violated', 'still open'],
    [
      'events written after a FIN that half-closes',
      {
        entries: story({
          ...LEAK,
          ownsUntilMs: null,
          extra: [
            at(3_010, 'upstream.model', {
              type: 'peer-closed',
              connection: 2,
              exchange: 3,
              marker: MARKER,
              how: 'fin',
              bytes: 0,
              events: 0,
            }),
          ],
        }),
      },
      'violated',
      'only half-closed',
    ],
  ]);

  test('carries its evidence and the interval', () => {
    const verdict = verdictOf('upstream-closed', { entries: story(LEAK), options: OPTIONS });
    expect(verdict.evidence).toEqual(['upstream.model#2', 'upstream.model#71']);
    expect(verdict.interval).toEqual({ fromMs: 5_250, toMs: 8_000 });
  });
});

describe('inconclusive', () => {
  table('upstream-closed', OPTIONS, [
    [
      'nobody asked',
      { entries: without(story(), ({ fact }) => fact.type === 'exchange-planned') },
      'inconclusive',
      'alice planned no exchange',
    ],
    [
      'nobody asked, whose leave it is not known',
      {
        entries: without(story(), ({ fact }) => fact.type === 'exchange-planned' || fact.type === 'mark'),
        facts: { leaves: [] },
      },
      'inconclusive',
      'no exchange was planned',
    ],
    [
      'the mark was never set, and why',
      {
        entries: story({
          goneMs: null,
          extra: [
            at(2_000, 'harness', {
              type: 'step',
              client: 'alice',
              index: 1,
              step: 'receive',
              edge: 'end',
              outcome: 'failed',
              reason: 'no connection',
            }),
          ],
        }),
      },
      'inconclusive',
      'mark gone was never set: step 2 of alice, receive, failed: no connection',
    ],
    [
      'marked but never left',
      { entries: without(story(), ({ fact }) => fact.type === 'left') },
      'inconclusive',
      'alice did not leave at mark gone: no act is on record',
    ],
    [
      'nothing went out',
      { entries: story({ wire: 'nothing' }) },
      'inconclusive',
      'alice left by fin, but nothing went out: its socket was established before and established after',
    ],
    [
      'the socket says that the act did not happen',
      {
        entries: story({ extra: [] }).map((entry) =>
          entry.fact.type === 'left'
            ? { ...entry, fact: { ...entry.fact, socket: { before: 'established', after: 'established' } } }
            : entry,
        ),
      },
      'inconclusive',
      'nothing went out',
    ],
    [
      'the request never reached the upstream',
      { entries: without(story(), ({ actor }) => actor === 'upstream.model') },
      'inconclusive',
      "upstream model never got alice's request: nothing was open at alice's FIN",
    ],
    [
      'it came only after the leave',
      {
        entries: story().map((entry) => (entry.fact.type === 'request-received' ? { ...entry, atMs: 3_005 } : entry)),
      },
      'inconclusive',
      "upstream exchange 3 was not open at alice's FIN: it came 5 ms later",
    ],
    [
      "no sample of the system's end in time",
      { entries: without(story(), (entry) => isSample('sockets')(entry) && entry.atMs > 3_000) },
      'inconclusive',
      "probe sockets has no sample that shows the system's end in time",
    ],
    [
      'the end was owned before the limit and gone after it',
      {
        entries: without(story({ ownsUntilMs: 5_240 }), (entry) => isSample('sockets')(entry) && entry.atMs > 5_230 && entry.atMs < 5_500),
      },
      'inconclusive',
      "no sample that shows the system's end in time",
    ],
    [
      "the probe never saw the system's end",
      { entries: without(story(), isSample('sockets')) },
      'inconclusive',
      "probe sockets had never seen the system's end of it",
    ],
    [
      'the connection is not on record',
      { entries: without(story(), ({ fact }) => fact.type === 'connection-opened') },
      'inconclusive',
      'its connection is not on record',
    ],
    [
      'the record breaks off before the limit',
      { entries: without(story(LEAK), ({ atMs }) => atMs > 4_000) },
      'inconclusive',
      'but the record ends at 4.0 s, before its limit',
    ],
    [
      'closed, but the record breaks off before the end of the watch',
      { entries: without(story(), ({ atMs }) => atMs > 7_000) },
      'inconclusive',
      'the record breaks off at 7.0 s, before the end of the watch',
    ],
    [
      'closed within what the system was starved for',
      { entries: story({ ...closedAt(5_600), eventsUntilMs: 1_300, runDelayMs: (ms) => Math.max(0, ms - 4_000) / 2 }) },
      'inconclusive',
      'were kept from the processor',
    ],
    [
      'the upstream saw no close, but the system let go',
      { entries: story({ ...LEAK, ownsUntilMs: 3_010, eventsUntilMs: 1_300 }) },
      'inconclusive',
      'path hides closes: the system let go of upstream exchange 3',
    ],
    [
      "the upstream's words were cut",
      { entries: story({ extra: [at(5_000, 'lag.upstreams', { type: 'events-dropped', process: 'upstreams', count: 3 })] }) },
      'inconclusive',
      'the watching process upstreams dropped 3 observations at 5.0 s',
    ],
    [
      "the upstream's process broke",
      {
        entries: story({
          ...LEAK,
          eventsUntilMs: 1_300,
          extra: [at(3_500, 'harness', { type: 'actor-failed', process: 'upstreams', error: 'out of memory' })],
        }),
      },
      'inconclusive',
      'upstreams failed at 3.5 s: out of memory',
    ],
    [
      'the stage broke',
      { entries: story({ extra: [at(3_500, 'harness', { type: 'actor-failed', process: 'stage', error: 'gone' })] }) },
      'inconclusive',
      'stage failed at 3.5 s: gone',
    ],
    [
      "the client's process broke before it left",
      { entries: story({ extra: [at(2_000, 'harness', { type: 'actor-failed', process: 'clients', error: 'gone' })] }) },
      'inconclusive',
      'clients failed at 2.0 s: gone',
    ],
    [
      'clocks apart',
      { entries: story({ extra: [at(101, 'harness', { type: 'clock', offsetMs: 3_000, errorMs: 900 })] }) },
      'inconclusive',
      'the clocks agree only to 900 ms, the margin is 250 ms',
    ],
    [
      'the path did not work at all',
      { entries: story({ extra: [at(800, 'harness', { type: 'precondition', name: 'path', met: false, detail: 'status 502' })] }) },
      'inconclusive',
      'precondition path was not met: status 502',
    ],
    [
      'the system died of it',
      { entries: story({ extra: [at(3_020, 'system', { type: 'process-exited', process: 'router', code: 1, signal: null })] }) },
      'inconclusive',
      'router died by itself at 3.0 s (exit code 1)',
    ],
  ]);

  test('a death long after the close does not undo it', () => {
    const entries = story({ extra: [at(5_000, 'system', { type: 'process-exited', process: 'router', code: null, signal: 'SIGSEGV' })] });
    expect(verdictOf('upstream-closed', { entries, options: OPTIONS }).outcome).toBe('held');
  });
});

describe('the control', () => {
  table('upstream-closed', OPTIONS, [
    [
      'was not run',
      { entries: story(), control: null },
      'inconclusive',
      'no control was run: whether a client that stays sees the same close after 1.9 s is not known',
    ],
    [
      'D11 closed by itself at the same age',
      { entries: story(), control: control({ closedMs: 3_010 }) },
      'inconclusive',
      "the system's own time-out: for a client that stayed it closed the exchange at the age of 1.9 s, here at 1.9 s",
    ],
    [
      'closed by itself within the margin after that age',
      { entries: story(), control: control({ closedMs: 3_250 }) },
      'inconclusive',
      'closed the exchange at the age of 2.1 s',
    ],
    ['closed by itself, later than age and margin', { entries: story(), control: control({ closedMs: 3_270 }) }, 'held', 'closed by FIN'],
    [
      'was ended by its upstream',
      { entries: story(), control: control({ upstreamEnd: { atMs: 2_500, how: 'complete', by: 'script', usage: 1 } }) },
      'inconclusive',
      "the control's exchange was ended by its upstream at the age of 1.4 s",
    ],
    [
      'never asked',
      { entries: story(), control: without(control(), ({ actor }) => actor === 'upstream.model') },
      'inconclusive',
      "the control's exchange never reached upstream model",
    ],
    [
      'too short',
      { entries: story(), control: without(control(), ({ atMs }) => atMs > 3_200) },
      'inconclusive',
      'the control was watched to the age of 2.1 s only, 2.1 s are needed',
    ],
    [
      'torn down too soon',
      { entries: story(), control: control({ extra: [at(3_100, 'harness', { type: 'phase', phase: 'seal', edge: 'begin' })] }) },
      'inconclusive',
      'the control was watched to the age of 2.0 s only',
    ],
    [
      'died',
      {
        entries: story(),
        control: control({ extra: [at(3_100, 'system', { type: 'process-exited', process: 'router', code: 1, signal: null })] }),
      },
      'inconclusive',
      "the control's system died by itself at the exchange's age of 2.0 s",
    ],
    [
      'was badly watched',
      {
        entries: story(),
        control: control({ extra: [at(2_000, 'lag.upstreams', { type: 'events-dropped', process: 'upstreams', count: 1 })] }),
      },
      'inconclusive',
      'dropped 1 observations',
    ],
    [
      'lagged',
      {
        entries: story(),
        control: control({ extra: [at(2_000, 'lag.upstreams', { type: 'scheduling-lag', process: 'upstreams', lagMs: 400 })] }),
      },
      'inconclusive',
      'upstreams lagged 400 ms at 2.0 s',
    ],
    [
      'had a path that hides closes',
      { entries: story(), control: without(control(), ({ fact }) => fact.type === 'path-control' && fact.how === 'rst') },
      'inconclusive',
      'no RST was tried on the upstream leg',
    ],
    [
      'is not asked where nobody left',
      { entries: story({ goneMs: null, closedMs: 4_110, ownsUntilMs: 4_110 }), control: null, options: { after: { bound: 'lifetime' } } },
      'held',
      'closed by FIN 10 ms after the lifetime bound of 3.0 s',
    ],
  ]);
});

describe('a bound that is due', () => {
  table('upstream-closed', { ...OPTIONS, after: { bound: 'lifetime' } }, [
    [
      'closed a little early',
      { entries: story({ goneMs: null, closedMs: 4_095, ownsUntilMs: 4_095 }) },
      'held',
      '5 ms before the lifetime bound of 3.0 s',
    ],
    [
      'closed much too early',
      { entries: story({ goneMs: null, closedMs: 2_000, ownsUntilMs: 2_000 }) },
      'inconclusive',
      'was not open at the lifetime bound of 3.0 s: the system closed it 2.1 s before the lifetime bound',
    ],
    ['never closed', { entries: story({ ...LEAK, goneMs: null }) }, 'violated', 'still open 3.9 s after the lifetime bound of 3.0 s'],
    [
      'has no origin',
      { entries: without(story({ goneMs: null }), ({ fact }) => fact.type === 'request-written') },
      'inconclusive',
      'its request was never written',
    ],
    ['is not declared', { entries: story({ goneMs: null }), facts: { bounds: {} } }, 'inconclusive', 'the card declares no lifetime bound'],
  ]);
});

describe('several clients leave at one mark', () => {
  const second = 'hx.bob.1.00000002';
  const bob = (closes: boolean) =>
    [
      at(1_100, 'harness', {
        type: 'exchange-planned',
        marker: second,
        client: 'bob',
        account: 'other',
        upstream: 'model',
        request: 'chat',
        purpose: 'drive',
      }),
      at(1_110, 'upstream.model', { type: 'connection-opened', connection: 8, local: '127.0.0.20:9000', peer: '127.0.0.2:50008' }),
      at(1_120, 'upstream.model', {
        type: 'request-received',
        connection: 8,
        exchange: 8,
        marker: second,
        method: 'POST',
        path: '/',
        bodyBytes: 1,
        behaviour: 'endless',
      }),
      at(3_000, 'client.bob', { type: 'mark', mark: 'gone', client: 'bob' }),
      at(3_001, 'client.bob', {
        type: 'left',
        how: 'fin',
        wire: 'fin',
        marker: second,
        unreadBytes: 0,
        socket: { before: 'established', after: 'fin-wait-2' },
      }),
      ...(closes
        ? [
            at(3_012, 'upstream.model', {
              type: 'peer-closed',
              connection: 8,
              exchange: 8,
              marker: second,
              how: 'fin',
              bytes: 0,
              events: 0,
            } as const),
          ]
        : []),
    ] as const;
  const facts = {
    leaves: [
      { mark: 'gone', client: 'alice', how: 'fin' },
      { mark: 'gone', client: 'bob', how: 'fin' },
    ],
  };
  table('upstream-closed', OPTIONS, [
    [
      'the one that stays open is named',
      { entries: story({ extra: bob(false) }), facts },
      'violated',
      "upstream exchange 8 was still open 5.0 s after bob's FIN",
    ],
    [
      'only the one that is asked for',
      { entries: story({ extra: bob(false) }), facts, options: { client: 'alice' } },
      'held',
      'exchange 3 was closed',
    ],
  ]);
});

describe('does not apply', () => {
  const leaves = (how: string, quiet?: boolean) => ({
    leaves: [{ mark: 'gone', client: 'alice', how, ...(quiet === undefined ? {} : { quiet }) }],
  });
  const serve = { ...FACTS.policy, halfClose: 'serve' as const };
  table('upstream-closed', OPTIONS, [
    ['vanish', { entries: story(), facts: leaves('vanish') }, 'does-not-apply', 'alice vanishes: nothing goes out, no system can know'],
    [
      'half-close where it is served on',
      { entries: story(), facts: { ...leaves('half-close'), policy: serve } },
      'does-not-apply',
      "alice leaves by half-close, which the card's policy serves on",
    ],
    [
      'fin on a quiet stream where it is served on',
      { entries: story(), facts: { ...leaves('fin', true), policy: serve } },
      'does-not-apply',
      'alice leaves by fin',
    ],
    [
      'kill on a quiet stream where it is served on',
      { entries: story(), facts: { ...leaves('kill', true), policy: serve } },
      'does-not-apply',
      'alice leaves by kill',
    ],
    ['fin on a stream with writes applies', { entries: story(), facts: { ...leaves('fin'), policy: serve } }, 'held', 'closed'],
    ['rst applies', { entries: story({ how: 'rst', wire: 'rst' }), facts: { ...leaves('rst', true), policy: serve } }, 'held', 'closed'],
    ['fin on a quiet stream where it aborts applies', { entries: story(), facts: leaves('fin', true) }, 'held', 'closed'],
    [
      "another client's vanishing is not meant",
      {
        entries: story(),
        facts: { leaves: [...leaves('fin').leaves, { mark: 'gone', client: 'bob', how: 'vanish' }] },
        options: { client: 'alice' },
      },
      'held',
      'closed',
    ],
  ]);
});

describe('pending', () => {
  const pendingAt = (ms: number, changes = {}) =>
    definition.pending!({ timeline: timelineOf(...without(story(changes), ({ atMs }) => atMs > ms)), facts: FACTS, options: OPTIONS });
  test('waits while it is open and the limit is not over', () =>
    expect(pendingAt(4_000, LEAK)).toContain("upstream exchange 3 was open 1.0 s after alice's FIN"));
  test('is decided by the close', () => expect(pendingAt(4_000)).toBeNull());
  test('is decided by the limit', () => expect(pendingAt(5_900, LEAK)).toBeNull());
  test('waits for the mark', () => expect(pendingAt(2_000)).toBe('mark gone was never set'));
});
