// What could not be done, or was not tried, is no word about anybody: a system that a fault had ended or stopped,
// questions that nobody answered, what was written too late for a sweep, requests that were never sent.
import { describe } from 'vitest';
import { crowd, CROWD, markerOf, wroteRows, wroteTotal } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { MARKER, WALL_MS } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';
import type { Facts } from '../model/facts.ts';

const tell = (changes: Partial<Crowd> = {}, facts: Partial<Facts> = {}): Row[1] => ({ entries: crowd(changes), facts: { ...CROWD, ...facts } });
const sent = (atMs: number, signal: string): Entry => at(atMs, 'harness', { type: 'signal-sent', process: 'router', signal, purpose: 'fault' });
const exited = (atMs: number): Entry => at(atMs, 'system', { type: 'process-exited', process: 'router', code: null, signal: 'SIGKILL' });
const started = (atMs: number): Entry => at(atMs, 'harness', { type: 'system-started', process: 'router', pid: 901 });
const killed = (atMs: number): readonly Entry[] => [sent(atMs, 'SIGKILL'), exited(atMs + 10)];
/** The process probe goes on, as it does when others of the tree are there. */
const unanswered = (entries: readonly Entry[]): readonly Entry[] =>
  entries.map((entry) => (entry.fact.type === 'refund' ? { ...entry, fact: { ...entry.fact, status: null, verdict: 'unexpected' } } : entry));

describe('what was written too late for a sweep', () => {
  const row = (fromMs: number) => ({ id: 'added-1', fromMs, untilMs: Infinity, leaseMs: -20_000 });
  const late = (ms: number, more: readonly Entry[] = []): Partial<Crowd> => ({ seeded: [row(ms - 10)], extra: [wroteRows(ms, ['added-1']), ...more] });
  const total = (ms: number): Partial<Crowd> => ({ totals: [{ fromMs: ms - 10, untilMs: Infinity, amount: 40 }], extra: [wroteTotal(ms, 40)] });
  table('only-mine-released', { seeded: 'alice' }, [
    ['a row, a lease and a sweep and the margin before the end', tell(late(5_249)), 'violated', 'still active'],
    ['a row that was written later', tell(late(5_250)), 'inconclusive', 'a lease and a sweep take 2.5 s'],
    ['a total, just as long before it', tell(total(5_249)), 'violated', 'not all of what a fault added'],
    ['a total that was written later', tell(total(5_250)), 'inconclusive', 'a lease and a sweep take 2.5 s'],
    ['too much was released all the same', tell({ ...total(5_250), ledger: (value, ms) => ({ ...value, accounts: value.accounts.map((one) => (one.id === 'acc' && ms > 6_000 ? { ...one, reserved: 0 } : one)) }) }), 'violated', 'more than'],
    ['a row, and nobody was there to sweep it', tell(late(3_300, killed(3_400))), 'inconclusive', 'a fault had ended or stopped'],
    ['a row, and somebody was there again for too short a time', tell(late(3_300, [...killed(3_400), started(5_300)])), 'inconclusive', 'a lease and a sweep take 2.5 s'],
    ['a row, and somebody was there again for long enough', tell(late(3_300, [...killed(3_400), started(5_200)])), 'violated', 'still active'],
  ]);
});

describe('a total that nobody could touch', () => {
  const RECENT = WALL_MS + 7_960 - 1_500;
  const kept = (more: readonly Entry[] = []): Partial<Crowd> => ({ totals: [{ fromMs: 3_300, untilMs: Infinity, amount: 40 }], extra: [wroteTotal(3_310, 40, RECENT), ...more] });
  const asked = { refunds: [{ atMs: 7_900, verdict: 'refused' as const }] };
  table('reserved-kept', { client: 'alice' }, [
    ['kept by a system that a fault had ended', tell(kept(killed(3_400))), 'inconclusive', 'no refund was answered, and a fault had ended'],
    ['kept by one that was there again for a sweep and the margin', tell(kept([...killed(3_400), started(6_740)])), 'held', '40 reserved'],
    ['kept by one that was there again too late', tell(kept([...killed(3_400), started(6_760)])), 'inconclusive', 'after somebody was there again, a sweep takes 1.0 s: nobody came by'],
    ['a refund was asked, and answered', tell({ ...kept(killed(3_400)), ...asked }), 'held', '40 reserved'],
    ['a refund was asked, and not answered', { ...tell(), entries: unanswered(crowd({ ...kept(killed(3_400)), ...asked })) }, 'inconclusive', 'nobody came by'],
  ]);
  const shaky: Partial<Crowd> = {
    totals: [{ fromMs: 3_300, untilMs: 3_500, amount: 40 }, { fromMs: 3_700, untilMs: 7_000, amount: 40 }],
    extra: [wroteTotal(3_310, 40, WALL_MS + 3_300)],
  };
  table('reserved-kept', { client: 'alice' }, [
    ['cleared for a moment while it was recent, and for good when it was old', tell(shaky), 'inconclusive', 'old by then'],
  ]);
});

