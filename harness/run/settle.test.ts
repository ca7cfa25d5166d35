// Settling: as long as something is pending, never longer than the largest limit, and never after the end.
import { expect, test } from 'vitest';
import { atOnce } from '../model/turns.ts';
import { cellWith, METERED } from '../systems/fixture.ts';
import { notesOf, processNamed, testRun } from './fixture.ts';
import { pendingClaims, settle, settleLimitMs } from './settle.ts';

const CLOSED = 'upstream-closed: { upstream: model, client: alice, after: gone, within: 2s }';

test('the limit is the largest of the claims that apply, a bound that is waited for included', () => {
  const limitOf = (expectations: string, more = {}) => {
    const cell = cellWith({ expect: `expect: [ ${expectations} ]`, ...more });
    return settleLimitMs({ cell, facts: cell.facts });
  };
  const base = limitOf('process-alive');
  expect(limitOf(CLOSED)).toBe(base + 2_000);
  expect(limitOf(`${CLOSED}, billing-terminal: { client: alice, after: gone, within: 5s }`)).toBe(base + 5_000);
  expect(limitOf('process-alive', { faults: 'faults: [ { after: gone, signal: SIGTERM } ]' })).toBe(base + 10_000);
  // A claim that counts from a bound that is due waits for that too.
  const due = { tests: 'tests: read', expect: `expect: [ ${CLOSED.replace('after: gone', 'after: { bound: read }')} ]` };
  const tested = cellWith(due, { ...METERED, bounds: 'bounds: { read: 3s }' });
  expect(settleLimitMs({ cell: tested, facts: tested.facts })).toBe(base + 5_000);
  const without = cellWith({ expect: `expect: [ ${CLOSED}, billing-terminal: { client: alice, after: gone, within: 50s } ]` }, {});
  expect(settleLimitMs({ cell: without, facts: without.facts })).toBe(base + 2_000);
});

test('nothing pending: done at once, and that is on record', async () => {
  const run = testRun({ cell: cellWith({ expect: 'expect: [ process-alive ]' }) });
  expect(atOnce(pendingClaims(run))).toEqual([]);
  await settle(run);
  expect(notesOf(run, 'settled')).toMatchObject([{ pending: [] }]);
});

test('a claim of presence is waited for; a run that is interrupted says what for', async () => {
  const interrupt = new AbortController();
  const run = testRun({ cell: cellWith({ expect: `expect: [ ${CLOSED} ]` }), signal: interrupt.signal });
  run.timeline.note({
    type: 'exchange-planned',
    marker: 'm',
    client: 'alice',
    account: 'alice',
    upstream: 'model',
    request: 'chat',
    purpose: 'drive',
  });
  run.timeline.note(
    { type: 'request-received', connection: 1, exchange: 1, marker: 'm', method: 'POST', path: '/', bodyBytes: 1, behaviour: 'endless' },
    'upstream.model',
  );
  run.timeline.note({ type: 'mark', mark: 'gone', client: 'alice' });
  expect(atOnce(pendingClaims(run))).toEqual([expect.stringMatching(/^upstream-closed: /)]);
  const settling = settle(run);
  interrupt.abort();
  await settling;
  expect(notesOf(run, 'settled')).toMatchObject([{ pending: [expect.stringMatching(/^upstream-closed: /)] }]);
});

test('a system that has ended is not waited on', async () => {
  const proxy = processNamed('proxy', ['SIGKILL']);
  const cell = cellWith({ expect: `expect: [ ${CLOSED} ]`, faults: 'faults: [ { after: gone, signal: SIGTERM } ]' });
  const run = testRun({ cell, processes: [proxy] });
  const settling = settle(run);
  await proxy.signal('SIGKILL');
  await settling;
  expect(notesOf(run, 'settled')).toHaveLength(1);
});
