// Whose leave a claim speaks of, whether it can have arrived, what it left, and where it means nothing.
import { describe, expect, test } from 'vitest';
import { FACTS } from '../fixtures/facts.ts';
import { asked, connected, ended, finished, got, left, marked, noted, planned, sockets, tiny, written, wrote } from '../fixtures/tiny.ts';
import type { Entry } from '../fixtures/timeline.ts';
import type { Facts } from '../../model/facts.ts';
import type { Options } from '../../model/fields.ts';
import { endsOf, lettingOf } from './ends.ts';
import { isFinding } from './finding.ts';
import { momentOf } from './moment.ts';
import type { Moment } from './moment.ts';
import { clientsAt, drainDoesNotApply, endDoesNotApply, isDeaf, leaveArrives, leaveDoesNotApply, serveDoesNotApply, wasStreaming, withheldNote } from './subject.ts';

const leaves = (...all: readonly (readonly [client: string, how: string, mark?: string, quiet?: boolean])[]): Partial<Facts> => ({
  leaves: all.map(([client, how, mark = 'gone', quiet]) => ({ mark, client, how, ...(quiet === undefined ? {} : { quiet }) })),
});
const head = (ms: number, status: number): Entry => ({ atMs: ms, actor: 'client.alice', fact: { type: 'response-head', marker: 'm.alice', status, contentType: null } });

test.each<[string, readonly Entry[], Partial<Facts>, readonly string[]]>([
  ['who leaves at it, as the script has it', [marked(30, 'gone', 'bob')], leaves(['alice', 'fin'], ['carol', 'fin', 'other']), ['alice']],
  ['who set it', [marked(30, 'gone', 'bob'), marked(31, 'gone', null), marked(32, 'other', 'carol')], leaves(), ['bob']],
  ['who asked', [planned(5, 'bob'), planned(6), marked(32, 'other', 'carol')], leaves(), ['alice', 'bob']],
])('whose mark: %s', (_, entries, facts, clients) => expect(clientsAt(tiny([planned(0), ...entries], facts).view, 'gone')).toEqual(clients));

describe('a leave', () => {
  const moment = (entries: readonly Entry[]) => {
    const { view, exchange } = tiny([planned(0), ...entries]);
    const found = momentOf(view, 'gone', exchange);
    if (isFinding(found)) throw new Error(found.reason);
    return { view, exchange, moment: found };
  };
  const arrives = (...entries: readonly Entry[]): string | undefined => {
    const { view, exchange, moment: found } = moment([marked(30), ...entries]);
    return leaveArrives(view, exchange, found)?.reason;
  };
  const path = (how: 'fin' | 'rst', seen = true): Entry => noted(10, { type: 'path-control', leg: 'client', how, seen, tookMs: 1 });
  test('arrives as the path control saw', () => {
    expect(arrives(left(31), path('fin'))).toBeUndefined();
    expect(arrives(left(31), path('rst'))).toContain('no FIN was tried');
    expect(arrives(left(31, 'alice', { how: 'rst', wire: 'rst' }), path('rst', false))).toContain('a direct RST on the client leg was not seen');
    expect(arrives(left(31), path('fin'), noted(31, { type: 'actor-failed', process: 'clients', error: 'x' }))).toContain('the watching process clients');
    expect(arrives(left(31), path('fin'), noted(32, { type: 'actor-failed', process: 'clients', error: 'x' }))).toBeUndefined();
  });
  test('is nowhere to arrive where nothing went out', () => expect(arrives(left(31, 'alice', { how: 'vanish', wire: 'nothing' }))).toBeUndefined());
  test('is none where she only set a mark', () => {
    const { view, exchange } = tiny([planned(0), marked(30, 'x')]);
    expect(leaveArrives(view, exchange, momentOf(view, 'x', exchange) as Moment)).toBeNull();
  });

  test.each<[string, readonly Entry[], string | null]>([
    ['an error', [head(20, 400)], 'precondition stream was not met: the system answered alice with status 400 before'],
    ['an error in the very moment', [head(30, 500)], 'status 500 before'],
    ['an error later', [head(31, 500)], null],
    ['a stream', [head(20, 399)], null],
    ['an answer that had ended', [ended(30)], 'precondition stream was not met: the answer to alice had ended (complete) before'],
    ['an answer that ended later', [ended(32)], null],
  ])('leaves %s', (_, entries, reason) => {
    const { exchange, moment: found } = moment([marked(30), left(31), ...entries]);
    const finding = wasStreaming(exchange, found);
    expect(finding && [finding.reason, finding.evidence]).toEqual(reason && [expect.stringContaining(reason), ['client.alice#1']]);
    expect(wasStreaming(exchange, { ...found, leave: null })).toBeNull();
  });
});

