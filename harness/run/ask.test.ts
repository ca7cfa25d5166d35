// The last questions: who is still there, when an exchange is over, and in which order things are asked.
import { describe, expect, test } from 'vitest';
import { createLiveTimeline } from '../model/live.ts';
import { cellWith, METERED } from '../systems/fixture.ts';
import { ask, isOver, liveMarkers } from './ask.ts';
import { noteLedger, notesOf, row, testRun } from './fixture.ts';

const LEAVES = [{ mark: 'gone', client: 'alice', how: 'kill' }];
const plan = (
  timeline: ReturnType<typeof createLiveTimeline>,
  client: string,
  marker: string,
  account = 'acct',
  purpose: 'drive' | 'prepare' = 'drive',
) => timeline.note({ type: 'exchange-planned', marker, client, account, upstream: 'model', request: 'chat', purpose });
const ended = (timeline: ReturnType<typeof createLiveTimeline>, marker: string) =>
  timeline.note(
    { type: 'response-ended', marker, how: 'complete', endMark: true, errorEvent: null, bytes: 1, events: 1, foreignMarkers: [] },
    'client.bob',
  );

describe('who is still there', () => {
  test('exchanges of the script, on these accounts, whose client has not left and whose answer has not ended', () => {
    const timeline = createLiveTimeline(() => {});
    plan(timeline, 'bob', 'prepared', 'acct', 'prepare');
    plan(timeline, 'alice', 'left-by-mark');
    plan(timeline, 'bob', 'ended');
    plan(timeline, 'bob', 'open');
    plan(timeline, 'carol', 'left-by-fact');
    plan(timeline, 'dave', 'other', 'other-account');
    ended(timeline, 'ended');
    timeline.note({ type: 'mark', mark: 'gone', client: 'alice' });
    timeline.note(
      { type: 'left', how: 'fin', wire: 'fin', marker: 'left-by-fact', unreadBytes: 0, socket: { before: '', after: '' } },
      'client.carol',
    );
    expect(liveMarkers(timeline.observations, LEAVES, new Set(['acct']))).toEqual(['open']);
  });

  test('a leave whose mark has not come is none', () => {
    const timeline = createLiveTimeline(() => {});
    plan(timeline, 'alice', 'open');
    expect(liveMarkers(timeline.observations, LEAVES, new Set(['acct']))).toEqual(['open']);
  });
});

describe('when an exchange is over', () => {
  test('without a ledger: when it has ended', () => {
    const timeline = createLiveTimeline(() => {});
    expect(isOver(timeline.observations, 'm', false)).toBeUndefined();
    ended(timeline, 'm');
    expect(isOver(timeline.observations, 'm', false)).toBe(true);
  });

  test('with one: when a sample that was begun after the end shows nothing live of it', () => {
    const timeline = createLiveTimeline(() => {});
    noteLedger(timeline);
    expect(isOver(timeline.observations, 'm', true)).toBeUndefined();
    ended(timeline, 'm');
    expect(isOver(timeline.observations, 'm', true)).toBeUndefined();
    noteLedger(timeline, row('m', false), row('other', false));
    expect(isOver(timeline.observations, 'm', true)).toBeUndefined();
    noteLedger(timeline, row('m', true), row('other', false));
    expect(isOver(timeline.observations, 'm', true)).toBe(true);
  });

  test('a sample that was begun before the end says nothing', () => {
    const timeline = createLiveTimeline(() => {});
    ended(timeline, 'm');
    const value = { accounts: [], reservations: [], consistent: true, wallMs: 0 };
    timeline.note({ type: 'sample', probe: 'ledger', tookMs: 60_000, value }, 'probe.ledger');
    expect(isOver(timeline.observations, 'm', true)).toBeUndefined();
  });
});

const REFUND = {
  ...METERED,
  periods: 'periods: { renewal: 5ms, lease: 20ms, sweep: 10ms }',
  refund: 'refund: { request: { method: POST, path: /refund }, accepted: { status: [200] }, refused: { status: [400] } }',
};
const BOTH = {
  clients:
    'clients: { alice: { account: { balance: 10 }, script: [ request: chat, { disconnect: fin, mark: gone } ] }, ' +
    'bob: { account: { same-as: alice }, script: [ request: chat ] } }',
  expect: 'expect: [ refundable: { client: alice } ]',
};

test('siblings are let finish before the refund is asked for, what leaked upstream after it', async () => {
  const cell = cellWith(BOTH, REFUND);
  const run = testRun({
    cell,
    answer: (_, command) => {
      if (command.do === 'finish' && command.marker === 'bobs') {
        ended(run.timeline, 'bobs');
        noteLedger(run.timeline, row('bobs', true));
      }
      return command.do === 'http' ? { status: 400, headers: {}, body: 'not yet' } : {};
    },
  });
  plan(run.timeline, 'alice', 'alices', 'alice');
  plan(run.timeline, 'bob', 'bobs', 'alice');
  run.timeline.note({ type: 'mark', mark: 'gone', client: 'alice' });
  await ask(run);
  expect(run.sent.map(({ command }) => [command.do, command.marker])).toEqual([
    ['finish', 'bobs'],
    ['http', undefined],
    ['finish', undefined],
  ]);
  expect(run.sent[1]!.command).toMatchObject({ method: 'POST', url: '/refund', headers: { authorization: 'Bearer sk-alice-key' } });
  expect(notesOf(run, 'refund')).toMatchObject([{ account: 'alice', attempt: 1, status: 400, verdict: 'refused' }]);
});

test('where nobody asks for a refund nothing is asked; upstreams come to their end all the same', async () => {
  const run = testRun({ cell: cellWith({ expect: 'expect: [ process-alive ]' }, REFUND) });
  await ask(run);
  expect(run.sent.map(({ command }) => command.do)).toEqual(['finish']);
});

test('no answer is an answer of its own, and an upstream that cannot finish keeps nobody from asking', async () => {
  const run = testRun({
    cell: cellWith(BOTH, REFUND),
    answer: () => {
      throw new Error('gone away');
    },
  });
  await ask(run);
  expect(notesOf(run, 'refund')).toMatchObject([{ status: null, answer: expect.stringContaining('gone away'), verdict: 'unexpected' }]);
});
