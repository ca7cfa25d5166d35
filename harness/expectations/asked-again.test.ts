// Several requests of one exchange: what was over at the leave is nobody's concern, what came in its very moment
// is one of those that must end, and what came later must not have come.
import { describe } from 'vitest';
import { MARKER } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const OPTIONS = { upstream: 'model', after: 'gone', within: 2_000 };
const fed = { runDelayMs: () => 0 };
const FOUR = { exchange: 4, marker: MARKER, bytes: 0, events: 0 };
const asked = (atMs: number): Entry =>
  at(atMs, 'upstream.model', { type: 'request-received', connection: 4, exchange: 4, marker: MARKER, method: 'POST', path: '/', bodyBytes: 1, behaviour: 'endless' });
const closed = (atMs: number): Entry => at(atMs, 'upstream.model', { type: 'peer-closed', connection: 4, how: 'fin', ...FOUR });
const ended = (atMs: number): Entry => at(atMs, 'upstream.model', { type: 'answer-ended', ...FOUR, how: 'complete', by: 'script', usage: 0 });
const with4 = (...extra: readonly Entry[]) => ({ entries: story({ ...fed, extra }) });

describe('a request that was over before the leave', () => {
  table('upstream-closed', OPTIONS, [
    ['closed long before', with4(asked(1_500), closed(2_000)), 'held', 'upstream exchange 3 was closed by FIN'],
    ['ended by its upstream long before', with4(asked(1_500), ended(2_000)), 'held', 'upstream exchange 3 was closed by FIN'],
    ['closed in its very moment', with4(asked(1_500), closed(3_000)), 'held', 'upstream exchange 3 was closed by FIN'],
    ['never over', with4(asked(1_500)), 'violated', 'upstream exchange 4 was still open'],
  ]);
});

describe('a request that came with the leave or after it', () => {
  table('upstream-closed', OPTIONS, [
    ['in its very moment, and never over', with4(asked(3_000)), 'violated', 'upstream exchange 4 was still open 5.0 s after'],
    ['on its way, and over at once', with4(asked(3_251), closed(3_300)), 'held', 'upstream exchange 3 was closed by FIN'],
    ['too late to have been on its way', with4(asked(3_252), closed(3_300)), 'violated', 'was asked again 252 ms after', { interval: [3_252, 3_300], evidence: 2 }],
    ['on its way, and closed when limit and margin are over', with4(asked(3_100), closed(5_251)), 'held', 'upstream exchange 3 was closed by FIN'],
    ['on its way, and closed later than that', with4(asked(3_100), closed(5_252)), 'violated', 'was asked again 100 ms after', { interval: [3_100, 5_252] }],
    ['on its way, and ended by its upstream in time', with4(asked(3_100), ended(5_251)), 'held', 'upstream exchange 3 was closed by FIN'],
    [
      'on its way, and closed too late by a system that was starved all the while',
      { entries: story({ runDelayMs: (ms) => Math.max(0, ms - 2_000), extra: [asked(3_100), closed(7_000)] }) },
      'inconclusive',
      'upstream model was asked again 100 ms after',
    ],
    ['never over', with4(asked(4_000)), 'violated', 'was asked again 1.0 s after', { interval: [4_000, 8_000] }],
  ]);
});

const signal = (atMs: number, purpose: 'stop' | 'fault', name: string): Entry =>
  at(atMs, 'harness', { type: 'signal-sent', process: 'router', signal: name, purpose });
const ends = (atMs: number): Entry => at(atMs, 'system', { type: 'process-exited', process: 'router', code: null, signal: 'SIGKILL' });
const starts = (atMs: number): Entry => at(atMs, 'harness', { type: 'system-started', process: 'router', pid: 901 });

describe('closed because the system went down', () => {
  const stopped = (atMs: number, closedMs = 3_010) => ({
    entries: story({ ...fed, closedMs, ownsUntilMs: closedMs, exit: null, extra: [signal(atMs, 'stop', 'SIGTERM')] }),
  });
  const killed = (atMs: number, closedMs: number) => ({
    entries: story({ ...fed, closedMs, ownsUntilMs: closedMs, extra: [signal(atMs, 'fault', 'SIGKILL'), ends(3_500), starts(3_600)] }),
  });
  table('upstream-closed', OPTIONS, [
    ['told to stop in the moment of the close', stopped(3_010), 'inconclusive', 'the system was told to stop by SIGTERM 0 ms before it closed', { evidence: 2 }],
    ['told to stop after the close', stopped(3_011), 'held', 'closed by FIN'],
    ['killed in the moment of the close', killed(3_010, 3_010), 'inconclusive', 'a fault had ended router by SIGKILL 0 ms before it closed', { evidence: 2 }],
    ['killed after the close', killed(3_011, 3_010), 'held', 'closed by FIN'],
    ['closed a margin after it had died', killed(3_400, 3_750), 'inconclusive', 'a fault had ended router by SIGKILL 350 ms before it closed'],
    ['closed later than that', killed(3_400, 3_751), 'held', 'closed by FIN'],
  ]);
});
