// Rows and totals, sample by sample: what is followed, until when it was active, whether it came back, and when it was over.
import { describe, expect, test } from 'vitest';
import { ended, ledger, left, noted, phase, planned, row, tiny } from '../fixtures/tiny.ts';
import type { Entry } from '../fixtures/timeline.ts';
import type { Reservation } from '../../model/samples.ts';
import { isFinding } from './finding.ts';
import { activeTracks, cameBack, judgeTracks, wasActiveAt } from './terminal.ts';

const OVER = row({ terminal: true });
const SPAN = { openAtMs: 1_000, atMs: 1_000, earlyMs: -Infinity, dueMs: 2_000, lateMs: 2_500, words: 'the leave' };
const LATE = 2_501;
/** Samples of her row: a number that is negative shows it over. */
const seen = (...times: readonly number[]): readonly Entry[] => [planned(0), ...times.map((ms) => ledger(Math.abs(ms), [ms < 0 ? OVER : row()]))];
const tracksOf = (entries: readonly Entry[], untilMs = 1_000, facts = {}) => {
  const { view, exchange } = tiny(entries, facts);
  const tracks = activeTracks(view, exchange, untilMs);
  if (isFinding(tracks)) throw new Error(tracks.reason);
  return { view, exchange, tracks };
};
const NO_ROWS = { ledger: { hasReservations: false, hasCharges: true } };

describe('what is followed', () => {
  test('a row from its first sample on, with what it was in each', () => {
    const { tracks } = tracksOf([planned(0), ledger(50), ledger(100, [row()]), ledger(200, [OVER]), ledger(300)]);
    expect(tracks.map(({ name, states }) => [name, ...states.map(({ isOver, state }) => `${state} ${isOver}`)])).toEqual([['reservation 7', 'active false', 'released true', 'gone true']]);
  });
  test.each([[100, 1], [99, 0]])('if it was active by %d', (untilMs, count) => expect(tracksOf(seen(100, 200), untilMs).tracks).toHaveLength(count));
  test('not what may be of another', () => {
    const { view, exchange } = tiny([planned(0), planned(1, 'bob'), ledger(100, [{ ...row(), marker: undefined } as unknown as Reservation])]);
    expect(activeTracks(view, exchange, 1_000)).toEqual({ outcome: 'inconclusive', reason: 'reservation 7 may belong to another exchange of the same account', evidence: ['probe.ledger#1'] });
  });
});

describe('a total', () => {
  const total = (ms: number, reserved: number | null): Entry => ledger(ms, [], { accounts: reserved === null ? [] : [{ id: 'acc', balance: 0, reserved, spent: 0 }] });
  const base = phase('baseline', 90, 110);
  test('from the baseline on, active where it is more than then', () => {
    const { tracks } = tracksOf([...base, planned(200), total(50, 9), total(100, 5), total(300, 6), total(400, 5), total(500, null)], 1_000, NO_ROWS);
    expect(tracks[0]!.states.map(({ state, isOver }) => `${state} ${isOver}`)).toEqual(['5 true', '6 false', '5 true', '0 true']);
    expect(tracks[0]!).toMatchObject({ name: "the reserved total of alice's account", life: null, isShared: false });
  });
  test('of an account that was not there at the baseline', () => expect(tracksOf([...base, planned(200), total(100, null), total(300, 1)], 1_000, NO_ROWS).tracks).toHaveLength(1));
  test('without a baseline', () => {
    const { view, exchange } = tiny([planned(200), total(100, 5)], NO_ROWS);
    expect(activeTracks(view, exchange, 1_000)).toMatchObject({ reason: 'probe ledger has no sample of the baseline' });
  });
  const bob = (more: readonly Entry[], account = 'acc'): readonly Entry[] => [...base, planned(120, 'bob', { account }), planned(200), total(100, 5), total(300, 9), ...more];
  test.each<[string, readonly Entry[], boolean]>([
    ['alone', [...base, planned(200), total(100, 5), total(300, 9)], false],
    ['with one who goes on', bob([total(180, 5)]), true],
    ['with one whose money was back when she asked', bob([ended(150, 'bob'), total(180, 5)]), false],
    ['with one who left, whose money was back when she asked', bob([left(150, 'bob'), ended(250, 'bob'), total(180, 5)]), false],
    ['back in a sample that began as it ended', bob([ended(150, 'bob'), total(151, 5)]), false],
    ['back in one that began before', bob([ended(150, 'bob'), total(150, 5)]), true],
    ['back in the moment that she asked', bob([ended(150, 'bob'), total(200, 5)]), false],
    ['back only later', bob([ended(150, 'bob'), total(201, 5)]), true],
    ['not all of it back', bob([ended(150, 'bob'), total(180, 6)]), true],
    ['the account was not there', bob([ended(150, 'bob'), total(180, null)]), true],
    ['with one of another account', bob([], 'other'), false],
  ])('shared %s', (_, entries, isShared) => expect(tracksOf(entries, 1_000, NO_ROWS).tracks[0]!.isShared).toBe(isShared));
});

