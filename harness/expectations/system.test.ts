// Claims about the system itself: it lives, it stops as told, it keeps its memory.
import { describe, expect, test } from 'vitest';
import { definition as cleanShutdown } from './clean-shutdown.ts';
import { FACTS } from './fixtures/facts.ts';
import { verdictOf } from './fixtures/judging.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, isSample, timelineOf, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const exit = (atMs: number, code: number | null = 0, signal: string | null = null): Partial<Knobs> => ({ exit: { atMs, code, signal } });
const killed = (atMs: number, purpose: 'stop' | 'cleanup' | 'fault' = 'cleanup') =>
  at(atMs, 'harness', { type: 'signal-sent', process: 'router', signal: 'SIGKILL', purpose });
const left = (pids: readonly number[] | null) => (entries: readonly Entry[]) =>
  entries.map((entry) => (entry.fact.type === 'processes-left' ? { ...entry, fact: { ...entry.fact, pids } } : entry));
const later = (entries: readonly Entry[]) =>
  entries.map((entry) =>
    entry.atMs === 8_940
      ? { ...entry, atMs: 19_000 }
      : entry.fact.type === 'phase' && entry.atMs === 8_950
        ? { ...entry, atMs: 19_100 }
        : entry,
  );
const noFault = at(3_000, 'harness', { type: 'fault', fault: 'x', edge: 'failed', detail: 'no' });

