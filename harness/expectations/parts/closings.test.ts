// One request at one upstream, and the system's end of it: open, closed in time, too late, by half, or by somebody else.
// The leave is at 1,000 ms, what must be over is due at 2,000 and surely late at 2,500.
import { describe, expect, test } from 'vitest';
import { FACTS } from '../fixtures/facts.ts';
import { asked, closed, finished, left, marked, noted, phase, planned, sockets, tiny, wrote } from '../fixtures/tiny.ts';
import type { Entry } from '../fixtures/timeline.ts';
import { judgeClosing, takenAfter, wentOn } from './closing.ts';
import { controlAgrees } from './control.ts';

const SPAN = { openAtMs: 1_000, atMs: 1_000, earlyMs: -Infinity, dueMs: 2_000, lateMs: 2_500, words: 'the leave' };
const OPENED: Entry = { atMs: 5, actor: 'upstream.model', fact: { type: 'connection-opened', connection: 1, local: 'u:1', peer: 's:1' } };
const own = { local: 's:1', remote: 'u:1' };
const sawPaths = (['client', 'upstream'] as const).flatMap((leg) => (['fin', 'rst'] as const).map((how) => noted(3, { type: 'path-control', leg, how, seen: true, tookMs: 1 })));
const LAST = marked(4_000, 'last');

const record = (entries: readonly Entry[]) => {
  const { view, exchange } = tiny([planned(0), ...sawPaths, ...entries]);
  return { view, exchange, request: exchange.upstreams[0]! };
};
const judged = (...entries: readonly Entry[]) => {
  const { view, request } = record([OPENED, asked(10), ...entries]);
  return judgeClosing(view, request, SPAN);
};

describe('closed', () => {
  const held = sockets(500, own);
  const gone = (ms: number): Entry => sockets(ms);
  test.each<[string, readonly Entry[], string, number]>([
    ['in time', [held, closed(1_100), gone(1_200), LAST], 'held: upstream exchange 1 was closed by FIN 100 ms after the leave and took 0 more events', 3],
    ['by a reset', [held, closed(1_100, { how: 'rst' }), gone(1_200), LAST], 'held: upstream exchange 1 was closed by RST', 3],
    ['as the upstream found when it wrote', [held, finished(1_100, { how: 'aborted', by: 'peer' }), gone(1_200), LAST], 'held: upstream exchange 1 was closed by RST', 3],
    ['when it was due', [held, closed(2_000), gone(2_000), LAST], 'inconclusive: upstream exchange 1 was closed by FIN 1.0 s after the leave, but probe sockets has no sample', 2],
    ['too late', [held, closed(2_501), LAST], 'violated: upstream exchange 1 was closed only 1.5 s after the leave and took 0 more events', 2],
    ['when it may yet be excused', [held, closed(2_500), LAST], 'inconclusive: upstream exchange 1 was open 1.5 s after the leave, but system or watchers were kept from the processor', 2],
    ['before it mattered', [held, closed(1_000), LAST], 'inconclusive: upstream exchange 1 was not open at the leave: the system closed it 0 ms after the leave', 1],
    ['by half', [held, sockets(2_700, own), closed(1_100), LAST], 'violated: upstream exchange 1 is half-closed: FIN came 100 ms after the leave, but the system still owns its end (established)', 3],
    ['and never seen before', [closed(1_100), gone(1_200), LAST], "but probe sockets had never seen the system's end of it", 2],
  ])('%s', (_, entries, words, evidence) => {
    const { outcome, reason, evidence: refs } = judged(...entries);
    expect(`${outcome}: ${reason}`).toContain(words);
    expect(refs).toHaveLength(evidence);
  });
  test('on a connection that is not on record', () => {
    const { view, request } = record([asked(10), closed(1_100), LAST]);
    expect(judgeClosing(view, request, SPAN)).toMatchObject({ outcome: 'inconclusive', reason: expect.stringContaining('but its connection is not on record') });
  });
});

