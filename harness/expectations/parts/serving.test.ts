// Who was being served and until when, fact by fact: signs of life, what ended it, rows that were held for it.
import { describe, expect, test } from 'vitest';
import { asked, closed, ended, finished, got, ledger, left, marked, noted, phase, planned, row, tiny, wrote } from '../fixtures/tiny.ts';
import { every } from '../fixtures/timeline.ts';
import type { Entry } from '../fixtures/timeline.ts';
import { holdingsOf } from '../../model/leases.ts';
import { heldRowsOf, overOf, wasReplaced } from './held-rows.ts';
import { endingOf, lastLife, paceOf, usualPaceOf, wasOpenAt } from './liveness.ts';
import { judgeStream } from './sibling-stream.ts';

const of = (...entries: readonly Entry[]) => tiny([planned(0), asked(10), ...entries]);
const one = (...entries: readonly Entry[]) => of(...entries).exchange;
const again = asked(20, 'alice', 2);

describe('the last sign of life', () => {
  test.each<[string, readonly Entry[], number | undefined]>([
    ['none without a client that got something', [wrote(100, 1)], undefined],
    ['none where it got what nobody wrote', [got(100, 1)], undefined],
    ['what was written before it got its last', [wrote(100, 1), wrote(200, 2), got(250, 2), wrote(300, 3)], 200],
    ['what was written in that moment', [wrote(100, 1), wrote(250, 2), got(250, 2)], 250],
    ['not what it had been told before', [wrote(100, 1), wrote(200, 1), got(250, 1), got(260, 1)], 100],
    ['the latest of several attempts', [again, wrote(100, 1), wrote(150, 1, 1, 2), wrote(120, 2), got(200, 2)], 150],
    ['the latest, whichever attempt it was', [again, wrote(150, 1), wrote(100, 1, 1, 2), got(200, 2)], 150],
  ])('%s', (_, entries, ms) => expect(lastLife(one(...entries))?.atMs).toBe(ms));
  test('of two in one moment the first attempt', () => expect(lastLife(one(again, wrote(150, 1), wrote(150, 1, 1, 2), got(200, 2)))).toMatchObject({ exchange: 1 }));
});

describe('open', () => {
  test.each<[string, readonly Entry[], number, boolean]>([
    ['as soon as an upstream has it', [], 10, true],
    ['not before', [], 9, false],
    ['until it was closed', [closed(50)], 49, true],
    ['not when it was closed', [closed(50)], 50, false],
    ['not when it was over', [finished(50)], 50, false],
    ['until she left', [left(50)], 49, true],
    ['not when she had left', [left(50)], 50, false],
    ['not when she was told', [ended(50)], 50, false],
    ['by another attempt', [closed(15), again], 30, true],
  ])('%s', (_, entries, ms, isOpen) => expect(wasOpenAt(one(...entries), ms)).toBe(isOpen));
});

describe('what ended it', () => {
  const by = (...entries: readonly Entry[]) => {
    const found = endingOf(one(...entries));
    return found && `${found.by} ${found.atMs} ${found.ref}: ${found.words}`;
  };
  test.each<[string, readonly Entry[], string | undefined]>([
    ['nothing', [], undefined],
    ['she left', [left(50)], 'client 50 client.alice#1: alice left'],
    ['its upstream', [finished(50), left(60)], 'itself 50 upstream.model#2: its upstream ended it (complete, by its own script)'],
    ['its upstream, by a fault', [finished(50, { by: 'fault', how: 'cut' })], 'itself 50 upstream.model#2: its upstream ended it (cut, by a fault)'],
    ['the system, at its upstream', [closed(50), finished(51, { by: 'peer', how: 'aborted' })], 'system 50 upstream.model#2: the system closed it at its upstream'],
    ['the system, as its upstream found when it wrote', [finished(50, { by: 'peer', how: 'aborted' })], 'system 50 upstream.model#2: the system closed it at its upstream'],
    ['the system, at its client', [ended(50), closed(60)], 'system 50 client.alice#1: the system ended it for alice (complete)'],
    ['her, and then the system', [closed(60), left(50), ended(70)], 'client 50 client.alice#1: alice left'],
    ['the last of two attempts', [again, closed(50), finished(60, { exchange: 2 })], 'itself 60 upstream.model#4: its upstream ended it (complete, by its own script)'],
    ['the last of two, which the first was', [again, closed(50, { exchange: 2 }), finished(60)], 'itself 60 upstream.model#4: its upstream ended it (complete, by its own script)'],
    ['none, since one of two goes on', [again, closed(50)], undefined],
    ['none, since the first of two goes on', [again, closed(50, { exchange: 2, connection: 2 })], undefined],
    ['the second of two that end at once', [again, finished(50), closed(50, { exchange: 2, connection: 2 })], 'system 50 upstream.model#4: the system closed it at its upstream'],
  ])('%s', (_, entries, words) => expect(by(...entries)).toBe(words));
});