describe('a client', () => {
  const turn = (ms: number, type: 'paused' | 'resumed', marker = 'm.alice'): Entry =>
    ({ atMs: ms, actor: 'client.alice', fact: type === 'paused' ? { type, marker, unreadBytes: 0 } : { type, marker } });
  const deaf = (...entries: readonly Entry[]): boolean => {
    const { view, exchange } = tiny([planned(0), ...entries]);
    return isDeaf(view, exchange, 50);
  };
  test('reads, or does not', () => {
    expect(deaf()).toBe(false);
    expect(deaf(turn(50, 'paused'))).toBe(true);
    expect(deaf(turn(51, 'paused'))).toBe(false);
    expect(deaf(turn(40, 'paused'), turn(45, 'resumed'))).toBe(false);
    expect(deaf(turn(40, 'paused'), turn(51, 'resumed'))).toBe(true);
    expect(deaf(turn(40, 'paused', 'm.bob'))).toBe(false);
    expect(deaf(turn(40, 'paused'), turn(45, 'resumed', 'm.bob'))).toBe(true);
    expect(deaf(left(50, 'alice', { how: 'vanish', wire: 'nothing' }))).toBe(true);
    expect(deaf(left(51, 'alice', { how: 'vanish', wire: 'nothing' }))).toBe(false);
    expect(deaf(left(40))).toBe(false);
  });

  const NOTE = /^the first chunk, written \d+ ms before, never reached alice: the system buffers$/;
  test.each<[string, readonly Entry[], boolean]>([
    ['nothing was written', [left(900)], false],
    ['comments of no byte', [wrote(100, 0, 0), left(900)], false],
    ['nothing came', [wrote(100, 1), left(351)], true],
    ['nothing came, within the margin', [wrote(100, 1), left(350)], false],
    ['it came', [wrote(100, 1), got(200, 1), left(900)], false],
    ['it came in the very moment', [wrote(100, 1), got(900, 1), left(900)], false],
    ['it came when she had left', [wrote(100, 1), got(901, 1), left(900)], true],
    ['nothing but a count of nothing came', [wrote(100, 1), got(200, 0), left(900)], true],
    ['it came when she had been told', [wrote(100, 1), ended(900), got(901, 1)], true],
    ['nothing came to the end of the record', [wrote(100, 1), marked(900)], true],
    ['she did not read', [wrote(100, 1), turn(90, 'paused'), left(900)], false],
    ['of the last attempt', [wrote(100, 1), asked(800, 'alice', 2), wrote(850, 1, 1, 2), left(900)], false],
  ])('the first chunk: %s', (_, entries, isWithheld) => {
    const { view, exchange } = tiny([planned(0), asked(10), ...entries]);
    expect(withheldNote(view, exchange) ?? '').toMatch(isWithheld ? NOTE : /^$/);
  });
});