describe('questions that nobody answered', () => {
  const ASKED: Partial<Crowd> = {
    refunds: [{ atMs: 8_100, verdict: 'accepted' }, { atMs: 8_200, verdict: 'refused' }],
    extra: [at(8_300, 'harness', { type: 'let-finish', marker: null, count: 0 })],
  };
  table('terminal-once', { client: 'alice' }, [
    ['answered', tell(ASKED), 'held', 'through two refunds'],
    ['not answered', { ...tell(), entries: unanswered(crowd(ASKED)) }, 'inconclusive', '0 refunds of account acc'],
    ['nobody was there to sweep', tell({ ...ASKED, extra: [...ASKED.extra!, sent(8_400, 'SIGSTOP')] }), 'inconclusive', 'a fault had ended or stopped'],
    ['somebody was there to sweep', tell({ ...ASKED, extra: [...ASKED.extra!, sent(8_400, 'SIGSTOP'), sent(8_500, 'SIGCONT')] }), 'held', 'two sweeps'],
    ['somebody was there too short a time', tell({ ...ASKED, extra: [...ASKED.extra!, sent(8_400, 'SIGSTOP'), sent(9_100, 'SIGCONT')] }), 'inconclusive', 'after refunds and finish, with somebody there to sweep, two sweeps take'],
  ]);
});

describe('a refund of what a fault let go stale', () => {
  const asked = (atMs = 8_105): Partial<Crowd> => ({ refunds: [{ atMs, verdict: 'accepted' }] });
  table('refund-refused', { client: 'bob' }, [
    ['served by who stood still for longer than a third of a lease', tell({ ...asked(), extra: [sent(6_500, 'SIGSTOP')] }), 'inconclusive', 'a fault had stopped the system'],
    ['stood still for less', tell({ ...asked(), extra: [sent(6_500, 'SIGSTOP'), sent(6_900, 'SIGCONT')] }), 'violated', 'was accepted'],
    ['starved', tell({ ...asked(), runDelayMs: (ms) => (ms > 7_000 ? 600 : 0) }), 'inconclusive', 'the system waited 600 ms'],
    ['its money is held on another account', tell({ ...asked(), bob: { payer: 'sponsor' } }), 'inconclusive', 'is held on account sponsor'],
  ]);
});

describe('requests that could not come', () => {
  const options = { upstream: 'model', client: 'alice', 'at-most': 0, after: 'gone' };
  table('request-count', options, [
    ['none by a system that was there', { entries: story() }, 'held', '0 times'],
    ['none by one that was killed', { entries: story({ extra: [...killed(3_100), started(3_400)] }) }, 'inconclusive', 'a fault had ended or stopped router'],
    ['none by one that stood still to the end', { entries: story({ extra: [sent(3_100, 'SIGSTOP')] }) }, 'inconclusive', 'a fault had ended or stopped router'],
    ['none by one that stood still for a while', { entries: story({ extra: [sent(3_100, 'SIGSTOP'), sent(3_400, 'SIGCONT')] }) }, 'held', '0 times'],
    ['none by one that was killed and started before', { entries: story({ extra: [...killed(1_000), started(1_050)] }) }, 'held', '0 times'],
  ]);
  const unwritten = without(crowd(), ({ fact }) => (fact.type === 'request-written' || fact.type === 'request-received') && fact.marker === markerOf('bob'));
  table('request-count', { upstream: 'model', equals: 1 }, [
    ['one was never written', { entries: unwritten, facts: CROWD }, 'inconclusive', "bob's request was never written"],
    ['it was written', { entries: without(crowd(), ({ fact }) => fact.type === 'request-received' && fact.marker === markerOf('bob')), facts: CROWD }, 'violated', "bob's request came 0 times"],
  ]);
});

describe('closed before a bound by what a fault did', () => {
  const stays: Partial<Knobs> = { goneMs: null, closedMs: 3_505, ownsUntilMs: 3_505, servesUntilMs: null, toldMs: null, runDelayMs: () => 0 };
  const options = { upstream: 'model', client: 'alice', after: { bound: 'lifetime' }, within: 500 };
  table('upstream-closed', options, [
    ['by itself', { entries: story(stays) }, 'held', 'was closed by FIN'],
    ['by a kill', { entries: story({ ...stays, extra: killed(3_500) }) }, 'inconclusive', 'a fault had ended router by SIGKILL 5 ms before it closed'],
  ]);
});

