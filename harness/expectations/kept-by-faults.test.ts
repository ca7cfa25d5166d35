// Whom a fault had ended, or stopped and never continued, is not accused of what it could not do: of money that is held, of
// answers that were cut, of requests that were not sent. Who was there again in time is; so is who does it by itself.
import { describe } from 'vitest';
import { LEAK } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const signal = (atMs: number, name: string): Entry => at(atMs, 'harness', { type: 'signal-sent', process: 'router', signal: name, purpose: 'fault' });
const killed = (atMs: number, name = 'SIGKILL'): readonly Entry[] => [signal(atMs, name), at(atMs + 5, 'system', { type: 'process-exited', process: 'router', code: null, signal: name })];
const restarted = (atMs: number, againMs: number, name = 'SIGKILL'): readonly Entry[] => [...killed(atMs, name), at(againMs, 'harness', { type: 'system-started', process: 'router', pid: 901 })];
const fed: Partial<Knobs> = { runDelayMs: () => 0 };
const leaks = (...extra: readonly Entry[]) => ({ entries: story({ ...fed, ...LEAK, extra }) });

/** A lease and a sweep take 2.5 s, and 250 ms are for measuring; the watch ends at 8 s, the refund is asked at 8.1 s. */
describe('money that is held', () => {
  const NOBODY = 'what is reserved for account acc was not released, but a fault had ended or stopped whoever could have done it';
  table('nothing-reserved', { client: 'alice' }, [
    ['by who was free to release it', leaks(), 'violated', '100 reserved'],
    ['by who was stopped to the end', leaks(signal(3_002, 'SIGSTOP')), 'inconclusive', NOBODY],
    ['by who was continued too late', leaks(signal(3_002, 'SIGSTOP'), signal(7_000, 'SIGCONT')), 'inconclusive', 'could be for 1.0 s only, a lease and a sweep take 2.5 s'],
    ['by who was continued in time', leaks(signal(3_002, 'SIGSTOP'), signal(3_100, 'SIGCONT')), 'violated', '100 reserved'],
    ['by who was killed for good', leaks(...killed(3_002)), 'inconclusive', NOBODY],
    ['by who was started again too late', leaks(...restarted(3_002, 5_250)), 'inconclusive', 'could be for 2.8 s only'],
    ['by who was started again in time', leaks(...restarted(3_002, 5_249)), 'violated', '100 reserved'],
    ['by who was killed by the scenario that tests it', { ...leaks(...killed(3_002)), facts: { stopsAt: 'gone' } }, 'violated', '100 reserved'],
  ]);
  table('refundable', { client: 'alice' }, [
    ['by who was free to release it', leaks(), 'violated', 'the refund was refused'],
    ['by who was started again too late', leaks(...restarted(3_002, 5_350)), 'inconclusive', 'could be for 2.8 s only'],
    ['by who was started again in time', leaks(...restarted(3_002, 5_349)), 'violated', 'the refund was refused'],
    [
      'by nobody, but that a fault wrote a total which asking has to clear',
      {
        entries: story({
          ...fed,
          refund: 'refused',
          ledger: (value, ms) => (ms < 7_000 ? value : { ...value, accounts: value.accounts.map((each) => (each.id === 'acc' ? { ...each, reserved: each.reserved + 40 } : each)) }),
          extra: [at(7_000, 'harness', { type: 'ledger-aggregate', account: 'acc', amount: 40, reservedAtMs: null })],
        }),
      },
      'violated',
      'had 40 reserved',
    ],
    ['by nobody', { entries: story({ ...fed, refund: 'refused', extra: restarted(3_040, 5_350) }) }, 'violated', 'had 0 reserved'],
  ]);
  const unsettled = (...extra: readonly Entry[]) => ({ entries: story({ ...fed, terminalMs: null, charges: [], extra }) });
  table('billing-terminal', { client: 'alice', after: 'gone', within: 2_000 }, [
    ['by who was free to settle it', unsettled(), 'violated', 'reservation 7 was still active'],
    ['by who was killed for good', unsettled(...killed(3_015)), 'inconclusive', "alice's exchange was not settled, but a fault had ended or stopped whoever could have done it"],
    ['by who was started again too late', unsettled(...restarted(3_015, 5_210)), 'inconclusive', "alice's exchange was not settled, but could be for 2.8 s only"],
    ['by who was started again in time', unsettled(...restarted(3_015, 5_209)), 'violated', 'reservation 7 was still active'],
    ['by who was killed by the scenario that tests it', { ...unsettled(...killed(3_015)), facts: { stopsAt: 'gone' } }, 'violated', 'reservation 7 was still active'],
    ['by who was killed when it should long have been settled', unsettled(...killed(6_000)), 'violated', 'reservation 7 was still active'],
    ['by who was killed and there again before it was asked', unsettled(...restarted(700, 800)), 'violated', 'reservation 7 was still active'],
  ]);
  const cut = (...extra: readonly Entry[]) => ({ entries: story({ ...fed, goneMs: null, closedMs: 4_020, ownsUntilMs: 4_020, toldMs: 4_020, terminalMs: null, extra }) });
  table('bounded-wait', { bound: 'lifetime', client: 'alice' }, [
    ['by who was free to settle it', cut(), 'violated', 'reservation 7 was still active'],
    ['by who was killed for good', cut(...killed(4_010)), 'inconclusive', "alice's exchange was not settled"],
  ]);
});

