// Every wait of `await`, on a live timeline that grows as a run's does.
import { describe, expect, it } from 'vitest';
import type { Options } from '../model/fields.ts';
import { createLiveTimeline } from '../model/live.ts';
import type { LiveTimeline } from '../model/live.ts';
import type { LedgerValue, Reservation } from '../model/samples.ts';
import { steps } from './registry.ts';
import { createContext } from './step-kit.ts';
import type { StepContext, StepResult } from './step.ts';
import { MARKER } from './test-kit.ts';

const row = (over: Partial<Reservation> = {}): Reservation => ({
  id: 'r1',
  account: 'account-1',
  payer: 'account-1',
  amount: 10,
  state: 'active',
  terminal: false,
  leaseAtMs: 1_000,
  marker: MARKER,
  ...over,
});

const sample = (timeline: LiveTimeline, ...reservations: readonly Reservation[]): void => {
  const value: LedgerValue = { accounts: [], reservations, consistent: true, wallMs: 0 };
  timeline.note({ type: 'sample', probe: 'ledger', tookMs: 0, value }, 'probe.ledger');
};

const plan = (timeline: LiveTimeline, client = 'alice', marker = MARKER): unknown =>
  timeline.note({
    type: 'exchange-planned',
    marker,
    client,
    account: 'account-1',
    upstream: 'model',
    request: 'chat',
    purpose: 'drive',
  });

const request = (timeline: LiveTimeline): unknown =>
  timeline.note(
    {
      type: 'request-received',
      connection: 1,
      exchange: 7,
      marker: MARKER,
      method: 'POST',
      path: '/',
      bodyBytes: 2,
      behaviour: 'flood',
    },
    'upstream.model',
  );

const perform = (timeline: LiveTimeline, options: Options, over: Partial<StepContext> = {}): Promise<StepResult> =>
  steps.get('await')!.perform!(createContext(timeline, { mark: 'awaited', ...over }), { within: 5_000, ...options });

/** A run in which alice's exchange is planned. */
const timelineOf = (): LiveTimeline => {
  const timeline = createLiveTimeline(() => {});
  plan(timeline);
  return timeline;
};