test.each<[string, readonly Entry[], number, number]>([
  ['nothing', [], 0, 0],
  ['one event', [got(100, 1)], 0, 0],
  ['one pause', [got(100, 1), got(150, 2)], 50, 0],
  ['two', [got(100, 1), got(400, 2), got(500, 3)], 300, 100],
  ['three', [got(100, 1), got(400, 2), got(500, 3), got(700, 4)], 300, 200],
  ['what is told twice is no event', [got(100, 1), got(300, 1), got(400, 2)], 300, 0],
  ['its upstream paused', [got(100, 1), got(400, 2), wrote(90, 1), wrote(390, 2)], 300, 300],
])('pace: %s', (_, entries, longest, usual) => expect([paceOf(one(...entries)), usualPaceOf(one(...entries))]).toEqual([longest, usual]));

describe('rows that were held', () => {
  const OVER = row({ terminal: true });
  const lives = (...entries: readonly Entry[]) => {
    const { view, exchange } = of(...entries);
    return { view, lives: heldRowsOf(view, exchange) };
  };
  const over = (...entries: readonly Entry[]) => {
    const found = lives(...entries);
    return found.lives[0] && overOf(found.view, found.lives[0]);
  };
  test.each<[string, readonly Entry[], number]>([
    ['live', [ledger(100, [row()])], 1],
    ['live once', [ledger(100, [OVER]), ledger(200, [row()]), ledger(300, [OVER])], 1],
    ['never live', [ledger(100, [OVER])], 0],
    ["another's", [ledger(100, [row({ marker: 'm.bob' })]), planned(5, 'bob')], 0],
  ])('%s', (_, entries, count) => expect(lives(...entries).lives).toHaveLength(count));
  test('of a repeat, what there was before it is another attempt\'s', () => {
    const repeat = planned(200, 'alice', { repeat: true });
    const { view } = tiny([planned(0), asked(10), ledger(100, [row()]), repeat, ledger(200, [row(), row({ id: '8' })])]);
    const [first, second] = [tiny([planned(0)]).exchange, { ...tiny([repeat]).exchange }];
    expect(heldRowsOf(view, first).map(({ id }) => id)).toEqual(['7', '8']);
    expect(heldRowsOf(view, second).map(({ id }) => id)).toEqual(['8']);
  });
  test.each<[string, readonly Entry[], readonly [number, number, string] | null]>([
    ['never over', [ledger(100, [row()]), ledger(200, [row()])], null],
    ['over', [ledger(100, [row()]), ledger(200, [row()]), ledger(300, [OVER])], [200, 300, 'released']],
    ['gone', [ledger(100, [row()]), ledger(300)], [100, 300, 'gone']],
    ['over before it was live', [ledger(50, [OVER]), ledger(100, [row()]), ledger(300, [OVER])], [100, 300, 'released']],
    ['over, and live again', [ledger(100, [row()]), ledger(200, [OVER]), ledger(300, [row()])], [100, 200, 'released']],
  ])('%s', (_, entries, wanted) => {
    const found = over(...entries);
    expect(found && [found.before.reading.atMs, found.reading.atMs, found.state]).toEqual(wanted);
  });
  test('of what was never live nothing is over', () => {
    const { view, exchange } = of(ledger(100, [OVER]), ledger(200, [OVER]));
    expect(overOf(view, holdingsOf(view.timeline, exchange).own[0]!)).toBeNull();
  });

  const eight = row({ id: '8' });
  test.each<[string, readonly Entry[], boolean]>([
    ['by a later one that was live by then', [ledger(100, [row()]), ledger(200, [row(), eight]), ledger(300, [OVER, eight])], true],
    ['in the very sample', [ledger(100, [row()]), ledger(300, [OVER, eight])], true],
    ['not by one that was over', [ledger(100, [row()]), ledger(200, [row(), eight]), ledger(300, [OVER, { ...eight, terminal: true }])], false],
    ['not by one that was there as early', [ledger(100, [row(), eight]), ledger(300, [OVER, eight])], false],
    ['not by one that came later', [ledger(100, [row()]), ledger(300, [OVER]), ledger(400, [OVER, eight])], false],
    ['not by itself', [ledger(100, [row()]), ledger(300, [OVER])], false],
  ])('replaced %s', (_, entries, isReplaced) => {
    const found = lives(...entries);
    const finding = wasReplaced(found.lives, overOf(found.view, found.lives[0]!)!);
    expect(finding?.evidence ?? null).toEqual(isReplaced ? [`probe.ledger#${entries.findIndex(({ atMs }) => atMs === 300) + 1}`] : null);
  });
});