test.each([[99, true], [100, true], [199, true], [200, false], [250, false]])('active at %d', (ms, isActive) => {
  expect(wasActiveAt(tracksOf(seen(100, -200, -300)).tracks[0]!, ms)).toBe(isActive);
});
test('active again since', () => expect(wasActiveAt(tracksOf(seen(100, -200, 300)).tracks[0]!, 250)).toBe(true));

describe('came back', () => {
  const back = (times: readonly number[], afterMs: number) => cameBack(tracksOf(seen(...times)).tracks[0]!, afterMs);
  test('with both samples, from the first to the second', () => {
    expect(back([100, -200, -300, 400], 399)).toEqual({
      outcome: 'violated', reason: 'reservation 7 was released, and active again 200 ms later', evidence: ['probe.ledger#2', 'probe.ledger#4'], interval: { fromMs: 200, toMs: 400 },
    });
  });
  test.each<[string, readonly number[], number]>([
    ['before it mattered', [100, -200, 400], 400],
    ['never', [100, -200, -300], 0],
    ['over when it was first seen', [-100, 200], 0],
    ['active all the while', [100, 200], 0],
  ])('not %s', (_, times, afterMs) => expect(back(times, afterMs)).toBeNull());
  test('not a total that another may hold', () => {
    const { tracks } = tracksOf(seen(100, -200, 400));
    expect(cameBack({ ...tracks[0]!, isShared: true }, 0)).toBeNull();
  });
});

describe('in time', () => {
  const judged = (entries: readonly Entry[], isShared = false) => {
    const { view, exchange, tracks } = tracksOf(entries);
    return judgeTracks(view, exchange, SPAN, tracks.map((track) => ({ ...track, isShared })));
  };
  const still = 'was still active';
  test.each<[string, readonly number[], string, string, readonly string[]]>([
    ['over', [900, -1_500], 'held', 'reservation 7 was released 500 ms after the leave', ['probe.ledger#1', 'probe.ledger#2']],
    ['over when it is due', [900, 1_900, -2_000], 'held', 'released 1.0 s after', ['probe.ledger#2', 'probe.ledger#3']],
    ['over a little later', [900, 1_900, -2_001], 'inconclusive', 'no sample that shows whether reservation 7 had ended in time', ['probe.ledger#2']],
    ['active in a sample that began when it is surely late', [900, LATE], 'inconclusive', 'no sample that shows', ['probe.ledger#2']],
    ['active in one that began later', [900, LATE + 1], 'violated', still, ['probe.ledger#2']],
    ['active, and longer still', [900, 3_000, 4_000, -5_000], 'violated', `reservation 7 ${still} 3.0 s after the leave; lease of reservation 7 moved 0 times`, ['probe.ledger#2', 'probe.ledger#3']],
    ['over for a while', [900, -1_000, 1_500, -1_900], 'held', 'released 900 ms after', ['probe.ledger#3', 'probe.ledger#4']],
    ['over, and active when it was late, which others say', [900, -1_000, 3_000], 'held', 'released 0 ms after', ['probe.ledger#1', 'probe.ledger#2']],
  ])('%s', (_, times, outcome, reason, evidence) => {
    const found = judged(seen(...times));
    expect(`${found.outcome}: ${found.reason}`).toContain(reason);
    expect([found.outcome, found.evidence.filter((ref, index) => found.evidence.indexOf(ref) === index)]).toEqual([outcome, evidence]);
    if (outcome === 'violated') expect(found.interval).toEqual({ fromMs: 2_000, toMs: Math.max(...times) });
  });
  test("a total that may be another's", () => {
    expect(judged(seen(900, 3_000, 4_000), true)).toEqual({
      outcome: 'inconclusive', reason: "reservation 7 was still active 3.0 s after the leave, which may be another exchange's: the ledger has no reservations", evidence: ['probe.ledger#2', 'probe.ledger#3'],
    });
  });
  test('nothing that was active', () => expect(judged(seen(-900, -1_500))).toMatchObject({ outcome: 'inconclusive', reason: "no reservation of alice's exchange was seen active before the leave" }));
  test('by who could not write', () => {
    const kept = (fromMs: number, toMs: number): readonly Entry[] => (['begin', 'end'] as const).map((edge, index) => noted([fromMs, toMs][index]!, { type: 'fault-held', fault: 'ledger-lock', edge }));
    const why = 'was still active 1.1 s after the leave, but a fault had kept the system from its ledger';
    expect(judged([...seen(900, 2_100), ...kept(2_100, 2_200)]).reason).toContain(why);
    expect(judged([...seen(900, 2_100), ...kept(2_101, 2_200)]).reason).not.toContain(why);
    expect(judged([...seen(900, 2_100), ...kept(900, 1_000)]).reason).toContain(why);
    expect(judged([...seen(900, 2_100), ...kept(900, 999)]).reason).not.toContain(why);
  });
});