describe('await', () => {
  it('renewals: counts how often the lease moved forward, and marks when it is over', async () => {
    const timeline = timelineOf();
    sample(timeline, row(), row({ id: 'other', marker: 'hx.bob.1.00000000', leaseAtMs: 1 }));
    const waiting = perform(timeline, { renewals: 2 });
    sample(timeline, row({ leaseAtMs: 2_000 }), row({ id: 'other', marker: 'hx.bob.1.00000000', leaseAtMs: 5 }));
    sample(timeline, row({ leaseAtMs: 2_000 }));
    expect(timeline.seal().mark('awaited')).toBeUndefined();
    sample(timeline, row({ leaseAtMs: 3_000 }));
    expect(await waiting).toEqual({ outcome: 'done' });
    expect(timeline.seal().mark('awaited')).toMatchObject({ client: 'alice' });
  });

  it('renewals: a lease that moves back, or at the end of the reservation, is none', async () => {
    const timeline = timelineOf();
    for (const each of [row(), row({ leaseAtMs: 500 }), row({ leaseAtMs: 9_000, terminal: true, state: 'released' })])
      sample(timeline, each);
    expect(await perform(timeline, { renewals: 1, within: 50 })).toEqual({
      outcome: 'not-seen',
      reason: "a renewal of the reservation's lease was not seen within 50 ms: 0 were seen",
    });
    expect(timeline.seal().mark('awaited')).toBeDefined();
    expect(await perform(timelineOf(), { renewals: 1, within: 20 })).toMatchObject({
      reason: expect.stringContaining('the ledger was never read'),
    });
  });

  it('renewals: without markers it is the row that came while only this exchange of the account was open', async () => {
    const bare = (id: string, leaseAtMs: number): Reservation => {
      const { marker: _, ...rest } = row({ id, leaseAtMs });
      return rest;
    };
    const timeline = createLiveTimeline(() => {});
    sample(timeline, bare('old', 1));
    plan(timeline);
    sample(timeline, bare('old', 2), bare('mine', 1));
    sample(timeline, bare('old', 3), bare('mine', 2));
    expect(await perform(timeline, { renewals: 1 })).toEqual({ outcome: 'done' });
    expect(await perform(timeline, { renewals: 2, within: 20 })).toMatchObject({ outcome: 'not-seen' });

    const shared = createLiveTimeline(() => {});
    sample(shared);
    plan(shared);
    plan(shared, 'bob', 'hx.bob.1.00000000');
    for (const leaseAtMs of [1, 2, 3]) sample(shared, bare('whose', leaseAtMs));
    expect(await perform(shared, { renewals: 1, within: 20 })).toMatchObject({
      reason: expect.stringContaining('no reservation of this exchange was seen'),
    });
  });

  it('upstream-request and ended: what the upstream says of this marker', async () => {
    const timeline = timelineOf();
    expect(await perform(timeline, { 'upstream-request': true, within: 20 })).toMatchObject({ outcome: 'not-seen' });
    request(timeline);
    expect(await perform(timeline, { 'upstream-request': true })).toEqual({ outcome: 'done' });
    expect(await perform(timeline, { ended: true, within: 20 })).toMatchObject({
      reason: expect.stringContaining('it was still being written'),
    });
    timeline.note(
      { type: 'answer-ended', exchange: 7, marker: MARKER, how: 'cut', by: 'fault', bytes: 1, events: 0, usage: null },
      'upstream.model',
    );
    expect(await perform(timeline, { ended: true })).toEqual({ outcome: 'done' });
  });

  it('blocked: needs the pause, and a block that stays', async () => {
    const timeline = timelineOf();
    const upstream = (type: 'write-blocked' | 'write-drained'): unknown =>
      timeline.note(type === 'write-blocked' ? { type, exchange: 7, queuedBytes: 1 } : { type, exchange: 7 }, 'upstream.model');
    request(timeline);
    upstream('write-blocked');
    expect(await perform(timeline, { blocked: true, within: 300 })).toMatchObject({
      reason: expect.stringContaining('the client is not paused'),
    });
    timeline.note({ type: 'paused', marker: MARKER, unreadBytes: 0 }, 'client.alice');
    const flicker = setInterval(() => {
      upstream('write-drained');
      upstream('write-blocked');
      upstream('write-drained');
    }, 40);
    expect(await perform(timeline, { blocked: true, within: 500 })).toMatchObject({
      reason: expect.stringContaining('the upstream could still write'),
    });
    clearInterval(flicker);
    upstream('write-blocked');
    expect(await perform(timeline, { blocked: true })).toEqual({ outcome: 'done' });
  });

  it('terminal and swept: every row, as of the latest sample', async () => {
    const timeline = timelineOf();
    sample(timeline, row());
    expect(await perform(timeline, { terminal: true, within: 20 })).toMatchObject({
      reason: expect.stringContaining('r1 active'),
    });
    sample(timeline, row({ state: 'charged', terminal: true }));
    expect(await perform(timeline, { terminal: true })).toEqual({ outcome: 'done' });
    expect(await perform(timeline, { swept: true, within: 20 })).toMatchObject({
      outcome: 'not-seen',
      reason: expect.stringContaining('nothing that was added'),
    });
    timeline.note({ type: 'ledger-rows', reservations: ['a1', 'a2'], account: 'account-1' });
    sample(timeline, row({ id: 'a1', state: 'released', terminal: true }), row({ id: 'a2' }));
    expect(await perform(timeline, { swept: true, within: 20 })).toMatchObject({
      reason: expect.stringContaining('a1 released, a2 active'),
    });
    sample(timeline, row({ id: 'a1', state: 'released', terminal: true }));
    expect(await perform(timeline, { swept: true })).toEqual({ outcome: 'done' });
  });

  it('swept: a total without a row, as of a sample that was begun after it was written', async () => {
    const timeline = timelineOf();
    const look = (reserved: number, ...reservations: readonly Reservation[]): void => {
      const value: LedgerValue = { accounts: [{ id: 'account-1', balance: 0, reserved, spent: 0 }], reservations, consistent: true, wallMs: 0 };
      timeline.note({ type: 'sample', probe: 'ledger', tookMs: 0, value }, 'probe.ledger');
    };
    look(10, row());
    timeline.note({ type: 'ledger-aggregate', account: 'account-1', amount: 25, reservedAtMs: null });
    timeline.note({ type: 'ledger-rows', reservations: ['a1'], account: 'account-1', aggregate: false });
    expect(await perform(timeline, { swept: true, within: 20 })).toMatchObject({ reason: expect.stringContaining('nothing that was added') });
    look(35, row(), row({ id: 'a1', state: 'released', terminal: true }));
    expect(await perform(timeline, { swept: true, within: 20 })).toMatchObject({
      reason: expect.stringContaining('a1 released, the total 25 beside its rows'),
    });
    const waiting = perform(timeline, { swept: true });
    look(10, row());
    expect(await waiting).toEqual({ outcome: 'done' });
  });

  it('mark: of anybody, also before a request of its own; its own mark is set when the wait is over', async () => {
    const timeline = createLiveTimeline(() => {});
    const marker = (): null => null;
    expect(await perform(timeline, { mark: 'unlocked', within: 20 }, { marker, mark: 'first' })).toEqual({
      outcome: 'not-seen',
      reason: 'the mark unlocked was not seen within 20 ms: no mark was set',
    });
    const waiting = perform(timeline, { mark: 'unlocked' }, { marker });
    timeline.note({ type: 'mark', mark: 'gone', client: 'bob' });
    expect(timeline.seal().mark('awaited')).toBeUndefined();
    timeline.note({ type: 'mark', mark: 'unlocked', client: null });
    expect(await waiting).toEqual({ outcome: 'done' });
    expect(timeline.seal().mark('awaited')).toMatchObject({ client: 'alice' });
    expect(await perform(timeline, { mark: 'unlocked' }, { marker, mark: 'again' })).toEqual({ outcome: 'done' });
    expect(await perform(timeline, { mark: 'later', within: 20 }, { marker, mark: 'last' })).toMatchObject({
      reason: 'the mark later was not seen within 20 ms: set were first, gone, unlocked, awaited, again',
    });
  });

  it('log: asks for the pattern, and says when no line matched', async () => {
    const lines = ['settled 3'];
    const awaitLog = (pattern: string): Promise<boolean> => Promise.resolve(lines.some((line) => new RegExp(pattern).test(line)));
    expect(await perform(timelineOf(), { log: 'settled \\d' }, { awaitLog })).toEqual({ outcome: 'done' });
    expect(await perform(timelineOf(), { log: 'swept', within: 20 }, { awaitLog })).toMatchObject({
      outcome: 'not-seen',
      reason: expect.stringContaining('a log line like swept'),
    });
  });

  it('refuses none, two, and a client that has not asked for anything', async () => {
    expect(await perform(timelineOf(), {})).toMatchObject({ outcome: 'failed' });
    expect(await perform(timelineOf(), { blocked: true, terminal: true })).toMatchObject({ outcome: 'failed' });
    expect(await perform(timelineOf(), { blocked: true }, { marker: () => null })).toMatchObject({
      outcome: 'failed',
      reason: 'alice has not sent a request yet',
    });
  });

  it('ends when the run is interrupted', async () => {
    const stop = new AbortController();
    const waiting = perform(timelineOf(), { terminal: true, within: 60_000 }, { signal: stop.signal });
    stop.abort();
    expect(await waiting).toMatchObject({ outcome: 'not-seen' });
  });
});
