// A wait for a processor is counted when it is over: one that had begun when a limit was over, or all had been watched, is no
// less of one. What is late only because of it is not called late; one that began later puts off nothing.
import { describe } from 'vitest';
import { crowd, CROWD } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { LEAK } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

/** Not counted before it is over. */
const waited = (fromMs: number, toMs: number): Pick<Knobs, 'runDelayMs'> => ({ runDelayMs: (ms) => (ms >= toMs ? toMs - fromMs : 0) });
const letGo = (atMs: number): Partial<Knobs> => ({ closedMs: atMs, ownsUntilMs: atMs, servesUntilMs: atMs, terminalMs: atMs, eventsUntilMs: 3_000 });
const tell = (...changes: readonly Partial<Knobs>[]) => ({ entries: story(Object.assign({}, ...changes)) });

/** Due half a second after the leave at 3 s, and with the margin at 3.75 s. */
describe('a limit after a leave', () => {
  table('upstream-closed', { upstream: 'model', after: 'gone', within: 500 }, [
    ['late by a wait that was not over with it', tell(letGo(4_600), waited(3_010, 4_590)), 'inconclusive', 'kept from the processor for as long as it is late'],
    ['late by a wait that had begun just before it', tell(letGo(4_460), waited(3_740, 4_450)), 'inconclusive', 'kept from the processor for as long as it is late'],
    ['late, and a wait of the same length began later', tell(letGo(5_600), waited(4_000, 5_580)), 'violated', 'was closed only 2.6 s after'],
    ['late by more than it waited', tell(letGo(4_600), waited(3_710, 4_490)), 'violated', 'was closed only 1.6 s after'],
  ]);
  table('billing-terminal', { client: 'alice', after: 'gone', within: 500 }, [
    ['late by a wait that was not over with it', tell(letGo(4_600), waited(3_010, 4_590)), 'inconclusive', 'no sample that shows whether reservation 7 had ended in time'],
    ['late, and a wait of the same length began later', tell(letGo(5_600), waited(4_000, 5_580)), 'violated', 'reservation 7 was still active'],
  ]);
  const taken = (amount: number, ...changes: readonly Partial<Knobs>[]) =>
    tell({ ...letGo(4_610), eventsUntilMs: Infinity, charges: [{ atMs: 4_610, amount }] }, ...changes);
  table('charged-once', { client: 'alice', after: 'gone' }, [
    ['for what it took in a wait that had begun while it may still take some', taken(35, waited(3_400, 4_600)), 'inconclusive', 'kept from the processor when the client left'],
    ['for what it took though it was fed', taken(35, { runDelayMs: () => 0 }), 'violated', 'alice was charged 35'],
    ['for what it took, and then it waited', taken(35, waited(4_000, 4_600)), 'violated', 'alice was charged 35'],
  ]);
});

/** Counts from 1.1 s, is due at 4.1 s, and with the margin at 4.35 s. */
describe('a bound', () => {
  const stays = (atMs: number): Partial<Knobs> => ({ ...letGo(atMs), goneMs: null, toldMs: atMs });
  table('bounded-wait', { bound: 'lifetime', client: 'alice' }, [
    ['late by a wait that was not over with it', tell(stays(4_710), waited(4_000, 4_700)), 'inconclusive', 'which is too soon to say'],
    ['late, and a wait of the same length began later', tell(stays(5_310), waited(4_600, 5_300)), 'violated', 'alice was told only 1.2 s after'],
    ['set late, by a wait that was not over when it began to count', tell(stays(4_800), waited(1_050, 1_750)), 'inconclusive', 'which is too soon to say'],
    ['late, and a wait was over long before', tell(stays(4_800), waited(1_900, 2_300)), 'violated', 'alice was told only 700 ms after'],
  ]);
});

describe('a follow-up', () => {
  const MARK = 'hx.bob.1.00000002';
  const served = (endedMs: number, changes: Partial<Knobs>) =>
    tell(changes, {
      extra: [
        at(3_990, 'harness', { type: 'exchange-planned', marker: MARK, client: 'bob', account: 'other', upstream: 'model', request: 'chat', purpose: 'drive' }),
        at(4_000, 'client.bob', { type: 'request-written', connection: 1, marker: MARK, bytes: 1 }),
        at(endedMs, 'client.bob', { type: 'response-ended', marker: MARK, how: 'complete', endMark: true, errorEvent: null, bytes: 9, events: 1, foreignMarkers: [] }),
      ],
    });
  table('follow-up-served', { client: 'bob', after: 'gone', within: 1_000 }, [
    ['late by a wait that was not over with the limit', served(5_910, waited(5_100, 5_900)), 'inconclusive', 'too soon to say'],
    ['late, and a wait of the same length began later', served(6_410, waited(5_600, 6_400)), 'violated', 'bob was served only after 2.4 s'],
  ]);
});

