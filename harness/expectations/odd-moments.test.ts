// Whose mark a moment is, why it was never set, and what ended an exchange first where several things did.
import { describe } from 'vitest';
import type { Fact } from '../model/observation.ts';
import { CROWD, crowd } from './fixtures/crowd.ts';
import type { Person } from './fixtures/crowd.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const options = { client: 'alice', after: 'gone', within: 2_000 };
const NO_LEAVE = { facts: { leaves: [] } };
const isMark = ({ fact }: Entry): boolean => fact.type === 'mark';
const unset = (extra: readonly Entry[]) => ({ entries: [...without(story(), isMark), ...extra], ...NO_LEAVE });
const step = (client: string, outcome: 'done' | 'not-seen' | 'failed', reason: string | null): Entry =>
  at(2_000, `client.${client}`, { type: 'step', client, index: 1, step: 'read', edge: 'end', outcome, reason } as Fact);
const mark = (atMs: number, client: string | null): Entry => at(atMs, client === null ? 'harness' : `client.${client}`, { type: 'mark', mark: 'gone', client });

describe('a mark that was never set', () => {
  table('billing-terminal', options, [
    ['names the step that failed', unset([step('alice', 'failed', 'no answer')]), 'inconclusive', 'mark gone was never set: step 2 of alice, read, failed: no answer'],
    ["and no other client's", unset([step('bob', 'failed', 'no answer')]), 'inconclusive', 'mark gone was never set', { whole: true }],
    ['nor one that was done', unset([step('alice', 'done', null)]), 'inconclusive', 'mark gone was never set', { whole: true }],
    [
      'nor one that had only begun',
      unset([at(2_000, 'client.alice', { type: 'step', client: 'alice', index: 1, step: 'read', edge: 'begin' })]),
      'inconclusive',
      'mark gone was never set',
      { whole: true },
    ],
  ]);
});

describe('a mark that several set', () => {
  const marks = (...set: readonly Entry[]) => ({ entries: [...without(story(), isMark), ...set], ...NO_LEAVE });
  table('billing-terminal', options, [
    ["is the client's own", marks(mark(2_500, 'bob'), mark(2_900, 'alice')), 'held', '160 ms after mark gone'],
    ["is the client's own, though it came first", marks(mark(2_500, 'alice'), mark(2_900, 'bob')), 'held', '560 ms after mark gone'],
    ["is the first of the others' where it set none", marks(mark(2_500, 'bob'), mark(2_900, null)), 'held', '560 ms after mark gone'],
  ]);
});

describe('what ended a sibling first', () => {
  const bob = (changes: Partial<Person>) => ({ entries: crowd({ bob: changes }), facts: CROWD });
  const cutByFault = crowd({ bob: { upstreamEndMs: 6_500 } }).map((entry) =>
    entry.fact.type === 'answer-ended' ? { ...entry, fact: { ...entry.fact, by: 'fault', how: 'cut' } as Fact } : entry,
  );
  const cutByPeer = crowd({ bob: { upstreamEndMs: 6_500, closedMs: 6_501 } }).map((entry) =>
    entry.fact.type === 'answer-ended' ? { ...entry, fact: { ...entry.fact, by: 'peer', how: 'aborted' } as Fact } : entry,
  );
  table('siblings-untouched', { clients: ['bob'] }, [
    ['its upstream, before the system closed', bob({ upstreamEndMs: 6_500, closedMs: 6_600 }), 'inconclusive', 'its upstream ended it (complete, by its own script)'],
    ['the system, before its upstream', bob({ closedMs: 6_500, upstreamEndMs: 6_600 }), 'violated', 'the system closed it at its upstream'],
    ['the system for its client, before its upstream', bob({ toldMs: 6_400, upstreamEndMs: 6_600 }), 'violated', 'the system ended it for bob (truncated)'],
    ['itself, before the system', bob({ leftMs: 6_400, closedMs: 6_600 }), 'inconclusive', 'bob left'],
    ['a fault at its upstream', { entries: cutByFault, facts: CROWD }, 'inconclusive', 'its upstream ended it (cut, by a fault)'],
    ['the system, though its upstream aborted in the same moment', { entries: cutByPeer, facts: CROWD }, 'violated', 'the system closed it at its upstream'],
  ]);
});
