// Systems whose card says that they serve a half-closed client on, or drain the upstream for one that has
// left: what they rightly go on with is not held against them, and what they must end all the same is.
import { describe, expect, test } from 'vitest';
import { FACTS } from './fixtures/facts.ts';
import { verdictOf } from './fixtures/judging.ts';
import { LEAK } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { definition as chargedOnce } from './charged-once.ts';
import { timelineOf, without } from './fixtures/timeline.ts';
import type { Facts } from '../model/facts.ts';

const policy = (changes: Partial<Facts['policy']>) => ({ policy: { ...FACTS.policy, ...changes } });
const ALICE = { client: 'alice' };

describe('a client that half-closes and is served on', () => {
  const served = {
    ...policy({ halfClose: 'serve' }),
    leaves: [{ mark: 'gone', client: 'alice', how: 'half-close' }],
  } as const;
  const entries = story({ ...LEAK, how: 'half-close' });
  for (const kind of ['nothing-reserved', 'refundable', 'no-late-charge', 'charged-once']) {
    table(kind, ALICE, [
      [`${kind}: its money is rightly held`, { entries, facts: served }, 'does-not-apply', "alice leaves by half-close, which the card's policy serves on"],
      [`${kind}: where it is taken for a leave it is not`, { entries, facts: { leaves: served.leaves } }, kind === 'no-late-charge' ? 'inconclusive' : 'violated', ''],
    ]);
  }
  test('and so is that of another client of its account', () => {
    const facts = { ...served, clients: { ...FACTS.clients, bob: { account: 'acc', address: '127.0.0.11' } } };
    expect(verdictOf('nothing-reserved', { entries, facts, options: { client: 'bob' } }).outcome).toBe('does-not-apply');
    expect(verdictOf('nothing-reserved', { entries, facts: served, options: { client: 'bob' } }).outcome).toBe('inconclusive');
  });
  test('reads to the end, and pays for all of it', () => {
    const whole = story({
      how: 'half-close',
      closedMs: null,
      eventsUntilMs: 3_500,
      upstreamEnd: { atMs: 3_550, how: 'complete', by: 'script', usage: 24 },
      toldMs: 3_560,
      told: { how: 'complete', endMark: true },
      charges: [{ atMs: 3_570, amount: 24 }],
      terminalMs: 3_570,
    });
    const facts = { ...policy({ halfClose: 'serve' }), leaves: [] };
    expect(verdictOf('charged-once', { entries: whole, facts, options: ALICE })).toMatchObject({
      outcome: 'held',
      reason: "alice: 24 charged; the upstream's usage was 24",
    });
  });
});

describe('a system that drains', () => {
  const drains = (drain?: number, more: Partial<Facts> = {}) => ({
    ...policy({ onDisconnect: 'drain' }),
    bounds: drain === undefined ? {} : { drain },
    ...more,
  });
  const still: Partial<Knobs> = { ...LEAK };
  const ends = { upstream: 'model', client: 'alice', after: 'gone', within: 2_000 };
  for (const kind of ['upstream-closed', 'billing-terminal', 'renewal-stopped', 'nothing-reserved', 'refundable']) {
    table(kind, ends, [
      [
        `${kind}: need not have ended before its bound`,
        { entries: story(still), facts: drains(30_000) },
        'does-not-apply',
        "the card's policy drains: after alice's leave it may read on for 30.0 s",
      ],
      [`${kind}: nor where it has none`, { entries: story(still), facts: drains() }, 'does-not-apply', 'it may read on without a bound'],
    ]);
  }
  table('upstream-closed', ends, [
    ['must have closed when its bound is within the limit', { entries: story(still), facts: drains(2_000) }, 'violated', 'still open'],
  ]);
  table('nothing-reserved', ALICE, [
    ['must have settled when the watch is longer than its bound', { entries: story(still), facts: drains(3_000) }, 'violated', '100 reserved'],
    ['must have settled where its bound is what is tested', { entries: story(still), facts: drains(4_000, { tests: 'drain' }) }, 'violated', ''],
    ['applies where nobody left', { entries: story({ ...still, goneMs: null }), facts: drains(30_000, { leaves: [] }) }, 'violated', ''],
  ]);
  table('charged-once', { client: 'alice', after: 'gone' }, [
    ['may charge later than the watch', { entries: story(still), facts: drains(30_000) }, 'inconclusive', 'it may still be drained'],
    ['but not later than its bound', { entries: story(still), facts: drains(2_000) }, 'violated', 'its reservation is still held'],
  ]);
});

describe('settling waits for a charge', () => {
  const pendingAt = (ms: number, changes: Partial<Knobs> = {}) =>
    chargedOnce.pending!({
      timeline: timelineOf(...without(story(changes), ({ atMs }) => atMs > ms)),
      facts: FACTS,
      options: { client: 'alice', after: 'gone' },
    });
  test('that is booked a while after the end', () =>
    expect([3_500, 4_900].map((ms) => pendingAt(ms, { charges: [{ atMs: 4_800, amount: 18 }] }))).toEqual([
      "no charge of alice's exchange was seen yet",
      null,
    ]));
  test('but not while the money is still held', () => expect(pendingAt(4_000, LEAK)).toBeNull());
  test('but for none where nothing was delivered', () => expect(pendingAt(3_500, { charges: [], headMs: null, eventsUntilMs: 0 })).toBeNull());
  test('and leaves what it cannot find to others', () => expect(pendingAt(2_000)).toBeNull());
});
