// Table D of the catalogue: what a run must refuse to conclude. One test a row, by its number.
import { describe, expect, test } from 'vitest';
import type { Facts } from '../model/facts.ts';
import type { Options } from '../model/fields.ts';
import { judge } from './judge.ts';
import { FACTS } from './fixtures/facts.ts';
import { LEAK } from './fixtures/knobs.ts';
import { control, story } from './fixtures/story.ts';
import { at, isSample, timelineOf, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const CLAIMS: readonly (readonly [kind: string, options: Options])[] = [
  ['upstream-closed', { upstream: 'model', after: 'gone', within: 2_000 }],
  ['billing-terminal', { client: 'alice', after: 'gone', within: 2_000 }],
  ['renewal-stopped', { client: 'alice', after: 'gone' }],
  ['nothing-reserved', { client: 'alice' }],
  ['charged-once', { client: 'alice', after: 'gone' }],
  ['no-late-charge', { client: 'alice' }],
  ['refundable', { client: 'alice' }],
  ['accounting-valid', {}],
  ['process-alive', {}],
  ['clean-shutdown', {}],
];

type Outcomes = Readonly<Record<string, string>>;

const judged = (
  entries: readonly Entry[],
  more: { control?: readonly Entry[]; facts?: Partial<Facts> } = {},
): Readonly<Record<string, { outcome: string; reason: string }>> =>
  Object.fromEntries(
    judge({
      timeline: timelineOf(...entries),
      control: timelineOf(...(more.control ?? control())),
      facts: { ...FACTS, ...more.facts },
      claims: CLAIMS.map(([kind, options]) => ({ kind, id: kind, options, notApplicable: null })),
    }).map(({ claim, outcome, reason }) => [claim, { outcome, reason }]),
  );

const outcomesOf = (entries: readonly Entry[], more = {}): Outcomes =>
  Object.fromEntries(Object.entries(judged(entries, more)).map(([claim, { outcome }]) => [claim, outcome]));

const all = (outcome: string, but: Outcomes = {}): Outcomes => ({ ...Object.fromEntries(CLAIMS.map(([kind]) => [kind, outcome])), ...but });

test('the clean story holds in every claim', () => expect(outcomesOf(story())).toEqual(all('held')));

test('the leak is accused by every claim that can see it', () => {
  expect(outcomesOf(story(LEAK))).toEqual(
    all('violated', {
      'no-late-charge': 'inconclusive',
      'accounting-valid': 'held',
      'process-alive': 'held',
      'clean-shutdown': 'held',
    }),
  );
});

test('D1 nothing to stop: it stays live, and no renewal of it was seen before the mark', () => {
  const found = judged(story({ ...LEAK, renewUntilMs: 1_200 }))['renewal-stopped']!;
  expect(found.outcome).toBe('inconclusive');
  expect(found.reason).toContain("nothing to stop: reservation 7 stays active, and no renewal of it was seen before alice's FIN");
});

test('D1 has no bearing where the reservation ended', () => {
  expect(judged(story({ renewUntilMs: 1_200 }))['renewal-stopped']!.outcome).toBe('held');
});

test('D2 the ledger was sampled more slowly than a lease', () => {
  const found = judged(without(story(), (entry) => isSample('ledger')(entry) && entry.atMs > 3_200 && entry.atMs < 7_600));
  expect(found['renewal-stopped']).toEqual({
    outcome: 'inconclusive',
    reason: 'probe ledger too slow: no sample for 4.5 s from 3.2 s on, a lease lasts 1.5 s',
  });
  expect(found['billing-terminal']!.outcome).toBe('inconclusive');
  expect(found['nothing-reserved']!.outcome).toBe('held');
});

test('D2 just as slow as a lease is not too slow', () => {
  const gapOf = (toMs: number) => without(story(), (entry) => isSample('ledger')(entry) && entry.atMs > 3_960 && entry.atMs < toMs);
  expect(judged(gapOf(5_460))['renewal-stopped']!.outcome).toBe('held');
  expect(judged(gapOf(5_560))['renewal-stopped']!.outcome).toBe('inconclusive');
});

describe('D3 the path hides closes', () => {
  for (const [leg, how] of [
    ['client', 'fin'],
    ['upstream', 'fin'],
    ['upstream', 'rst'],
  ] as const) {
    const hidden = story(LEAK).map((entry) =>
      entry.fact.type === 'path-control' && entry.fact.leg === leg && entry.fact.how === how
        ? { ...entry, fact: { ...entry.fact, seen: false } }
        : entry,
    );
    const silent = story({ ...LEAK, eventsUntilMs: 1_300 }).map((entry) =>
      entry.fact.type === 'path-control' && entry.fact.leg === leg && entry.fact.how === how
        ? { ...entry, fact: { ...entry.fact, seen: false } }
        : entry,
    );
    test(`${leg} leg, ${how}`, () => {
      const found = judged(silent)['upstream-closed']!;
      expect(found.outcome).toBe('inconclusive');
      expect(found.reason).toContain(`path hides closes: a direct ${how.toUpperCase()} on the ${leg} leg was not seen`);
    });
    test(`${leg} leg, ${how}: events that go on are not imagined, if the leave could arrive`, () => {
      expect(judged(hidden)['upstream-closed']!.outcome).toBe(leg === 'client' ? 'inconclusive' : 'violated');
    });
  }
  test('a leave that cannot be seen to arrive accuses nobody of renewing either', () => {
    const found = judged(without(story(LEAK), ({ fact }) => fact.type === 'path-control' && fact.leg === 'client'));
    for (const claim of ['upstream-closed', 'billing-terminal', 'renewal-stopped', 'charged-once'])
      expect(found[claim]!.outcome, claim).toBe('inconclusive');
  });
  test('the way that was not used does not matter', () => {
    expect(
      judged(without(story(), ({ fact }) => fact.type === 'path-control' && fact.leg === 'client' && fact.how === 'rst'))[
        'upstream-closed'
      ]!.outcome,
    ).toBe('held');
  });
});

describe('D4 not open at the mark', () => {
  test('closed by the system before', () => {
    const found = judged(story({ closedMs: 2_900, ownsUntilMs: 2_900 }))['upstream-closed']!;
    expect(found).toEqual({
      outcome: 'inconclusive',
      reason: "upstream exchange 3 was not open at alice's FIN: the system closed it 100 ms before alice's FIN",
    });
  });
  test('a close in the very instant is not because of the leave', () => {
    expect(judged(story({ closedMs: 3_000, ownsUntilMs: 3_000 }))['upstream-closed']!.outcome).toBe('inconclusive');
  });
  test('no reservation was active at the mark', () => {
    expect(judged(story({ terminalMs: 2_000, charges: [] }))['billing-terminal']).toEqual({
      outcome: 'held',
      reason: expect.stringContaining("before alice's FIN"),
    });
    expect(judged(story({ ledger: (value) => ({ ...value, reservations: [] }) }))['billing-terminal']!.reason).toBe(
      "no reservation of alice's exchange was seen active before alice's FIN",
    );
  });
});

test('D5 a fault that did not fire leaves nothing to conclude, but a dead system is dead', () => {
  const failed = at(3_050, 'harness', { type: 'fault', fault: 'upstream-stop', edge: 'failed', detail: 'its mark "cut" was never set' });
  const found = judged(story({ extra: [failed] }));
  for (const [claim, { outcome, reason }] of Object.entries(found)) {
    if (claim === 'process-alive') expect(outcome).toBe('held');
    else expect(`${outcome}: ${reason}`, claim).toBe('inconclusive: fault upstream-stop did not fire: its mark "cut" was never set');
  }
  expect(judged(story({ ...LEAK, extra: [failed] }))['upstream-closed']!.outcome).toBe('inconclusive');
});

describe('D6 somebody was kept from the processor', () => {
  const lag = (process: string, lagMs: number, atMs = 3_100) => at(atMs, `lag.${process}`, { type: 'scheduling-lag', process, lagMs });
  test('the harness lagged more than the margin', () => {
    const found = judged(story({ extra: [lag('harness', 400)] }));
    for (const claim of ['upstream-closed', 'billing-terminal', 'renewal-stopped', 'charged-once']) {
      expect(found[claim], claim).toEqual({ outcome: 'inconclusive', reason: 'harness lagged 400 ms at 3.1 s, the margin is 250 ms' });
    }
  });
  test('an actor did', () => expect(judged(story({ extra: [lag('upstreams', 400)] }))['upstream-closed']!.outcome).toBe('inconclusive'));
  test('no more than the margin, or at another time, is no matter', () => {
    expect(outcomesOf(story({ extra: [lag('harness', 250), lag('harness', 900, 1_500), lag('upstreams', 900, 7_900)] }))).toEqual(
      all('held'),
    );
  });
  test('a leak that is plain all the same stays one', () =>
    expect(judged(story({ ...LEAK, extra: [lag('upstreams', 400)] }))['upstream-closed']!.outcome).toBe('violated'));
  test('a leak within the lag is none', () => {
    const late = { closedMs: 5_600, ownsUntilMs: 5_600, eventsUntilMs: 1_300 };
    expect(judged(story({ ...late, extra: [lag('upstreams', 400)] }))['upstream-closed']!.outcome).toBe('inconclusive');
    expect(judged(story(late))['upstream-closed']!.outcome).toBe('violated');
  });
  test('the system was starved for more than a third of a lease', () => {
    const starved = (waitedMs: number) => story({ runDelayMs: (ms) => (ms > 6_500 ? waitedMs : 0) });
    expect(judged(starved(510))['renewal-stopped']).toEqual({
      outcome: 'inconclusive',
      reason: expect.stringMatching(/^the system waited 510 ms for a processor between .* more than a third of a lease of 1.5 s$/),
    });
    expect(judged(starved(490))['renewal-stopped']!.outcome).toBe('held');
    expect(judged(starved(510))['nothing-reserved']!.outcome).toBe('held');
  });
  test('a little in each lease is not much in one', () => {
    expect(judged(story({ runDelayMs: (ms) => ms / 4 }))['renewal-stopped']!.outcome).toBe('held');
  });
  test('a new thread is not a jump', () => {
    const entries = story().map((entry) =>
      entry.fact.type === 'sample' && entry.fact.probe === 'process' && entry.fact.value && entry.atMs > 6_000
        ? {
            ...entry,
            fact: { ...entry.fact, value: { ...entry.fact.value, runDelays: { ...entry.fact.value.runDelays, '900:950': 5_000 } } },
          }
        : entry,
    );
    expect(judged(entries)['renewal-stopped']!.outcome).toBe('held');
  });
  test('whether it was starved must be known', () => {
    const found = judged(without(story(), isSample('process')))['renewal-stopped']!;
    expect(found).toEqual({
      outcome: 'inconclusive',
      reason: 'probe process too slow to know whether the system was starved: no sample for 5.0 s from 3.0 s on',
    });
  });
});

test('D7 a system that died by itself before the mark is accused of that, and credited with nothing', () => {
  const died = without(
    story({ exit: { atMs: 2_500, code: null, signal: 'SIGSEGV' }, closedMs: 2_501, ownsUntilMs: 2_501 }),
    ({ fact }) => fact.type === 'signal-sent',
  );
  const found = judged(died);
  expect(found['process-alive']).toEqual({ outcome: 'violated', reason: 'router died by itself at 2.5 s with signal SIGSEGV' });
  for (const [claim, { outcome }] of Object.entries(found)) expect(outcome, claim).not.toBe('held');
  expect(found['upstream-closed']!.outcome).toBe('inconclusive');
});

test('D8 an error instead of a stream: the precondition is named, and nothing is held', () => {
  const refused = without(
    story({ charges: [], toldMs: 1_200, told: { how: 'complete', errorEvent: 'status 502: no' } }),
    ({ fact, actor }) => actor === 'upstream.model' || fact.type === 'received',
  ).map((entry) => (entry.fact.type === 'response-head' ? { ...entry, fact: { ...entry.fact, status: 502 } } : entry));
  const found = judged(refused);
  expect(found['upstream-closed']).toEqual({
    outcome: 'inconclusive',
    reason: "precondition stream was not met: the system answered alice with status 502 before alice's FIN",
  });
  for (const claim of ['upstream-closed', 'billing-terminal', 'renewal-stopped', 'charged-once', 'refundable'])
    expect(found[claim]!.outcome, claim).toBe('inconclusive');
});

test('D8 an answer that had ended before the leave is no stream to leave', () => {
  expect(judged(story({ toldMs: 2_000, told: { how: 'reset' } }))['upstream-closed']!.reason).toBe(
    "precondition stream was not met: the answer to alice had ended (reset) before alice's FIN",
  );
});

describe('D9 the probe lost the ledger half-way', () => {
  const lost = (entries: readonly Entry[], fromMs: number): readonly Entry[] =>
    entries.map((entry) =>
      isSample('ledger')(entry) && entry.atMs >= fromMs
        ? { ...entry, fact: { type: 'sample', probe: 'ledger', tookMs: 1, error: 'disk I/O error' } as const }
        : entry,
    );
  test('from then on nothing is concluded', () => {
    const found = judged(lost(story(), 7_000));
    for (const claim of ['billing-terminal', 'renewal-stopped', 'nothing-reserved', 'charged-once', 'no-late-charge', 'accounting-valid']) {
      expect(found[claim]!.outcome, claim).toBe('inconclusive');
    }
    expect(found['nothing-reserved']!.reason).toMatch(
      /^probe ledger lost the ledger at 7\.0 s, 1\.0 s before the end \(disk I\/O error, probe\.ledger#\d+\)$/,
    );
    expect(found['upstream-closed']!.outcome).toBe('held');
    expect(found['clean-shutdown']!.outcome).toBe('held');
  });
  test('what was decided before stands', () => {
    const found = judged(lost(story(LEAK), 7_000));
    for (const claim of ['upstream-closed', 'billing-terminal', 'renewal-stopped']) expect(found[claim]!.outcome, claim).toBe('violated');
    expect(
      judged(
        lost(
          story({
            charges: [
              { atMs: 3_020, amount: 9 },
              { atMs: 3_400, amount: 9 },
            ],
          }),
          7_000,
        ),
      )['charged-once']!.outcome,
    ).toBe('violated');
  });
  test('from the beginning', () => expect(judged(lost(story(), 0))['billing-terminal']!.outcome).toBe('inconclusive'));
});

describe('D10 the upstream was ended by its own doing', () => {
  test('by its script before the leave', () => {
    expect(
      judged(story({ ...LEAK, eventsUntilMs: 2_400, upstreamEnd: { atMs: 2_500, how: 'complete', by: 'script', usage: 13 } }))[
        'upstream-closed'
      ],
    ).toEqual({
      outcome: 'inconclusive',
      reason: "upstream exchange 3 was ended by its own script 500 ms before alice's FIN, not by the system",
    });
  });
  test('by its script after the leave, within the limit', () => {
    expect(
      judged(story({ ...LEAK, eventsUntilMs: 3_900, upstreamEnd: { atMs: 4_000, how: 'complete', by: 'script', usage: 13 } }))[
        'upstream-closed'
      ]!.reason,
    ).toBe("upstream exchange 3 was ended by its own script 1.0 s after alice's FIN, not by the system");
  });
  test('by a fault', () => {
    expect(
      judged(story({ ...LEAK, eventsUntilMs: 3_900, upstreamEnd: { atMs: 4_000, how: 'cut', by: 'fault', usage: null } }))[
        'upstream-closed'
      ]!.reason,
    ).toContain('was ended by a fault 1.0 s after');
  });
  test('after the limit it was open too long', () => {
    expect(
      judged(story({ ...LEAK, eventsUntilMs: 1_300, upstreamEnd: { atMs: 5_500, how: 'complete', by: 'script', usage: 13 } }))[
        'upstream-closed'
      ]!.reason,
    ).toBe("upstream exchange 3 was still open 2.5 s after alice's FIN and took 0 more events");
  });
});

describe('D12 the first chunk was withheld from a client that was reading', () => {
  const buffered = (changes = {}) => without(story(changes), ({ fact }) => fact.type === 'received');
  test('is said', () =>
    expect(judged(buffered())['upstream-closed']!.reason).toMatch(
      /closed by FIN .*; the first chunk, written 1801 ms before, never reached alice: the system buffers$/,
    ));
  test('and nothing was delivered, so nothing may be charged', () => {
    expect(judged(buffered())['charged-once']!.outcome).toBe('violated');
    expect(judged(buffered({ charges: [] }))['charged-once']!.outcome).toBe('held');
  });
  test('a chunk that may still have been on its way was not withheld', () => {
    const writtenAt = (ms: number) => buffered({ everyMs: 10_000 }).map((entry) => (entry.atMs === 1_200 ? { ...entry, atMs: ms } : entry));
    expect(judged(writtenAt(2_700))['upstream-closed']!.reason).toContain('the first chunk, written 301 ms before, never reached alice');
    expect(judged(writtenAt(2_800))['upstream-closed']!.reason).not.toContain('never reached alice');
  });
  test('a client that had stopped reading was not waiting for it', () => {
    const paused = buffered({ extra: [at(1_101, 'client.alice', { type: 'paused', marker: 'hx.alice.1.00000001', unreadBytes: 0 })] });
    expect(judged(paused)['upstream-closed']!.reason).not.toContain('buffers');
  });
});

test('D14 money and sockets are judged each by itself', () => {
  const clean = judged(story({ closedMs: null, ownsUntilMs: null }));
  expect(clean['upstream-closed']!.outcome).toBe('violated');
  expect([clean['billing-terminal'], clean['renewal-stopped'], clean['nothing-reserved']].map((found) => found!.outcome)).toEqual([
    'held',
    'held',
    'held',
  ]);
  const leaking = judged(story({ terminalMs: null, charges: [], refund: 'refused' }));
  expect(leaking['upstream-closed']!.outcome).toBe('held');
  expect([leaking['billing-terminal'], leaking['renewal-stopped'], leaking['nothing-reserved']].map((found) => found!.outcome)).toEqual([
    'violated',
    'violated',
    'violated',
  ]);
});
