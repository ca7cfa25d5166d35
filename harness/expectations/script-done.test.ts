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
const ALICE = { client: 'alice' };

describe('script-done', () => {
  table('script-done', ALICE, [
    ['each step done', told(script('alice', 'done', 'done')), 'held', '2 steps of alice done by 1.1 s'],
    ['of everybody', { ...told(script('alice', 'done'), script('bob', 'done')), options: { client: undefined } }, 'held', '2 steps of alice, bob done by 1.1 s'],
    ['a wait that ran out', told(script('alice', 'not-seen', 'done')), 'violated', "alice's step 1 (wait) was not done at 1.1 s: nothing came"],
    ['a step that failed', told(script('alice', 'done', 'failed')), 'violated', "alice's step 2 (wait)"],
    ["another's failure, where nobody was named", { ...told(script('alice', 'done'), script('bob', 'failed')), options: { client: undefined } }, 'violated', "bob's step 1"],
    ["another's failure", told(script('alice', 'done'), script('bob', 'failed')), 'held', '1 step of alice'],
    ['a step that has not ended', told(script('alice', 'done', null)), 'inconclusive', "alice's step wait had not ended by then"],
    ['no script', told(), 'inconclusive', 'no step was begun'],
  ]);
});