/** All has been watched at 8 s. What shows the wait comes after that, and excuses all the same. */
describe('the end of the watch', () => {
  const whole: Partial<Knobs> = {
    goneMs: null, closedMs: null, ownsUntilMs: null, servesUntilMs: null, upstreamEnd: { atMs: 7_000, how: 'complete', by: 'script', usage: 5 },
  };
  table('stream-complete', { client: 'alice' }, [
    ['told nothing, by one that waits', tell(whole, waited(7_100, 8_300)), 'inconclusive', 'alice was told nothing in 1.0 s since the upstream exchange was over, but system or watchers were held up for 1.2 s'],
    ['told nothing, by one that began to wait long after', tell(whole, waited(7_600, 8_300)), 'violated', 'alice was told nothing in 1.0 s'],
  ]);
  const silent = (changes: Pick<Crowd, 'runDelayMs'>) => ({ entries: crowd({ bob: { readsUntilMs: 7_010 }, ...changes }), facts: CROWD });
  table('siblings-untouched', { clients: ['bob'] }, [
    ['nothing more comes from one that waits', silent(waited(7_100, 8_300)), 'inconclusive', 'system or watchers were held up for 1.2 s of that'],
    ['nothing more comes from one that began to wait later', silent(waited(7_450, 8_300)), 'violated', 'bob receives nothing more'],
  ]);
  table('nothing-reserved', { client: 'alice' }, [
    ['held by one that waits', tell(LEAK, waited(6_900, 8_300)), 'inconclusive', 'the system waited 1.4 s for a processor'],
    ['held by one that began to wait just now', tell(LEAK, waited(7_700, 8_300)), 'violated', '100 reserved'],
    ['held by one that waited since the leave', tell(LEAK, { runDelayMs: (ms) => Math.max(0, ms - 3_000) }), 'inconclusive', 'the system waited 1.5 s for a processor'],
    ['less than before, by one that waits', tell(waited(6_900, 8_300), { ledger: (value, ms) => (ms > 5_000 ? { ...value, accounts: value.accounts.map((each) => ({ ...each, reserved: -3 })) } : value) }), 'violated', 'has -3 reserved'],
  ]);
  table('charged-once', { client: 'alice', after: 'gone' }, [
    ['nothing charged by one that waits', tell(LEAK, waited(6_900, 8_300)), 'inconclusive', 'the system waited 1.4 s for a processor'],
    ['nothing charged by one that waited long ago', tell(LEAK, waited(3_010, 4_500)), 'violated', 'nothing was charged'],
    ['too little charged is no matter of time', tell({ charges: [{ atMs: 3_020, amount: 2 }] }, waited(6_900, 8_300)), 'violated', 'alice was charged 2'],
  ]);
  table('refundable', { client: 'alice' }, [
    ['refused by one that had waited', tell(LEAK, waited(6_900, 8_000)), 'inconclusive', 'the system waited 1.1 s for a processor'],
    ['refused, and nothing was held', tell({ refund: 'refused' }, waited(6_900, 8_000)), 'violated', 'account acc had 0 reserved'],
  ]);
});

describe('a step of a script', () => {
  const missed = (changes: Partial<Knobs>, outcome: 'not-seen' | 'failed' = 'not-seen') =>
    tell({ runDelayMs: () => 0 }, changes, {
      extra: [
        ...(changes.extra ?? []),
        at(4_000, 'harness', { type: 'step', client: 'alice', index: 0, step: 'receive', edge: 'begin' }),
        at(5_000, 'harness', { type: 'step', client: 'alice', index: 0, step: 'receive', edge: 'end', outcome, reason: 'nothing came' }),
      ],
    });
  const signal = (atMs: number, name: string): Entry => at(atMs, 'harness', { type: 'signal-sent', process: 'router', signal: name, purpose: 'fault' });
  const killed = [signal(4_500, 'SIGKILL'), at(4_510, 'system', { type: 'process-exited', process: 'router', code: null, signal: 'SIGKILL' })];
  table('script-done', { client: 'alice' }, [
    ['ran out, and nobody was kept from anything', missed({}), 'violated', 'nothing came'],
    ['ran out while the system waited, and longer', missed(waited(4_500, 5_400)), 'inconclusive', 'the system waited 900 ms for a processor meanwhile'],
    ['ran out while the system waited as long as measuring may take', missed(waited(4_500, 4_750)), 'violated', 'nothing came'],
    ['ran out before the system waited', missed(waited(5_300, 6_000)), 'violated', 'nothing came'],
    ['ran out while the system stood still', missed({ extra: [signal(4_500, 'SIGSTOP')] }), 'inconclusive', 'a fault had stopped the system at 4.5 s'],
    ['ran out before the system stood still', missed({ extra: [signal(5_001, 'SIGSTOP')] }), 'violated', 'nothing came'],
    ['ran out when the system had been killed', missed({ extra: killed }), 'inconclusive', 'a fault had ended router by SIGKILL meanwhile'],
    ['failed when the system had been killed', missed({ extra: killed }, 'failed'), 'inconclusive', 'a fault had ended router by SIGKILL meanwhile'],
    ['failed while the system stood still', missed({ extra: [signal(4_500, 'SIGSTOP')] }, 'failed'), 'violated', 'nothing came'],
  ]);
});
