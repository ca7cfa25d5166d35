// From when each bound counts, fact by fact.
import { describe, expect, test } from 'vitest';
import { asked, closed, connected, finished, headed, left, planned, signal, sockets, tiny, written, wrote } from '../fixtures/tiny.ts';
import type { Entry } from '../fixtures/timeline.ts';
import type { BoundName } from '../../model/facts.ts';
import { isFinding } from './finding.ts';
import { originOf } from './origin.ts';

const BOUND_MS = 2_000;
type Case = readonly [name: string, entries: readonly Entry[], origin: string | number, ref?: string];

/** With a time: that it is the origin, shown by one fact. With words: why there is none. */
const from = (bound: BoundName, cases: readonly Case[]): void => {
  for (const [name, entries, wanted, ref] of cases)
    test(`${bound}: ${name}`, () => {
      const { view, exchange } = tiny([planned(0), ...entries]);
      const origin = originOf(view, bound, exchange, BOUND_MS);
      if (typeof wanted === 'string') expect(isFinding(origin) && origin).toMatchObject({ outcome: 'inconclusive', reason: `the ${bound} bound of alice's exchange has no origin: ${wanted}` });
      else expect(origin).toEqual({ atMs: wanted, evidence: [ref ?? expect.any(String)] });
    });
};

describe('the request', () => {
  for (const bound of ['header', 'lifetime', 'age'] as const)
    from(bound, [
      ['written', [written(10)], 10, 'client.alice#1'],
      ['never written', [], 'its request was never written'],
    ]);
});

/** Margin 250 ms: a silence between two of what came is one when it lasts longer than 2,250 ms. */
describe('the last sign of life', () => {
  from('progress', [
    ['no upstream', [], 'no upstream got it'],
    ['no head and no event', [asked(10)], 'the upstream wrote no head'],
    ['the head', [asked(10), headed(20), left(5_000)], 20, 'upstream.model#2'],
    ['an event that nothing came after', [asked(10), headed(20), wrote(100, 1), left(5_000)], 100, 'upstream.model#3'],
    ['an event, without a head', [asked(10), wrote(100, 1), left(5_000)], 100],
    ['bytes are no event', [asked(10), headed(20), wrote(100, 1), wrote(200, 1, 50), left(5_000)], 100],
    ['a silence in between', [asked(10), headed(20), wrote(100, 1), wrote(2_351, 2), wrote(2_400, 3), left(2_500)], 100],
    ['none that is so short', [asked(10), headed(20), wrote(100, 1), wrote(2_350, 2), left(2_400)], 'the upstream never paused for 2.0 s'],
    ['the end of the record, too soon', [asked(10), headed(20), wrote(100, 1), left(2_100)], 'the upstream never paused for 2.0 s'],
    ['the end of the record', [asked(10), headed(20), wrote(100, 1), left(2_101)], 100],
    ['what it was closed after, however soon', [asked(10), headed(20), wrote(100, 1), wrote(200, 2), closed(300), left(400)], 200],
    ['what was counted when it was closed', [asked(10), headed(20), wrote(100, 1), wrote(300, 2), closed(300)], 300],
    ['what was counted after it was closed is none', [asked(10), headed(20), wrote(100, 1), closed(300), wrote(301, 2)], 100],
    ['of the last attempt', [asked(10), headed(20), wrote(100, 1), closed(300), asked(400, 'alice', 2), wrote(500, 1, 1, 2), left(5_000)], 500],
  ]);
  from('read', [
    ['a byte', [asked(10), headed(20), wrote(100, 1), wrote(200, 1, 50), left(5_000)], 200],
    ['as many bytes as before are none', [asked(10), headed(20), wrote(100, 1), wrote(200, 1), left(5_000)], 100],
  ]);
});

describe('the send queue', () => {
  const full = { sendQueue: 7 };
  from('send', [
    ['never connected', [], 'the client never connected'],
    ['never seen full', [connected(5), written(6), sockets(10, {}), sockets(20, {})], 'its send queue was never seen standing still'],
    ['moving', [connected(5), written(6), sockets(10, full), sockets(20, { sendQueue: 8 })], 'its send queue was never seen standing still'],
    ['seen once', [connected(5), written(6), sockets(10, {}), sockets(20, full)], 'its send queue was never seen standing still'],
    ['standing', [connected(5), written(6), sockets(10, { sendQueue: 8 }), sockets(20, full), sockets(30, full)], 20, 'probe.sockets#2'],
    ['of an end that nobody owns', [connected(5), written(6), sockets(10, { ...full, inode: 0 }), sockets(20, { ...full, inode: 0 })], 'its send queue was never seen standing still'],
  ]);
});

describe('an end', () => {
  from('drain', [
    ['she left', [left(50)], 50, 'client.alice#1'],
    ['she stayed', [], 'its client never left'],
  ]);
  from('settle', [
    ['she left', [asked(10), left(50)], 50, 'client.alice#1'],
    ['she left, and no upstream had it', [left(50)], 50],
    ['nobody ended it', [asked(10)], 'neither upstream nor client ended it'],
    ['no upstream had it', [], 'neither upstream nor client ended it'],
    ['its upstream came to an end', [asked(10), finished(40), left(50)], 40, 'upstream.model#2'],
    ['its upstream came to an end later', [asked(10), left(50), finished(60)], 50],
    ['the system closed it', [asked(10), closed(30), finished(40), left(50)], 30, 'upstream.model#2'],
    ['the system closed it after all', [asked(10), left(20), finished(40), closed(60)], 20],
  ]);
  from('shutdown', [
    ['told to stop', [signal(70, 'SIGTERM', { purpose: 'stop' })], 70, 'harness#2'],
    ['never told', [signal(70, 'SIGTERM')], 'the system was never told to stop'],
  ]);
});
