// Whether a script came to its end, and what is said where it did not.
import { describe } from 'vitest';
import type { FactOf } from '../model/observation.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

type Ended = Extract<FactOf<'step'>, { edge: 'end' }>['outcome'];

/** One step a second from 1 s on; null: it never ended. */
const script = (client: string, ...outcomes: readonly (Ended | null)[]): readonly Entry[] =>
  outcomes.flatMap((outcome, index): readonly Entry[] => [
    at(1_000 + 100 * index, 'harness', { type: 'step', client, index, step: 'wait', edge: 'begin' }),
    ...(outcome === null
      ? []
      : [at(1_050 + 100 * index, 'harness', { type: 'step', client, index, step: 'wait', edge: 'end', outcome, reason: outcome === 'done' ? null : 'nothing came' })]),
  ]);
const told = (...scripts: readonly (readonly Entry[])[]) => ({ entries: story({ runDelayMs: () => 0, extra: scripts.flat() }) });
/** As much while alice's second step was under way, which is 1.1 to 1.15 s; the margin is 250 ms. */
const lagged = (lagMs: number, process = 'clients', atMs = 1_120): readonly Entry[] => [at(atMs, process, { type: 'scheduling-lag', process, lagMs })];
const failed = (process: string): readonly Entry[] => [at(1_120, 'stage', { type: 'actor-failed', process, error: 'gone' })];
const MISSED = script('alice', 'done', 'not-seen');
const ALICE = { client: 'alice' };

describe('script-done', () => {
  table('script-done', ALICE, [
    ['each step done', told(script('alice', 'done', 'done')), 'held', '2 steps of alice done by 1.1 s'],
    ['of everybody', { ...told(script('alice', 'done'), script('bob', 'done')), options: { client: undefined } }, 'held', '2 steps of alice, bob done by 1.1 s'],
    ['a wait that ran out', told(script('alice', 'not-seen', 'done')), 'violated', "alice's step 1 (wait) was not done at 1.1 s: nothing came"],
    ['a step that failed', told(script('alice', 'done', 'failed')), 'violated', "alice's step 2 (wait)"],
    ["another's failure, where nobody was named", { ...told(script('alice', 'done'), script('bob', 'failed')), options: { client: undefined } }, 'violated', "bob's step 1"],
    ["another's failure", told(script('alice', 'done'), script('bob', 'failed')), 'held', '1 step of alice'],
    ['a wait that ran out while a client lagged', told(MISSED, lagged(251)), 'inconclusive', 'clients lagged 251 ms at 1.1 s, the margin is 250 ms'],
    ['a wait that ran out while the harness lagged', told(MISSED, lagged(400, 'harness')), 'inconclusive', 'harness lagged 400 ms'],
    ['a wait that ran out while somebody lagged less than the margin', told(MISSED, lagged(250)), 'violated', "alice's step 2 (wait) was not done"],
    ['a wait that ran out long before somebody lagged', told(MISSED, lagged(400, 'clients', 5_000)), 'violated', "alice's step 2 (wait) was not done"],
    ['a step that failed while somebody lagged', told(script('alice', 'done', 'failed'), lagged(400)), 'violated', "alice's step 2 (wait)"],
    ['each step done while somebody lagged', told(script('alice', 'done', 'done'), lagged(400)), 'held', '2 steps of alice'],
    ['a wait that ran out after the upstreams had failed', told(MISSED, failed('upstreams')), 'inconclusive', 'the watching process upstreams failed'],
    ['a step that has not ended', told(script('alice', 'done', null)), 'inconclusive', "alice's step wait had not ended by then"],
    ['no script', told(), 'inconclusive', 'no step was begun'],
  ]);
});
