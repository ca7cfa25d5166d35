// A slow stream keeps its reservation; and only of what was plainly live anything is said.
import { describe, expect, test } from 'vitest';
import { crowd, CROWD } from './fixtures/crowd.ts';
import type { Crowd, Person } from './fixtures/crowd.ts';
import { FACTS } from './fixtures/facts.ts';
import { verdictOf } from './fixtures/judging.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { Facts } from '../model/facts.ts';

const BOB = { client: 'bob' };
const bob = (changes: Partial<Person>, more: Partial<Crowd> = {}, facts: Partial<Facts> = {}): Row[1] => ({
  entries: crowd({ bob: changes, ...more }),
  facts: { ...CROWD, ...facts },
});
/** Ends by itself, is settled 10 ms later, and its client is told 20 ms later. */
const ends = (ms: number): Partial<Person> => ({ upstreamEndMs: ms, terminalMs: ms + 10, toldMs: ms + 20 });

describe('not-swept-while-live', () => {
  table('not-swept-while-live', BOB, [
    ['it reads on to the end of the watch', bob({}), 'held', 'reservation 8 was held for the 6.7 s in which bob received data events'],
    ['it ended by itself', bob(ends(5_000)), 'held', 'was held for the 3.8 s'],
    ['swept, and the stream went on', bob({ terminalMs: 4_000 }), 'violated', 'reservation 8 was released at 4.1 s, and bob went on receiving data events until'],
    ['gone, and the stream went on', bob({ terminalMs: 4_000, isDeleted: true }), 'violated', 'reservation 8 was gone at 4.1 s'],
    ['swept, and one more event came', bob({ terminalMs: 4_000, closedMs: 4_110 }), 'violated', 'went on receiving data events until 4.1 s'],
    ['swept, and the system cut it before the next event', bob({ terminalMs: 4_000, closedMs: 4_090 }, {}, { bounds: {} }), 'violated', "and the system cut bob's stream 30 ms after that"],
    ['swept, and a slow stream was cut a second later', bob({ everyMs: 900, terminalMs: 4_000, closedMs: 4_700 }), 'violated', "cut bob's stream 640 ms after that"],
    ['cut after a pause of twice the longest so far', bob({ everyMs: 286, writesUntilMs: 3_488, terminalMs: 4_000, closedMs: 4_090 }, {}, { bounds: {} }), 'violated', "cut bob's stream"],
    ['cut after a longer one', bob({ everyMs: 286, writesUntilMs: 3_487, terminalMs: 4_000, closedMs: 4_090 }, {}, { bounds: {} }), 'inconclusive', 'the window was too short'],
    ['a cut before it was released is another matter', bob({ terminalMs: 4_050, closedMs: 4_000 }, {}, { bounds: {} }), 'held', 'was held for'],
    ['what was long silent when it was released', bob({ writesUntilMs: 3_000, terminalMs: 4_000, closedMs: 4_500 }), 'inconclusive', 'the window was too short'],
    ['an end that the system makes by a bound that is tested', bob({ terminalMs: 4_000, closedMs: 4_090 }, {}, { tests: 'progress' }), 'inconclusive', 'as it may have had to by a bound'],
    ['an end at the age of the lifetime bound', bob({ terminalMs: 4_000, closedMs: 4_090 }, {}, { bounds: { lifetime: 3_000 } }), 'inconclusive', 'by a bound'],
    ['an end within twice the margin of it', bob({ terminalMs: 4_000, closedMs: 4_090 }, {}, { bounds: { age: 3_490 } }), 'inconclusive', 'by a bound'],
    ['an end a while before it', bob({ terminalMs: 4_000, closedMs: 4_090 }, {}, { bounds: { lifetime: 3_491 } }), 'violated', 'cut'],
    ['an event in the moment of the sample is none after it', bob({ everyMs: 143, terminalMs: 4_060, closedMs: 4_063 }, {}, { bounds: {} }), 'violated', "and the system cut bob's stream 3 ms after that"],
    ['settled when its upstream had ended, while a slow reader still reads', bob({ ...ends(5_000), toldMs: null }, { extra: [at(6_000, 'client.bob', { type: 'received', marker: 'hx.bob.1.0000000a', bytes: 99, events: 99, comments: 0 })] }), 'held', 'was held for'],
    ['released when bob had left', bob({ leftMs: 5_000, closedMs: 5_010, terminalMs: 5_020 }), 'held', 'was held for'],
    ['as long as a lease and a sweep', bob({ ...ends(3_700), everyMs: 2_460, reservedMs: 1_110 }), 'inconclusive', 'bob was seen receiving for 2.5 s while its reservation was held, a lease and a sweep take 2.5 s'],
    ['a little longer', bob({ ...ends(3_800), everyMs: 2_461 }), 'held', 'was held for the 2.5 s'],
    ['it received nothing', bob({ everyMs: 9_000, writesUntilMs: 0 }), 'inconclusive', 'seen receiving for 0 ms'],
    ['nothing was reserved', bob({ reservedMs: null }), 'inconclusive', "no reservation of bob's exchange was ever seen active"],
    ['whose it is cannot be told', bob({}, { marked: false }), 'inconclusive', 'may belong to another exchange'],
    ['starved before it was swept', bob({ terminalMs: 4_000 }, { runDelayMs: (ms) => (ms > 3_000 ? 600 : 0) }), 'inconclusive', 'the system waited 600 ms'],
    ['starved long before', bob({ terminalMs: 6_500 }, { runDelayMs: (ms) => (ms > 2_000 ? 600 : 0) }), 'violated', 'went on receiving'],
    ['a sweeper that was starved clears nobody', bob({}, { runDelayMs: (ms) => (ms > 4_000 ? 600 : 0) }), 'inconclusive', 'the system waited 600 ms'],
    ['the ledger was seen too rarely', { ...bob({}), entries: without(crowd(), (entry) => isSample('ledger')(entry) && entry.atMs > 3_000 && entry.atMs < 4_700) }, 'inconclusive', 'probe ledger too slow'],
    ['somebody lagged', bob({}, { extra: [at(5_000, 'lag.upstreams', { type: 'scheduling-lag', process: 'upstreams', lagMs: 400 })] }), 'inconclusive', 'upstreams lagged'],
    ['a fault did not fire', bob({ terminalMs: 4_000 }, { extra: [at(3_050, 'harness', { type: 'fault', fault: 'x', edge: 'failed', detail: 'no' })] }), 'inconclusive', 'fault x'],
    ['the system died while it was live', bob({ terminalMs: 4_000 }, { extra: [at(5_000, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null })] }), 'inconclusive', 'router died'],
    ['the record breaks off', { ...bob({}), entries: without(crowd(), ({ atMs }) => atMs > 7_500) }, 'inconclusive', 'the record breaks off'],
    ['without a period of sweep', bob({}, {}, { periods: { renewalMs: 500, leaseMs: 1_500 } }), 'does-not-apply', 'no period of lease and sweep'],
    ['without a ledger', bob({}, {}, { ledger: null }), 'does-not-apply', 'no ledger'],
  ]);
  test('evidence and interval', () => {
    expect(FACTS.tests).toBeNull();
    expect(verdictOf('not-swept-while-live', { ...bob({ terminalMs: 4_000 }), options: BOB })).toMatchObject({
      evidence: ['probe.ledger#36', 'probe.ledger#37', expect.stringMatching(/^upstream\.model#\d+$/)],
      interval: { fromMs: 4_060, toMs: 7_900 },
    });
  });
});