describe('does not apply', () => {
  const drain: Partial<Facts> = { policy: { ...FACTS.policy, onDisconnect: 'drain' }, bounds: { drain: 2_000 } };
  const serve: Partial<Facts> = { policy: { ...FACTS.policy, halfClose: 'serve' } };
  const people = { alice: { account: 'acc', address: '' }, bob: { account: 'acc', address: '' }, carol: { account: 'other', address: '' } };
  type Of = (facts: Facts, options: Options) => string | null;
  const cases = (of: Of, rows: readonly (readonly [string, Partial<Facts>, Options, string | null])[]): void => {
    for (const [name, facts, options, words] of rows) test(name, () => expect(of({ ...FACTS, clients: people, ...facts }, options)).toEqual(words && expect.stringContaining(words)));
  };
  cases(leaveDoesNotApply, [
    ['vanish', leaves(['alice', 'vanish']), { after: 'gone' }, 'alice vanishes: nothing goes out'],
    ["another's vanish", leaves(['alice', 'fin'], ['bob', 'vanish']), { after: 'gone', client: 'alice' }, null],
    ['a vanish at another mark', leaves(['alice', 'vanish', 'other']), { after: 'gone' }, null],
    ['served on', { ...serve, ...leaves(['alice', 'half-close']) }, { after: 'gone' }, 'alice leaves by half-close, which the card'],
    ['a quiet FIN, served on', { ...serve, ...leaves(['alice', 'fin', 'gone', true]) }, { after: 'gone' }, 'alice leaves by fin'],
    ['a quiet kill, served on', { ...serve, ...leaves(['alice', 'kill', 'gone', true]) }, { after: 'gone' }, 'alice leaves by kill'],
    ['a quiet reset', { ...serve, ...leaves(['alice', 'rst', 'gone', true]) }, { after: 'gone' }, null],
    ['a FIN on a stream', { ...serve, ...leaves(['alice', 'fin', 'gone', false]) }, { after: 'gone' }, null],
  ]);
  cases(drainDoesNotApply, [
    ['drained for longer', { ...drain, ...leaves(['alice', 'fin']) }, { after: 'gone', within: 1_999 }, "after alice's leave it may read on for 2.0 s"],
    ['drained for as long', { ...drain, ...leaves(['alice', 'fin']) }, { after: 'gone', within: 2_000 }, null],
    ['drained, where nothing is said of how long', { ...drain, ...leaves(['alice', 'fin']) }, { after: 'gone' }, 'may read on for 2.0 s'],
    ['drained without a bound', { ...drain, bounds: {}, ...leaves(['alice', 'fin']) }, { after: 'gone', within: 9_000 }, 'without a bound'],
    ['of who does not leave', { ...drain, ...leaves(['bob', 'fin']) }, { after: 'gone', client: 'alice', within: 1 }, null],
    ['of the one who is asked about', { ...drain, ...leaves(['bob', 'fin'], ['alice', 'fin']) }, { after: 'gone', client: 'alice', within: 1 }, "after alice's leave"],
  ]);
  cases(serveDoesNotApply, [
    ['who is of no account is like who is unknown', { ...serve, clients: { alice: { account: null, address: '' } }, ...leaves(['zoe', 'half-close']) }, { client: 'alice' }, 'zoe leaves'],
    ['of another account', { ...serve, ...leaves(['carol', 'half-close']) }, { client: 'alice' }, null],
    ['of the same account', { ...serve, ...leaves(['bob', 'half-close']) }, { client: 'alice' }, 'bob leaves by half-close'],
    ['of nobody', { ...serve, ...leaves(['zoe', 'half-close']) }, {}, null],
  ]);
  cases(endDoesNotApply, [
    ['drained beyond the watch', { ...drain, watchMs: 1_999, ...leaves(['alice', 'fin']) }, { client: 'alice' }, 'the card\'s policy drains'],
    ['drained within it', { ...drain, watchMs: 2_000, ...leaves(['alice', 'fin']) }, { client: 'alice' }, null],
    ['where just that is tested', { ...drain, watchMs: 1, tests: 'drain', ...leaves(['alice', 'fin']) }, { client: 'alice' }, null],
    ['by who vanished', { ...drain, watchMs: 1, ...leaves(['alice', 'vanish']) }, { client: 'alice' }, null],
    ['by the first who did not vanish', { ...drain, watchMs: 1, ...leaves(['bob', 'vanish'], ['alice', 'fin']) }, { client: 'alice' }, "after alice's leave"],
  ]);
});

describe("the system's end of a connection", () => {
  const OWN = { local: FACTS.system.listen, remote: 'c:1' };
  const ends = (...entries: readonly Entry[]) => endsOf(tiny([planned(0), connected(1), written(2), finished(3), ...entries]).view.timeline, { local: 'c:1', peer: FACTS.system.listen });
  test('is that of both its ends', () => {
    expect(ends(sockets(10, { ...OWN, remote: 'c:2' }), sockets(20, { ...OWN, local: 'c:1' }), sockets(30, OWN)).map(({ row }) => row !== undefined)).toEqual([false, false, true]);
  });
  const letting = (...entries: readonly Entry[]): string => {
    const found = lettingOf(ends(...entries), 100, 200, 250);
    return 'end' in found ? `${found.state} ${found.end.reading.atMs}` : found.state;
  };
  const none = { ...OWN, local: 'x' };
  test.each<[string, readonly Entry[], string]>([
    ['never seen', [sockets(50, none)], 'unseen'],
    ['never owned', [sockets(50, { ...OWN, inode: 0 })], 'unseen'],
    ['owned in a sample that began when it was due', [sockets(201, OWN)], 'unsampled'],
    ['owned only in one that began later', [sockets(202, OWN)], 'unseen'],
    ['gone', [sockets(50, OWN), sockets(101, none)], 'gone 101'],
    ['orphaned', [sockets(50, OWN), sockets(101, { ...OWN, inode: 0 })], 'gone 101'],
    ['gone as late as may be', [sockets(50, OWN), sockets(200, none)], 'gone 200'],
    ['gone later', [sockets(50, OWN), sockets(201, none)], 'unsampled'],
    ['gone in a sample that began before', [sockets(50, OWN), sockets(100, none), sockets(300, none)], 'unsampled'],
    ['owned in one that began when it was surely late', [sockets(50, OWN), sockets(251, OWN)], 'unsampled'],
    ['owned in one that began later', [sockets(50, OWN), sockets(252, OWN), sockets(300, OWN)], 'owned 300'],
    ['not yet accepted, and then owned', [sockets(120, { ...OWN, inode: 0 }), sockets(130, OWN), sockets(190, none)], 'gone 190'],
  ])('%s', (_, entries, words) => expect(letting(...entries)).toBe(words));
});
