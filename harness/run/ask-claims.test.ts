// What each claim makes the last questions ask: of whom, how often, who is let finish first, and how long is waited.
import { expect, test } from 'vitest';
import { cellWith, METERED } from '../systems/fixture.ts';
import { ask } from './ask.ts';
import { noteLedger, notesOf, row, testRun } from './fixture.ts';
import type { TestRun, TestRunOptions } from './fixture.ts';

const CARD = {
  ...METERED,
  periods: 'periods: { renewal: 5ms, lease: 20ms, sweep: 10ms }',
  refund: 'refund: { request: { method: POST, path: /refund }, accepted: { status: [200] }, refused: { status: [400] } }',
};
const CLIENTS =
  'clients: { alice: { account: { balance: 10 }, script: [ request: chat ] }, bob: { account: { same-as: alice }, script: [ request: chat ] } }';

/** Both have asked; whoever is let finish ends and is settled at once. */
const asked = (claims: string, answer?: TestRunOptions['answer']): TestRun => {
  const run: TestRun = testRun({
    cell: cellWith({ clients: CLIENTS, expect: `expect: [ ${claims} ]` }, CARD),
    answer: (to, command) => {
      if (command.do === 'finish' && typeof command.marker === 'string') {
        run.timeline.note({ type: 'response-ended', marker: command.marker, how: 'complete', endMark: true, errorEvent: null, bytes: 1, events: 1, foreignMarkers: [] });
        noteLedger(run.timeline, row(command.marker, true));
      }
      return answer?.(to, command) ?? (command.do === 'http' ? { status: 400, headers: {}, body: 'no' } : { count: 1 });
    },
  });
  for (const client of ['alice', 'bob']) {
    run.timeline.note({ type: 'exchange-planned', marker: `${client}s`, client, account: 'alice', upstream: 'model', request: 'chat', purpose: 'drive' });
  }
  return run;
};
const order = ({ sent }: TestRun) => sent.map(({ command }) => (command.do === 'finish' ? `finish ${String(command.marker ?? 'all')}` : String(command.do)));

test('whose exchange should be over is not helped to an end; its sibling is', async () => {
  const run = asked('refundable: { client: alice }');
  await ask(run);
  expect(order(run)).toEqual(['finish bobs', 'http', 'finish all']);
  expect(notesOf(run, 'let-finish')).toMatchObject([{ marker: 'bobs', count: 1 }, { marker: null, count: 1 }]);
});

test('what must not change is tried twice, once more than for the refund alone, and two sweeps are waited for', async () => {
  const run = asked('terminal-once: { client: alice }');
  await ask(run);
  expect(order(run)).toEqual(['finish bobs', 'http', 'http', 'finish all']);
  expect(notesOf(run, 'refund')).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  const finishMs = notesOf(run, 'let-finish').at(-1)!.atMs;
  expect(run.timeline.elapsedMs() - finishMs).toBeGreaterThanOrEqual(20);
  const both = asked('refundable: { client: alice }, terminal-once: { client: alice }');
  await ask(both);
  expect(order(both)).toEqual(['finish bobs', 'http', 'http', 'finish all']);
});

test('where that is not claimed no sweep is waited for', async () => {
  const run = asked('refundable: { client: alice }');
  const slow = { ...run, facts: { ...run.facts, periods: { renewalMs: 1, leaseMs: 60_000, sweepMs: 60_000 } } };
  await ask(slow);
  expect(order(run)).toContain('finish all');
});

test('what must be refused is asked first, and life is awaited before anything is ended', async () => {
  const run: TestRun = asked('refund-refused: { client: alice }, refundable: { client: alice }', (_, command) => {
    if (command.do !== 'http') return undefined;
    setTimeout(() => {
      noteLedger(run.timeline, row('alices', false));
      run.timeline.note({ type: 'received', marker: 'alices', bytes: 2, events: 2, comments: 0 }, 'client.alice');
    }, 30);
    return { status: 400, headers: {}, body: 'no' };
  });
  await ask(run);
  expect(order(run)).toEqual(['http', 'finish alices', 'finish bobs', 'http', 'finish all']);
  const [refused] = notesOf(run, 'refund');
  const life = notesOf(run, 'received')[0]!;
  const finish = notesOf(run, 'let-finish')[0]!;
  expect(refused!.atMs).toBeLessThan(life.atMs);
  expect(life.atMs).toBeLessThanOrEqual(finish.atMs);
});

test('a repeat that is open though its first attempt has ended is let finish', async () => {
  const run = asked('refundable: { client: alice }');
  run.timeline.note({ type: 'response-ended', marker: 'bobs', how: 'truncated', endMark: false, errorEvent: null, bytes: 1, events: 1, foreignMarkers: [] });
  await new Promise((resolve) => setImmediate(resolve));
  run.timeline.note({ type: 'exchange-planned', marker: 'bobs', client: 'bob', account: 'alice', upstream: 'model', request: 'chat', purpose: 'drive', repeat: true });
  await ask(run);
  expect(order(run)).toEqual(['finish bobs', 'http', 'finish all']);
});

test('an exchange that has ended, and no repeat of it, is left alone', async () => {
  const run = asked('refundable: { client: alice }');
  await new Promise((resolve) => setImmediate(resolve));
  run.timeline.note({ type: 'response-ended', marker: 'bobs', how: 'truncated', endMark: false, errorEvent: null, bytes: 1, events: 1, foreignMarkers: [] });
  await ask(run);
  expect(order(run)).toEqual(['http', 'finish all']);
});