describe('charges that could not be known', () => {
  const options = { client: 'alice', after: 'gone' };
  const paidBy = (isSeen: boolean) => (entries: readonly Entry[]): readonly Entry[] =>
    entries.map((entry) => {
      if (!isSample('ledger')(entry) || entry.fact.type !== 'sample' || entry.fact.probe !== 'ledger') return entry;
      const value = entry.fact.value!;
      const reservations = isSeen ? value.reservations.map((row) => ({ ...row, payer: 'sponsor' })) : [];
      return { ...entry, fact: { ...entry.fact, value: { ...value, reservations, charges: value.charges!.map((charge) => ({ ...charge, account: 'sponsor' })) } } };
    });
  const free: Partial<Knobs> = { charges: [] };
  table('charged-once', options, [
    ['a payer whose row was seen', { entries: paidBy(true)(story()) }, 'held', '19 charged'],
    ['a payer whose row was never seen', { entries: paidBy(false)(story()) }, 'inconclusive', 'no reservation shows who pays'],
    ['nothing, and it was killed while it served', { entries: story({ ...free, closedMs: 2_510, ownsUntilMs: 2_510, extra: [...killed(2_500), started(2_900)] }) }, 'inconclusive', 'a fault had ended router'],
    ['nothing, and it was killed when it had served', { entries: story({ ...free, extra: [...killed(4_500), started(4_900)] }) }, 'violated', 'nothing was charged'],
    ['nothing, and it stands still to the end', { entries: story({ ...free, terminalMs: null, extra: [sent(3_001, 'SIGSTOP')] }) }, 'inconclusive', 'a fault had stopped'],
    ['nothing, and it went on', { entries: story({ ...free, terminalMs: null, extra: [sent(3_001, 'SIGSTOP'), sent(3_500, 'SIGCONT')] }) }, 'violated', 'its reservation is still held'],
    ['too much, and it was killed', { entries: story({ charges: [{ atMs: 3_020, amount: 99 }], extra: killed(2_900) }) }, 'violated', 'at most'],
  ]);
});

describe('a client that stops reading more than once', () => {
  const MIB = 1024 * 1024;
  const options = { client: 'alice', 'at-most': 32 * MIB };
  const paused = (ms: number): Entry => at(ms, 'client.alice', { type: 'paused', marker: MARKER, unreadBytes: 0 });
  const resumed = (ms: number): Entry => at(ms, 'client.alice', { type: 'resumed', marker: MARKER });
  const wrote = (ms: number, bytes: number): Entry => at(ms, 'upstream.model', { type: 'answer-progress', exchange: 3, bytes, events: 10, comments: 0 });
  const got = (ms: number, bytes: number): Entry => at(ms, 'client.alice', { type: 'received', marker: MARKER, bytes, events: 1, comments: 0 });
  const blocked = (ms: number): Entry => at(ms, 'upstream.model', { type: 'write-blocked', exchange: 3, queuedBytes: 1 });
  const STAYS: Partial<Knobs> = { goneMs: null, closedMs: null, ownsUntilMs: null, servesUntilMs: null, terminalMs: null, eventsUntilMs: 1_250, refund: null };
  const ended = (ms: number, bytes: number): Entry =>
    at(ms, 'client.alice', { type: 'response-ended', marker: MARKER, how: 'truncated', endMark: false, errorEvent: null, bytes, events: 2, foreignMarkers: [] });
  const stalled = (...extra: readonly Entry[]): Row[1] => ({ entries: story({ ...STAYS, extra }) });
  table('bounded-buffering', options, [
    ['too much in the first pause', stalled(paused(1_500), wrote(2_000, 60 * MIB), resumed(3_000), got(3_100, 60 * MIB), paused(4_000), blocked(4_010)), 'violated', 'took 60.0 MiB'],
    ['too much, and all of it was read later', stalled(paused(1_500), wrote(2_000, 60 * MIB), blocked(2_010), resumed(3_000), ended(5_000, 60 * MIB)), 'violated', 'took 60.0 MiB'],
    ['read at once when it went on', stalled(paused(1_500), wrote(2_000, 60 * MIB), blocked(2_010), resumed(3_000), got(3_020, 60 * MIB)), 'violated', 'took 60.0 MiB'],
    ['a pause too short to know what was read before it', stalled(paused(1_500), wrote(1_600, 60 * MIB), blocked(1_610), resumed(1_650), got(1_660, 60 * MIB)), 'inconclusive', 'how much alice had got by then is not known'],
    ['held back by a system that stood still', stalled(paused(1_500), wrote(1_600, MIB), sent(1_605, 'SIGSTOP'), blocked(1_610)), 'inconclusive', 'a fault had stopped'],
    ['held back by one that went on', stalled(paused(1_500), wrote(1_600, MIB), sent(1_605, 'SIGSTOP'), blocked(1_610), sent(1_700, 'SIGCONT')), 'held', 'took 1023.8 KiB'],
  ]);
  table('bounded-buffering', options, [
    ['closed by its death', { entries: story({ ...STAYS, closedMs: 2_000, extra: [paused(1_500), wrote(1_600, MIB), ...killed(1_990)] }) }, 'inconclusive', 'a fault had ended router'],
  ]);
});