describe('clean-shutdown', () => {
  table('clean-shutdown', {}, [
    ['in time with code 0', { entries: story() }, 'held', 'ended with exit code 0 90 ms after SIGTERM, nothing left'],
    ['by the signal, which is code 143', { entries: story(exit(8_600, null, 'SIGTERM')) }, 'held', 'ended with signal SIGTERM'],
    ['with code 143, which is the signal', { entries: story(exit(8_600, 143)) }, 'held', 'exit code 143'],
    [
      'with a code that is not declared',
      { entries: story(exit(8_600, 1)) },
      'violated',
      'ended with exit code 1 90 ms after SIGTERM; the card declares 0, 143',
    ],
    ['by a signal that is not declared', { entries: story(exit(8_600, null, 'SIGSEGV')) }, 'violated', 'ended with signal SIGSEGV'],
    ['by a signal that has no number here', { entries: story(exit(8_600, null, 'SIGXCPU')) }, 'violated', 'ended with signal SIGXCPU'],
    [
      'SIGKILL by somebody else, even where 137 were 143',
      { entries: story(exit(8_600, null, 'SIGKILL')) },
      'violated',
      'ended with signal SIGKILL',
    ],
    [
      'SIGKILL by us',
      { entries: later(story({ ...exit(11_010, null, 'SIGKILL'), extra: [killed(11_000)] })) },
      'violated',
      'SIGKILL was needed 2.5 s after SIGTERM',
    ],
    [
      'SIGKILL by us, as a second stop',
      { entries: later(story({ ...exit(11_010, null, 'SIGKILL'), extra: [killed(11_000, 'stop')] })) },
      'violated',
      'SIGKILL was needed',
    ],
    ['SIGKILL sent when it had ended', { entries: later(story({ extra: [killed(11_000)] })) }, 'held', 'exit code 0'],
    ['at the end of grace and margin', { entries: later(story(exit(8_510 + 2_250))) }, 'held', '2.3 s after SIGTERM'],
    ['later', { entries: later(story(exit(8_510 + 2_260))) }, 'violated', 'ended only 2.3 s after SIGTERM, 2.0 s are allowed'],
    [
      'a shorter limit',
      { entries: story(exit(8_900)), options: { within: 100 } },
      'violated',
      'ended only 390 ms after SIGTERM, 100 ms are allowed',
    ],
    ['a longer limit', { entries: later(story(exit(12_000))), options: { within: 5_000 } }, 'held', '3.5 s after SIGTERM'],
    ['never', { entries: later(story({ exit: null })) }, 'violated', 'was still running 10.6 s after SIGTERM, 2.0 s are allowed'],
    [
      'the record ends before the grace',
      { entries: story({ exit: null }) },
      'inconclusive',
      'the record ends 440 ms after SIGTERM, before the grace was over',
    ],
    [
      'somebody lagged for as long as it is late',
      {
        entries: later(
          story({ ...exit(11_000), extra: [at(9_000, 'lag.harness', { type: 'scheduling-lag', process: 'harness', lagMs: 500 })] }),
        ),
      },
      'inconclusive',
      'the system was still running 2.5 s after SIGTERM, but it or its watchers had waited 500 ms',
    ],
    [
      'killed by us while somebody lagged',
      {
        entries: later(
          story({
            ...exit(11_010, null, 'SIGKILL'),
            extra: [killed(11_000), at(9_000, 'lag.harness', { type: 'scheduling-lag', process: 'harness', lagMs: 500 })],
          }),
        ),
      },
      'inconclusive',
      'had waited 500 ms',
    ],
    [
      'killed by us while somebody lagged a little',
      {
        entries: later(
          story({
            ...exit(11_010, null, 'SIGKILL'),
            extra: [killed(11_000), at(9_000, 'lag.harness', { type: 'scheduling-lag', process: 'harness', lagMs: 200 })],
          }),
        ),
      },
      'violated',
      'SIGKILL was needed',
    ],
    [
      'killed by us long after the grace, while somebody lagged for less than that',
      {
        entries: later(
          story({
            ...exit(12_010, null, 'SIGKILL'),
            extra: [killed(12_000), at(9_000, 'lag.harness', { type: 'scheduling-lag', process: 'harness', lagMs: 500 })],
          }),
        ),
      },
      'violated',
      'SIGKILL was needed 3.5 s after SIGTERM',
    ],
    ['processes left', { entries: left([12, 13])(story()) }, 'violated', 'processes of the system were left: pids 12, 13'],
    [
      'processes left cannot be seen',
      { entries: left(null)(story()) },
      'inconclusive',
      'whether processes of the system were left cannot be seen on this runtime',
    ],
    [
      'processes left were not looked for',
      { entries: without(story(), ({ fact }) => fact.type === 'processes-left') },
      'inconclusive',
      'whether processes of the system were left is not on record',
    ],
    [
      'never told to stop',
      { entries: without(story({ exit: null }), ({ fact }) => fact.type === 'signal-sent') },
      'inconclusive',
      'the system was never told to stop',
    ],
    [
      'dead before',
      { entries: without(story(exit(4_000, 1)), ({ fact }) => fact.type === 'signal-sent') },
      'inconclusive',
      'router died by itself at 4.0 s',
    ],
    [
      'another process ended',
      {
        entries: later(
          without(
            story({ exit: null, extra: [at(8_600, 'system', { type: 'process-exited', process: 'store', code: 0, signal: null })] }),
            () => false,
          ),
        ),
      },
      'violated',
      'was still running',
    ],
    ['a fault did not fire', { entries: story({ extra: [noFault] }) }, 'inconclusive', 'fault x'],
    [
      'clocks apart',
      { entries: story({ extra: [at(101, 'harness', { type: 'clock', offsetMs: 0, errorMs: 300 })] }) },
      'inconclusive',
      'the clocks agree',
    ],
    [
      'the record breaks off',
      { entries: without(story(), ({ atMs }) => atMs > 8_945) },
      'inconclusive',
      'the record breaks off at 8.9 s, before the end of the stop',
    ],
  ]);

  describe('where the scenario stops the system', () => {
    const stop = (exitMs: number | null, signal = 'SIGTERM'): readonly Entry[] =>
      without(
        story({
          refund: null,
          exit: exitMs === null ? null : { atMs: exitMs, code: 0, signal: null },
          extra: [
            at(2_000, 'harness', { type: 'signal-sent', process: 'router', signal: 'SIGUSR1', purpose: 'fault' }),
            at(3_002, 'harness', { type: 'signal-sent', process: 'router', signal, purpose: 'fault' }),
          ],
        }),
        ({ fact }) => fact.type === 'signal-sent' && fact.purpose === 'stop',
      );
    const STOPPED = { facts: { stopsAt: 'gone' } };
    table('clean-shutdown', {}, [
      ['it counts from there', { entries: stop(3_500), ...STOPPED }, 'held', 'ended with exit code 0 498 ms after SIGTERM'],
      ['too late', { entries: stop(5_500), ...STOPPED }, 'violated', 'ended only 2.5 s after SIGTERM'],
      [
        'a signal before the mark is another fault',
        { entries: stop(3_500), facts: { stopsAt: 'never' } },
        'inconclusive',
        'the system was never told to stop',
      ],
      [
        "a fault's signal stops nothing where the scenario does not say so",
        { entries: stop(3_500) },
        'inconclusive',
        'the system was never told to stop',
      ],
    ]);
    const pendingAt = (ms: number, stopsAt: string | null) =>
      cleanShutdown.pending!({
        timeline: timelineOf(...without(stop(3_500), ({ atMs }) => atMs > ms)),
        facts: { ...FACTS, stopsAt },
        options: {},
      });
    test('pending until it has ended', () =>
      expect([pendingAt(3_400, 'gone'), pendingAt(3_600, 'gone'), pendingAt(3_400, null)]).toEqual(['router has not ended', null, null]));
  });
  test('evidence and interval', () => {
    expect(
      verdictOf('clean-shutdown', { entries: later(story({ ...exit(11_010, null, 'SIGKILL'), extra: [killed(11_000)] })) }),
    ).toMatchObject({
      evidence: ['harness#23', 'harness#24', 'system#1'],
      interval: { fromMs: 10_510, toMs: 11_000 },
    });
    expect(verdictOf('clean-shutdown', { entries: story(exit(8_600, 1)) }).interval).toEqual({ fromMs: 8_510, toMs: 8_600 });
  });
});

