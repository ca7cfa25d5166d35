// Reservations that live oddly about the leave: first seen in its very moment, or only when it had ended; without a
// lease now and then; and new ones, in the first sample in which they must not appear.
import { describe } from 'vitest';
import { LEAK, WALL_MS } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { isSample, watchedUntil, without } from './fixtures/timeline.ts';
import type { Reservation } from '../model/samples.ts';

const OPTIONS = { client: 'alice', after: 'gone' };
const fed: Partial<Knobs> = { runDelayMs: () => 0 };
/** Alice's row, only from one time on. */
const seenFrom = (fromMs: number, changes: Partial<Knobs> = {}) => ({
  entries: story({ ...fed, ...changes, ledger: (value, ms) => ({ ...value, reservations: ms < fromMs ? [] : value.reservations }) }),
});
const other: Reservation = { id: '9', account: 'acc', payer: 'acc', amount: 5, state: 'active', terminal: false, leaseAtMs: WALL_MS };
/** Another row that nobody owns, live from one time to another. */
const beside = (fromMs: number, untilMs = Infinity, changes: Partial<Knobs> = {}) => ({
  entries: story({ ...fed, ...changes, ledger: (value, ms) => ({ ...value, reservations: ms < fromMs ? value.reservations : [...value.reservations, { ...other, terminal: ms >= untilMs }] }) }),
});
const unleased = (isBlind: (ms: number) => boolean, changes: Partial<Knobs> = LEAK) => ({
  entries: story({ ...fed, ...changes, ledger: (value, ms) => ({ ...value, reservations: value.reservations.map(({ leaseAtMs, ...row }) => (isBlind(ms) ? row : { ...row, leaseAtMs: leaseAtMs! })) }) }),
});
// With a leave at 3.008 s a lease may be seen to move until 3.759 s, when the sample of 3.760 s begins.
const EXACT: Partial<Knobs> = { goneMs: 3_008 };

describe('seen before', () => {
  table('renewal-stopped', OPTIONS, [
    ['first seen in the very moment', seenFrom(3_060, { goneMs: 3_060, terminalMs: 3_100 }), 'held', 'no lease of 1 reservation of alice'],
    ['first seen a moment later', seenFrom(3_060, { goneMs: 3_059, terminalMs: 3_100 }), 'inconclusive', "no reservation of alice's exchange was seen active before"],
    ['first seen when it had ended', seenFrom(2_500, { terminalMs: 2_400 }), 'inconclusive', "no reservation of alice's exchange was seen active before"],
  ]);
});

describe('new', () => {
  table('renewal-stopped', OPTIONS, [
    ['in the first sample in which it must not', beside(3_860, Infinity, EXACT), 'violated', 'reservation 9 appeared 852 ms after', { interval: [3_860, 7_960], evidence: 1 }],
    ['where it may have been made in time', beside(3_860, Infinity, { goneMs: 3_009 }), 'held', 'no lease of 1 reservation of alice'],
    ['and ended later', beside(4_000, 5_000), 'violated', 'reservation 9 appeared 1.1 s after', { interval: [4_060, 7_960] }],
    ['and over at once', beside(4_000, 4_000), 'held', 'no lease of 1 reservation of alice'],
  ]);
});

describe('without a lease', () => {
  const stands: Partial<Knobs> = { ...LEAK, renewUntilMs: 2_900 };
  table('renewal-stopped', OPTIONS, [
    ['in one sample only', unleased((ms) => ms === 2_060, stands), 'held', 'no lease of 1 reservation of alice'],
    ['in all', unleased(() => true), 'inconclusive', 'the ledger shows no lease of reservation 7, which was active when last seen', { evidence: 1 }],
    ['live for the last time when it must not move any more', unleased(() => true, { ...EXACT, terminalMs: 3_800 }), 'inconclusive', 'the ledger shows no lease of reservation 7, which was charged when last seen'],
    ['live for the last time before that', unleased(() => true, { goneMs: 3_009, terminalMs: 3_800 }), 'held', 'no lease of 1 reservation of alice'],
  ]);
});

describe('that lives on', () => {
  const stands: Partial<Knobs> = { ...LEAK, ...fed, renewUntilMs: 2_900 };
  /** The lease moves once, at that time. */
  const movedAt = (movedMs: number, changes: Partial<Knobs> = {}) => ({
    entries: story({ ...LEAK, ...fed, ...changes, ledger: (value, ms) => ({ ...value, reservations: value.reservations.map((row) => ({ ...row, leaseAtMs: WALL_MS + (ms < movedMs ? 0 : 500) })) }) }),
  });
  const goneFrom = (goneMs: number, changes: Partial<Knobs>): Partial<Knobs> => ({ ...stands, ...changes, ledger: (value, ms) => (ms < goneMs ? value : { ...value, reservations: [] }) });
  table('renewal-stopped', OPTIONS, [
    ['and is watched for as long as a renewal takes', { entries: watchedUntil(story({ ...stands, ...EXACT }), 4_600) }, 'held', 'no lease of 1 reservation of alice'],
    ['and is watched for less', { entries: watchedUntil(story({ ...stands, ...EXACT }), 4_500) }, 'inconclusive', 'it was seen for 699 ms only', { evidence: 1 }],
    ['and is watched for much less', { entries: watchedUntil(story({ ...stands, ...EXACT }), 4_300) }, 'inconclusive', 'it was seen for 499 ms only'],
    ['until it is gone, in a short watch', { entries: watchedUntil(story(goneFrom(3_100, {})), 4_000) }, 'held', 'no lease of 1 reservation of alice'],
    ['until it is gone, and was never renewed', { entries: story(goneFrom(3_100, { renewUntilMs: 1_200 })) }, 'held', 'no lease of 1 reservation of alice'],
    ['and was renewed in the very moment of the leave', movedAt(3_060, { goneMs: 3_060 }), 'held', 'no lease of 1 reservation of alice'],
    ['and was renewed only after it', movedAt(3_060, { goneMs: 3_059 }), 'inconclusive', 'nothing to stop: reservation 7 stays active', { evidence: 1 }],
    ['beside one that nobody owns, made as she left', beside(3_100), 'held', 'no lease of 1 reservation of alice'],
  ]);
});

describe('a system that nobody saw', () => {
  const unseen = (untilMs: number) => ({ entries: without(story(fed), (entry) => isSample('process')(entry) && entry.atMs > 4_100 && entry.atMs < untilMs) });
  table('renewal-stopped', OPTIONS, [
    ['for as long as a lease', unseen(5_600), 'held', 'no lease of 1 reservation of alice'],
    ['for longer', unseen(5_601), 'inconclusive', 'probe process too slow to know whether the system was starved'],
  ]);
});