/** The watch is from 1,000 to 2,000 ms, the margin 250 ms. */
describe('a stream', () => {
  const judged = (...entries: readonly Entry[]) => {
    const { view, exchange } = of(...phase('watch', 1_000, 2_000), ...entries);
    return judgeStream(view, exchange);
  };
  const two = [wrote(90, 1), got(100, 1), wrote(190, 2), got(200, 2)];
  const blocked = (ms: number, type: 'write-blocked' | 'write-drained' = 'write-blocked', actor = 'upstream.model', exchange = 1): Entry => {
    const fact = type === 'write-blocked' ? ({ type, exchange, queuedBytes: 1 } as const) : ({ type, exchange } as const);
    return { atMs: ms, actor, fact };
  };
  test.each<[string, readonly Entry[], string, number]>([
    ['goes on', [...two, wrote(1_800, 3), got(1_900, 3)], 'held: alice got 3 events, the last 100 ms before the end of the watch', 1],
    ['as late as the margin allows', [...two, got(1_750, 3)], 'held', 1],
    ['with one event when the watch began', [wrote(90, 1), got(100, 1), got(1_900, 2)], 'inconclusive: alice had not received two data events', 0],
    ['with the second in that moment', [got(100, 1), got(1_000, 2), got(1_900, 3)], 'held', 1],
    ['with nothing', [], 'inconclusive: alice had not received', 0],
    ['cut', [...two, closed(1_500)], "violated: alice's stream was cut: the system closed it at its upstream at 1.5 s", 2],
    ['cut before anything came', [closed(1_500)], 'inconclusive: alice was no sibling to the end', 1],
    ['left', [...two, left(1_500)], 'inconclusive: alice was no sibling to the end: alice left at 1.5 s', 1],
    ['not read', [...two, noted(1_500, { type: 'paused', marker: 'm.alice', unreadBytes: 0 })], 'inconclusive: alice does not read', 0],
    ['with nothing more to come', two, 'inconclusive: alice got 2 events, the last 1.8 s before the end of the watch, but its upstream wrote nothing more', 1],
    ['with more to come', [...two, wrote(201, 3)], 'violated: alice receives nothing more', 1],
    ['with what was written in that moment', [...two, wrote(200, 3)], 'inconclusive', 1],
    ['with more bytes, and no event', [...two, wrote(300, 2, 99)], 'inconclusive', 1],
    ['with what another attempt counts', [...two, again, wrote(300, 1, 1, 2)], 'inconclusive', 1],
    ['with more to come of one of two attempts', [...two, again, wrote(300, 3, 3, 2)], 'violated', 1],
    ['that its upstream could not write', [...two, blocked(300)], 'violated', 1],
    ['that its upstream could not write, of which it told the total once more', [...two, blocked(300), wrote(350, 2)], 'violated', 1],
    ['that it could write again', [...two, blocked(300), blocked(400, 'write-drained')], 'inconclusive', 1],
    ['that it could, and could not', [...two, blocked(300, 'write-drained'), blocked(400)], 'violated', 1],
    ['that another could not', [...two, blocked(300, 'write-blocked', 'upstream.other')], 'inconclusive', 1],
    ['that it could not for another', [...two, blocked(300, 'write-blocked', 'upstream.model', 9)], 'inconclusive', 1],
    ['that had to wait as long', [...every(100, 90, 1_090).map((ms, index) => wrote(ms, index + 1)), got(100, 1), got(1_000, 2), got(1_020, 3)], 'inconclusive: alice got 3 events, the last 980 ms before the end of the watch; it had waited 900 ms before, once', 1],
    ['when somebody lagged', [...two, wrote(300, 3), noted(1_000, { type: 'scheduling-lag', process: 'clients', lagMs: 251 })], 'inconclusive: clients lagged', 1],
  ])('%s', (_, entries, words, evidence) => {
    const { outcome, reason, evidence: refs } = judged(...entries, ...(entries.some(({ atMs }) => atMs > 1_999) ? [] : [marked(1_999, 'last')]));
    expect(`${outcome}: ${reason}`).toContain(words);
    expect(refs).toHaveLength(evidence);
  });
});