describe('open', () => {
  const held = sockets(500, own);
  test.each<[string, readonly Entry[], string, number]>([
    ['to the end', [held, LAST], 'violated: upstream exchange 1 was still open 3.0 s after the leave and took 0 more events', 1],
    ['to the end of the record, which was too soon', [held, marked(2_000, 'last')], 'inconclusive: upstream exchange 1 was open 1.0 s after the leave, but the record ends at 2.0 s', 1],
    ['a little longer', [held, marked(2_001, 'last')], 'inconclusive: upstream exchange 1 was open 1.0 s after the leave, but system or watchers', 1],
    ['by itself to its end, when it was late', [held, finished(2_500), LAST], 'inconclusive: upstream exchange 1 was ended by its own script 1.5 s after the leave, not by the system', 1],
    ['by a fault', [held, finished(1_500, { by: 'fault' }), LAST], 'inconclusive: upstream exchange 1 was ended by a fault', 1],
    ['by itself later', [held, finished(2_501), LAST], 'violated: upstream exchange 1 was still open 1.5 s after the leave', 1],
    ['at its upstream, let go of by the system', [held, sockets(1_200), LAST], 'inconclusive: path hides closes: the system let go of upstream exchange 1', 2],
    ['at its upstream, let go of as it left', [held, sockets(1_001), LAST], 'inconclusive: path hides closes', 2],
    ['at its upstream, let go of before', [held, sockets(1_000), sockets(1_500, own), LAST], 'violated', 1],
    ['where nobody saw an owner', [sockets(1_200), LAST], 'violated', 1],
    ['let go of after it had ended by itself', [held, sockets(2_550, own), finished(2_600), sockets(2_700), LAST], 'violated', 1],
  ])('%s', (_, entries, words, evidence) => {
    const { outcome, reason, evidence: refs } = judged(...entries);
    expect(`${outcome}: ${reason}`).toContain(words);
    expect(refs).toHaveLength(evidence);
  });
  test('only later', () => {
    const { view, request } = record([asked(1_001), LAST]);
    expect(judgeClosing(view, request, SPAN)).toMatchObject({ reason: 'upstream exchange 1 was not open at the leave: it came 1 ms later', evidence: ['upstream.model#1'] });
  });
});

describe('went on', () => {
  const went = (...entries: readonly Entry[]) => {
    const { view, request } = record([...entries, LAST]);
    return wentOn(view, request, SPAN);
  };
  const takes = (ms: number, events: number): Entry => wrote(ms, events, events * 100);
  test.each<[string, readonly Entry[], string | null]>([
    ['taking more', [asked(10), takes(900, 1), takes(2_600, 2), takes(3_000, 3)], 'was still open 3.0 s after the leave and took 2 more events'],
    ['with what was counted late', [asked(10), takes(900, 1), takes(2_600, 2)], null],
    ['with the same told again', [asked(10), takes(900, 1), takes(2_600, 2), takes(3_000, 2)], null],
    ['with what came in the moment that was late', [asked(10), takes(900, 1), takes(2_400, 2), takes(2_500, 3)], null],
    ['since later', [asked(1_001), takes(2_600, 2), takes(3_000, 3)], null],
    ['since that moment', [asked(1_000), takes(2_600, 2), takes(3_000, 3)], 'was still open'],
    ['closed by half in that moment', [asked(10), closed(2_500), takes(2_600, 2), takes(3_000, 3)], 'was only half-closed 2.0 s after the leave and took 3 more events'],
    ['closed late, and then only', [asked(10), takes(900, 1), takes(2_600, 2), takes(2_700, 3), closed(2_800, { events: 5, bytes: 500 }), takes(2_900, 9)], 'was still open 1.8 s after the leave and took 4 more events'],
  ])('%s', (_, entries, words) => {
    const found = went(...entries);
    expect(found?.reason ?? null).toEqual(words && expect.stringContaining(words));
  });
});

test('what was taken, in events, else in bytes', () => {
  const taken = (...entries: readonly Entry[]): string => takenAfter(record([asked(10), ...entries]).request, 1_000);
  expect(taken()).toBe('0 more events');
  expect(taken(wrote(1_500, 0, 2_048))).toBe('2.0 KiB more');
  expect(taken(wrote(900, 1, 1_024), wrote(1_500, 1, 2_048))).toBe('1.0 KiB more');
  expect(taken(wrote(1_000, 1), wrote(1_500, 2))).toBe('1 more event');
});

describe('the control', () => {
  const stays = [planned(0), ...sawPaths, asked(10), ...phase('stop', 9_000, 9_100)];
  const agrees = (control: readonly Entry[] | null, own: readonly Entry[] = [planned(0), asked(10), left(1_000), closed(1_100)]) => {
    const { view, exchange } = tiny([...own, LAST], FACTS, control);
    return controlAgrees(view, exchange, exchange.upstreams.find((request) => request.closed)!);
  };
  test('agrees where it was open at the age of the close, and a margin', () => {
    expect(agrees(stays)).toBeNull();
    expect(agrees([...stays, closed(1_351)])).toBeNull();
    expect(agrees([...stays, closed(1_350)])).toMatchObject({ reason: expect.stringContaining("the system's own time-out: for a client that stayed it closed the exchange at the age of 1.3 s, here at 1.1 s"), evidence: ['upstream.model#1', 'upstream.model#2'] });
    expect(agrees(null)?.reason).toContain('no control was run');
  });
  test('needs the same request', () => {
    expect(agrees([...sawPaths, planned(0, 'bob'), asked(10, 'bob')])?.reason).toBe("the control's exchange never reached upstream model");
    expect(agrees([planned(0), ...sawPaths, ...phase('stop', 9_000, 9_100)])?.reason).toBe("the control's exchange never reached upstream model");
    const twice = [planned(0), asked(10), asked(20, 'alice', 2), left(1_000), closed(1_100, { exchange: 2, connection: 2 })];
    expect(agrees([...stays, planned(1, 'bob')], twice)?.reason).toContain('the control has no such request');
    expect(agrees([...stays, asked(20, 'alice', 2)], twice)).toBeNull();
  });
});