describe('answers', () => {
  const reset = (...extra: readonly Entry[]) => ({
    entries: story({ ...fed, goneMs: null, closedMs: 2_010, ownsUntilMs: 2_010, toldMs: 2_010, told: { how: 'reset' }, extra }),
  });
  table('stream-complete', { client: 'alice' }, [
    ['cut by who was free to go on', reset(), 'violated', 'not complete'],
    ['cut by a kill', reset(...killed(2_005)), 'inconclusive', 'a fault had ended router by SIGKILL before the answer to alice ended: not complete'],
    ['cut before the kill', reset(...killed(2_011)), 'violated', 'not complete'],
    ['cut by who was told to stop, and may finish first', reset(...killed(2_005, 'SIGTERM')), 'violated', 'not complete'],
    ['cut by the kill of a scenario that tests it', { ...reset(at(2_000, 'harness', { type: 'mark', mark: 'gone', client: null }), ...killed(2_005)), facts: { stopsAt: 'gone' } }, 'violated', 'not complete'],
  ]);
  const silent = (...extra: readonly Entry[]) => ({
    entries: story({ ...fed, goneMs: null, closedMs: null, ownsUntilMs: null, servesUntilMs: null, upstreamEnd: { atMs: 7_000, how: 'complete', by: 'script', usage: 5 }, extra }),
  });
  table('stream-whole-or-told', { client: 'alice' }, [
    ['none, by who was free to tell', silent(), 'violated', 'alice was told nothing in 1.0 s'],
    ['none, by who was stopped to the end', silent(signal(7_100, 'SIGSTOP')), 'inconclusive', 'but system or watchers were held up for 900 ms'],
    ['none, by who was stopped when it should long have told', silent(signal(7_400, 'SIGSTOP')), 'violated', 'alice was told nothing in 1.0 s'],
  ]);
  const follow = (extra: readonly Entry[], plannedMs = 3_990) => ({
    entries: story({
      ...fed,
      extra: [
        at(plannedMs, 'harness', { type: 'exchange-planned', marker: 'hx.bob.1.00000002', client: 'bob', account: 'other', upstream: 'model', request: 'chat', purpose: 'drive' }),
        at(plannedMs + 10, 'client.bob', { type: 'connect-failed', error: 'ECONNREFUSED' }),
        ...extra,
      ],
    }),
  });
  const unanswered = (extra: readonly Entry[]) => ({
    entries: story({
      ...fed,
      extra: [
        at(3_990, 'harness', { type: 'exchange-planned', marker: 'hx.bob.1.00000002', client: 'bob', account: 'other', upstream: 'model', request: 'chat', purpose: 'drive' }),
        at(4_000, 'client.bob', { type: 'request-written', connection: 7, marker: 'hx.bob.1.00000002', bytes: 1 }),
        ...extra,
      ],
    }),
  });
  table('follow-up-served', { client: 'bob', after: 'gone', within: 1_000 }, [
    ['none to be had, of who was there', follow([]), 'violated', 'bob could not connect'],
    ['none to be had, of who was killed', follow(killed(3_500)), 'inconclusive', 'a fault had ended router by SIGKILL: bob could not be served'],
    ['none to be had, of who was not there again yet', follow(restarted(3_500, 3_990)), 'inconclusive', 'bob could not be served'],
    ['none to be had, of who was there again', follow(restarted(3_500, 3_989)), 'violated', 'bob could not connect'],
    ['none to be had, of who was killed later', follow(killed(4_001)), 'violated', 'bob could not connect'],
    ['none that comes, of who was there', unanswered([]), 'violated', 'bob was not served after'],
    ['none that comes, of who was killed before it was late', unanswered(killed(4_500)), 'inconclusive', 'a fault had ended router by SIGKILL: bob could not be served'],
    ['none that comes, of who was killed when it was long late', unanswered(killed(7_000)), 'violated', 'bob was not served after'],
  ]);
});

describe('requests', () => {
  const unsent = (...extra: readonly Entry[]) => ({ entries: without(story({ ...fed, extra }), ({ actor }) => actor === 'upstream.model') });
  table('request-count', { upstream: 'model', client: 'alice', equals: 1 }, [
    ['never sent by who was free to', unsent(), 'violated', "alice's request came 0 times to upstream model, 1 is right"],
    ['never sent by who was killed', unsent(...killed(1_102)), 'inconclusive', "a fault had ended router by SIGKILL, and perhaps before it had sent alice's request"],
    ['never sent by who was killed much later', unsent(...killed(5_000)), 'violated', 'came 0 times'],
    ['never sent by who was killed before it was asked, and there again', unsent(...restarted(700, 800)), 'violated', 'came 0 times'],
    ['never sent by who was stopped to the end', unsent(signal(1_102, 'SIGSTOP')), 'inconclusive', 'system or watchers were held up for'],
    ['never sent by who was stopped much later', unsent(signal(5_000, 'SIGSTOP')), 'violated', 'came 0 times'],
  ]);
  const opened = (...extra: readonly Entry[]) => ({
    entries: story({ ...fed, extra: [at(7_000, 'upstream.model', { type: 'connection-opened', connection: 9, local: '127.0.0.20:9000', peer: '127.0.0.2:50009' }), ...extra] }),
  });
  table('request-count', { upstream: 'model', 'bare-connections': 0 }, [
    ['none on a connection', opened(), 'violated', '1 connection to upstream model never carried a request'],
    ['none on a connection, by who was stopped before it could send one', opened(signal(7_100, 'SIGSTOP')), 'inconclusive', 'but system or watchers were held up meanwhile, or ended by a fault'],
    ['none on a connection, by who was stopped later', opened(signal(7_300, 'SIGSTOP')), 'violated', '1 connection'],
    ['none on a connection, by who was killed before it could send one', opened(...killed(7_100)), 'inconclusive', 'but system or watchers were held up meanwhile, or ended by a fault'],
    ['none on a connection, by who had been killed before', opened(...restarted(5_000, 5_100)), 'violated', '1 connection'],
  ]);
});