describe('process-alive', () => {
  const dead = (fromMs: number) =>
    story().map((entry) =>
      entry.fact.type === 'sample' && entry.fact.probe === 'process' && entry.fact.value && entry.atMs >= fromMs
        ? { ...entry, fact: { ...entry.fact, value: { ...entry.fact.value, alive: { router: false } } } }
        : entry,
    );
  const begun = at(300, 'harness', { type: 'system-started', process: 'router', pid: null });
  const DOCKER = { runtime: 'docker' } as const;
  const unknown = (entries: readonly Entry[]) =>
    entries.map((entry) =>
      entry.fact.type === 'sample' && entry.fact.probe === 'process' && entry.fact.value
        ? { ...entry, fact: { ...entry.fact, value: { ...entry.fact.value, alive: {} } } }
        : entry,
    );
  const seldom = (untilMs: number) => ({
    entries: without(story(), (entry) => isSample('process')(entry) && entry.atMs > untilMs), facts: { sampling: { ...FACTS.sampling, processMs: 15_000 } },
  });
  table('process-alive', {}, [
    ['there until it is told to stop', { entries: story() }, 'held', 'router was there in 54 samples until it was told to stop'],
    [
      'died with a code',
      { entries: without(story(exit(4_000, 9)), ({ fact }) => fact.type === 'signal-sent') },
      'violated',
      'router died by itself at 4.0 s with exit code 9',
    ],
    ['died by a signal, though the stop came later', { entries: story(exit(4_000, null, 'SIGABRT')) }, 'violated', 'with signal SIGABRT'],
    ['a sample without it', { entries: dead(4_000) }, 'violated', 'router was not there at 4.1 s'],
    ['a sample without it after the stop', { entries: dead(8_520) }, 'held', 'was there'],
    [
      'a process that the probe does not know of',
      { entries: story(), facts: { system: { ...FACTS.system, main: 'other' } } },
      'inconclusive',
      'probe process never saw the system',
    ],
    ['the probe never saw it', { entries: without(story(), isSample('process')) }, 'inconclusive', 'probe process never saw the system'],
    [
      'the probe sees processes, but knows of no main one',
      { entries: unknown(story({ extra: [begun] })) },
      'inconclusive',
      'probe process never saw the system',
    ],
    [
      'an engine that shows no processes tells of an end all the same',
      { entries: without(story({ extra: [begun] }), isSample('process')), facts: DOCKER },
      'held',
      'router had not ended, by the word of the engine, when it was told to stop',
    ],
    [
      'and so does one whose pids are not ours',
      { entries: unknown(story({ extra: [begun] })), facts: DOCKER },
      'held',
      'by the word of the engine',
    ],
    [
      'an end that it tells of is one',
      { entries: without(story({ ...exit(4_000, 9), extra: [begun] }), isSample('process')), facts: DOCKER },
      'violated',
      'router died by itself at 4.0 s with exit code 9',
    ],
    [
      'a probe that failed from the beginning is no such engine',
      {
        entries: story({ extra: [begun] }).map((entry) =>
          isSample('process')(entry)
            ? { ...entry, fact: { type: 'sample', probe: 'process', tookMs: 1, error: 'no process file system' } as const }
            : entry,
        ),
        facts: DOCKER,
      },
      'inconclusive',
      'probe process never saw the system',
    ],
    [
      'the probe no longer looks',
      { entries: without(story(), (entry) => isSample('process')(entry) && entry.atMs > 7_000) },
      'inconclusive',
      'probe process last saw router at 7.0 s, 1.6 s before it was told to stop',
    ],
    [
      'the probe was silent for just as long as it may be',
      { entries: without(story(), (entry) => isSample('process')(entry) && entry.atMs > 8_000 && entry.atMs < 8_510) },
      'held',
      'was there',
    ],
    ['the probe looks seldom, and did not since the watch began', seldom(5_990), 'inconclusive', 'probe process last saw router at 5.9 s, 2.6 s before it was told to stop'],
    ['the probe looks seldom, and did in the watch', seldom(6_200), 'held', 'was there'],
    [
      'never told to stop',
      { entries: without(story({ exit: null }), ({ fact }) => fact.type === 'signal-sent') },
      'inconclusive',
      'router was never told to stop',
    ],
    ['the record breaks off', { entries: without(story(), ({ atMs }) => atMs > 8_945) }, 'inconclusive', 'the record breaks off'],
    [
      'the scenario stops it',
      {
        entries: story({
          exit: { atMs: 3_500, code: 0, signal: null },
          extra: [at(3_002, 'harness', { type: 'signal-sent', process: 'router', signal: 'SIGTERM', purpose: 'fault' })],
        }),
        facts: { stopsAt: 'gone' },
      },
      'held',
      'in 17 samples',
    ],
  ]);
  test('evidence and interval', () => {
    expect(verdictOf('process-alive', { entries: dead(4_000) })).toMatchObject({
      evidence: ['probe.process#25'],
      interval: { fromMs: 4_100, toMs: 8_510 },
    });
    expect(verdictOf('process-alive', { entries: story(exit(4_000, 9)) })).toMatchObject({
      evidence: ['system#1'],
      interval: { fromMs: 4_000, toMs: 8_510 },
    });
  });
});

