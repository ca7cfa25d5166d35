// What settling waits for, at a moment of a run: the first thing that is still open, or nothing.
import { describe, expect, test } from 'vitest';
import { crowd, CROWD, LEFT } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { FACTS } from './fixtures/facts.ts';
import { LEAK } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { sockets } from './fixtures/tiny.ts';
import { at, timelineOf, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';
import type { Facts } from '../model/facts.ts';
import type { Options } from '../model/fields.ts';
import { expectations } from './registry.ts';

const waits = (kind: string, ms: number, entries: readonly Entry[], options: Options, facts: Partial<Facts> = {}): string | null =>
  expectations.get(kind)!.pending!({ timeline: timelineOf(...without(entries, ({ atMs }) => atMs > ms)), facts: { ...FACTS, ...facts }, options });
const stays: Partial<Knobs> = { ...LEAK, goneMs: null, servesUntilMs: null };

describe.each(['stream-complete', 'stream-truncated-visibly', 'stream-whole-or-told'])('%s', (kind) => {
  test('the end of the answer', () => {
    const options = kind === 'stream-whole-or-told' ? {} : { client: 'alice' };
    expect(waits(kind, 3_000, story({ ...stays, toldMs: 3_500 }), options)).toBe('the answer to alice has not ended');
    expect(waits(kind, 4_000, story({ ...stays, toldMs: 3_500 }), options)).toBeNull();
    expect(waits(kind, 4_000, story(), options)).toBeNull();
  });
});

describe('upstream-closed', () => {
  const options = { upstream: 'model', after: 'gone', within: 2_000 };
  const both: Partial<Facts> = { ...CROWD, leaves: [...CROWD.leaves, { mark: 'gone', client: 'bob', how: 'fin' }] };
  const leaving = (bob: Crowd['bob']): readonly Entry[] => crowd({
    bob: { ...LEFT, ...bob },
    extra: [at(1_105, 'upstream.model', { type: 'connection-opened', connection: 3, local: 'u:3', peer: 's:3' }), sockets(2_900, { local: 's:3', remote: 'u:3' }), sockets(3_100)],
  });
  test('whoever is not done', () => {
    expect(waits('upstream-closed', 4_000, leaving({ closedMs: null }), options, both)).toContain('upstream exchange 4 was open');
    expect(waits('upstream-closed', 5_900, leaving({ closedMs: null }), options, both)).toBeNull();
  });
  test('the request itself, by the name of the leave', () => {
    const unasked = without(story({ closedMs: null, headMs: null, eventsUntilMs: 0 }), ({ fact }) => fact.type === 'request-received');
    expect(waits('upstream-closed', 4_000, unasked, options)).toBe("upstream model never got alice's request: nothing was open at alice's FIN");
  });
});

describe('charged-once', () => {
  test('a charge, where one can be found', () => {
    const free = story({ charges: [] });
    expect(waits('charged-once', 4_000, free, { client: 'alice', after: 'gone' })).toBe("no charge of alice's exchange was seen yet");
    expect(waits('charged-once', 450, free, { client: 'alice', after: 'gone' })).toBeNull();
  });
});