describe('bounded-memory', () => {
  const MIB = 1024 * 1024;
  const grows = (mib: number, fromMs = 4_000, toMs = Infinity): Partial<Knobs> => ({
    rssBytes: (ms) => (ms >= fromMs && ms < toMs ? 50 + mib : 50) * MIB,
  });
  table('bounded-memory', { 'at-most': 10 * MIB }, [
    ['stays', { entries: story() }, 'held', 'memory grew by 0 B to 50.0 MiB'],
    ['grows to the limit', { entries: story(grows(10)) }, 'held', 'memory grew by 10.0 MiB to 60.0 MiB'],
    [
      'grows beyond it',
      { entries: story(grows(11)) },
      'violated',
      'memory grew by 11.0 MiB to 61.0 MiB, 3.1 s after the baseline; 10.0 MiB are allowed',
    ],
    ['for a moment', { entries: story(grows(11, 4_000, 4_200)) }, 'violated', 'memory grew by 11.0 MiB'],
    ['before the baseline does not count', { entries: story(grows(11, 0, 900)) }, 'held', 'memory grew by 0 B'],
    ['after the watch does not count', { entries: story(grows(11, 8_010)) }, 'held', 'memory grew by 0 B'],
    [
      'no baseline',
      { entries: without(story(), (entry) => isSample('process')(entry) && entry.atMs < 1_060) },
      'inconclusive',
      'probe process has no sample of the baseline',
    ],
    [
      'no phase of the baseline',
      { entries: without(story(), ({ fact }) => fact.type === 'phase' && fact.phase === 'baseline') },
      'inconclusive',
      'no sample of the baseline',
    ],
    [
      'sampled too slowly',
      { entries: without(story(), (entry) => isSample('process')(entry) && entry.atMs > 4_000 && entry.atMs < 4_700) },
      'inconclusive',
      'probe process too slow: no sample for 750 ms from 3.9 s on',
    ],
    [
      'nothing was ever written',
      { entries: story({ eventsUntilMs: 0 }) },
      'inconclusive',
      'no upstream ever wrote anything: there was nothing to keep',
    ],
    ['the system died', { entries: story(exit(7_000, 9)) }, 'inconclusive', 'router died by itself'],
    ['a fault did not fire', { entries: story({ extra: [noFault] }) }, 'inconclusive', 'fault x'],
    [
      'the path did not work',
      { entries: story({ extra: [at(800, 'harness', { type: 'precondition', name: 'path', met: false, detail: 'no' })] }) },
      'inconclusive',
      'precondition path',
    ],
    ['the record breaks off', { entries: without(story(), ({ atMs }) => atMs > 7_000) }, 'inconclusive', 'the record breaks off'],
    [
      'grows beyond it, and the probe died',
      { entries: without(story(grows(11)), (entry) => isSample('process')(entry) && entry.atMs > 5_000) },
      'violated',
      'memory grew',
    ],
  ]);
  test('evidence and interval', () => {
    expect(
      verdictOf('bounded-memory', { entries: story({ rssBytes: (ms) => ms * MIB }), options: { 'at-most': 1_000 * MIB } }),
    ).toMatchObject({ evidence: ['probe.process#4', 'probe.process#50'], interval: { fromMs: 2_000, toMs: 7_850 } });
  });
});
