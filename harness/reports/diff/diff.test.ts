// Two moments of a run beside each other: which moments there are, what is told of money, leases and sockets, and what cannot be.
import { expect, test } from 'vitest';
import { FACTS } from '../../bundle/fixture.ts';
import type { Fact, Observation } from '../../model/observation.ts';
import type { LedgerValue, Reservation, SocketRow } from '../../model/samples.ts';
import { createTimeline } from '../../model/timeline.ts';
import { diffPoints } from './diff.ts';
import { pointsOf } from './points.ts';
import { diffText, pointsText } from './text.ts';

const WALL_MS = 1_700_000_000_000;
type Row = Partial<Reservation> & { readonly id: string };

const ACTIVE = { account: '1', payer: '1', amount: 100, state: 'active', terminal: false, leaseAtMs: WALL_MS };
const CHARGED = { state: 'charged', terminal: true };
const OPEN: SocketRow = {
  local: '127.0.0.2:4000', remote: '127.0.0.4:9000', state: 'established', sendQueue: 0, receiveQueue: 0, inode: 7,
};
const LISTENS = { local: '127.0.0.2:8000', remote: '0.0.0.0:0', state: 'listen' } as const;

const ledger = (atMs: number, rows: readonly Row[], more: Partial<LedgerValue> = {}): LedgerValue => ({
  accounts: [{ id: '1', balance: 900, reserved: 100, spent: 0 }],
  reservations: rows.map((row) => ({ ...ACTIVE, ...row })),
  charges: [],
  consistent: true,
  wallMs: WALL_MS + atMs,
  ...more,
});

const seqs = new Map<string, number>();
const at = (atMs: number, actor: string, fact: Fact): Observation => {
  seqs.set(actor, (seqs.get(actor) ?? 0) + 1);
  return { atMs, actor, seq: seqs.get(actor)!, ...fact };
};
const look = (atMs: number, mark: string | null, value: LedgerValue): Observation =>
  at(atMs, 'probe.ledger', { type: 'sample', probe: 'ledger', tookMs: 1, value, ...(mark === null ? {} : { mark }) });
const sockets = (atMs: number, mark: string, rows: readonly Partial<SocketRow>[]): Observation =>
  at(atMs, 'probe.sockets', {
    type: 'sample', probe: 'sockets', tookMs: 1, mark,
    value: { rows: rows.map((row) => ({ ...OPEN, ...row })) },
  });
const mark = (atMs: number, name: string): Observation => at(atMs, 'client.alice', { type: 'mark', mark: name, client: 'alice' });

const between = (from: string, to: string, ...observations: readonly Observation[]) => {
  const timeline = createTimeline(observations);
  const points = pointsOf(timeline);
  const point = (name: string) => points.find((each) => each.mark === name)!;
  const diff = diffPoints(point(from), point(to), timeline);
  return { diff, text: diffText('a run', diff, FACTS) };
};

test('a row that goes on being renewed, one that has gone stale, one that was released, and one that came', () => {
  const lease = (id: string, ms: number): Row => ({ id, leaseAtMs: WALL_MS + ms });
  const { diff, text } = between(
    'gone', 'gone+lease',
    look(1_000, 'gone', ledger(1_000, [lease('renewed', 900), lease('stale', 500), { id: 'released', reason: 'x' }])),
    look(1_500, null, ledger(1_500, [lease('renewed', 1_400), lease('stale', 500)])),
    look(2_500, 'gone+lease', ledger(2_500, [
      lease('renewed', 2_400), lease('stale', 500), { id: 'released', state: 'released', terminal: true, reason: 'left' }, { id: 'new', marker: 'hx.bob.1' },
    ])),
  );
  const told = diff.ledger!.reservations.map(({ id, renewals, leaseMovedMs, leaseAgeMs }) => ({ id, renewals, leaseMovedMs, leaseAgeMs }));
  expect(told).toEqual([
    { id: 'renewed', renewals: 2, leaseMovedMs: 1_500, leaseAgeMs: 100 },
    { id: 'stale', renewals: 0, leaseMovedMs: 0, leaseAgeMs: 2_000 },
    { id: 'released', renewals: 0, leaseMovedMs: 0, leaseAgeMs: 2_500 },
    { id: 'new', renewals: 0, leaseMovedMs: null, leaseAgeMs: 2_500 },
  ]);
  expect(text).toContain('a run: from gone (999 ms) to gone+lease (2.5 s), 1.5 s later');
  const renewed = 'still active, amount 100, seen renewed 2 times, lease moved by 1.5 s; its lease is 100 ms old';
  expect(text).toContain(`reservation renewed of 1: ${renewed}\n`);
  const stale = 'still active, amount 100, not seen renewed; its lease is 2.0 s old, stale: a lease lasts 1.5 s';
  expect(text).toContain(`reservation stale of 1: ${stale}\n`);
  expect(text).toContain('reservation released of 1: active (x) -> released (left), amount 100\n');
  expect(text).toContain('reservation new (hx.bob.1) of 1: appeared, active, amount 100; its lease is 2.5 s old');
  expect(text).not.toContain('account');
});

test('money, charges, rows that are gone, and a lease that lies ahead', () => {
  const { text } = between(
    'a', 'b',
    look(1, 'a', ledger(1, [{ id: 'over', ...CHARGED }, { id: 'same', ...CHARGED }], { charges: [{ id: 'c1', account: '1', amount: 5 }] })),
    look(2, 'b', ledger(2, [{ id: 'same', ...CHARGED }, { id: 'ahead', payer: '2', leaseAtMs: WALL_MS + 5_002 }], {
      accounts: [{ id: '1', balance: 893, reserved: 100, spent: 7 }, { id: '2', balance: 1, reserved: 0, spent: 0 }],
      charges: [{ id: 'c1', account: '1', amount: 6 }, { id: 'c2', account: '1', amount: 1, marker: 'hx.alice.1' }],
      consistent: false,
    })),
  );
  expect(text).toContain('account 1: balance 900 -> 893, reserved 100, spent 0 -> 7\n');
  expect(text).toContain('account 2: appeared, balance 1, reserved 0, spent 0\n');
  expect(text).toContain('reservation over of 1: gone, it was charged, 100\n');
  expect(text).toContain('paid by 2: appeared, active, amount 100; its lease is dated 5.0 s ahead');
  expect(text).toContain('charge c1 of 1: 5 -> 6\n');
  expect(text).toContain('charge c2 (hx.alice.1) of 1: appeared, 1\n');
  expect(text).toContain('not read in one transaction');
  expect(text).not.toContain('reservation same');
});

test('sockets by the names of the scenario: opened, gone, other states and queues', () => {
  const { text } = between(
    'a', 'b',
    sockets(1, 'a', [{}, { local: '127.0.0.2:8000', remote: '127.0.0.3:5000' }, { local: '127.0.0.2:4001' }, LISTENS]),
    sockets(2, 'b', [{ state: 'close-wait', receiveQueue: 12 }, { local: '127.0.0.2:4001', inode: 0 }, LISTENS, { local: '10.9.9.9:1', state: 'time-wait', inode: 0 }]),
  );
  expect(text).toMatch(/system:4000 +upstream\.model:9000 +established -> close-wait, to read 0 -> 12 bytes\n/);
  expect(text).toMatch(/system:8000 +client\.alice:5000 +established -> gone\n/);
  expect(text).toMatch(/system:4001 +upstream\.model:9000 +established, nobody owns it\n/);
  expect(text).toMatch(/10\.9\.9\.9:1 +upstream\.model:9000 +opened, time-wait\n/);
  expect(text).not.toContain('listen');
});

test('processes and status fields', () => {
  const process = (atMs: number, name: string, value: object): Observation =>
    at(atMs, 'probe.process', {
      type: 'sample', probe: 'process', tookMs: 1, mark: name, value: { runDelayMs: 0, runDelays: {}, ...value } as never,
    });
  const http = (atMs: number, name: string, value: { status: number; fields: Record<string, unknown> }): Observation =>
    at(atMs, 'probe.http', { type: 'sample', probe: 'http', tookMs: 1, mark: name, value });
  const { text } = between(
    'a', 'b',
    process(1, 'a', { alive: { router: true, store: true }, pids: [1, 2], rssBytes: 1_048_576, fileBytes: 0 }),
    http(2, 'a', { status: 200, fields: { idle: 4, busy: 0 } }),
    process(3, 'b', { alive: { router: false, store: true }, pids: [2, 3], rssBytes: 3_145_728, fileBytes: 1_048_576 }),
    http(4, 'b', { status: 503, fields: { idle: null, busy: 0 } }),
  );
  const changes = ['router: alive -> not alive', 'new processes: 3', 'processes gone: 1', 'memory 1.0 MiB -> 3.0 MiB', 'open files 0.0 MiB -> 1.0 MiB'];
  expect(text).toContain(['process', ...changes].join('\n  '));
  expect(text).toContain('http\n  status 200 -> 503\n  idle: 4 -> null\n');
});

test('what could not be seen is not compared, and nothing of it is said', () => {
  const { diff, text } = between(
    'gone', 'end',
    look(1, 'gone', ledger(1, [{ id: 'r' }])),
    sockets(1, 'gone', [{}]),
    at(2, 'probe.ledger', { type: 'sample', probe: 'ledger', tookMs: 250, mark: 'end', error: 'database is locked' }),
    sockets(2, 'end', [{}]),
  );
  expect(diff.ledger).toBeNull();
  expect(text).toContain('not compared: ledger at end: database is locked\n');
  expect(text).toContain('sockets: nothing changed\n');
  expect(text).not.toMatch(/reservation|account|process/);
});

test('moments: snapshots, marks without one by the last looks before them, and the end of a record that broke off', () => {
  const timeline = createTimeline([
    look(10, 'baseline', ledger(10, [])),
    look(100, null, ledger(100, [{ id: 'early' }])),
    mark(110, 'sent'),
    look(120, null, ledger(120, [{ id: 'early', state: 'other' }])),
    mark(150, 'gone'),
    look(151, 'gone', ledger(151, [{ id: 'own' }])),
    look(160, 'gone', ledger(160, [{ id: 'again' }])),
    look(170, null, ledger(170, [{ id: 'last' }])),
    at(180, 'harness', { type: 'phase', phase: 'drive', edge: 'end' }),
  ]);
  const points = pointsOf(timeline);
  expect(points.map((point) => [point.mark, point.kind, point.looks.ledger?.value?.reservations[0]?.id])).toEqual([
    ['baseline', 'snapshot', undefined], ['sent', 'mark', 'early'], ['gone', 'snapshot', 'own'], ['end', 'last', 'last'],
  ]);
  expect(points[1]!.looks.ledger!.value!.reservations[0]!.state).toBe('active');
  expect(pointsText('a run', points)).toMatch(/^a run: moments that can be compared\n {2}baseline +9 ms +snapshot +ledger\n/);
  const text = diffText('a run', diffPoints(points[1]!, points[3]!, timeline), FACTS);
  expect(text).toContain('sent has no snapshot of its own: it is compared by the last looks before it');
  expect(text).toContain('no snapshot was taken at the end: it is compared by the last looks of the record');
});

test('a record of nothing has no moments, and one that is compared backwards says so', () => {
  expect(pointsText('a run', pointsOf(createTimeline([])))).toBe('a run: no moment of it can be compared\n');
  const { text } = between('b', 'a', look(1_000, 'a', ledger(1, [])), look(3_000, 'b', ledger(2, [])));
  expect(text).toContain('2.0 s earlier');
});

test('of a crowd some lines are shown, and it is said how many are not', () => {
  const rows = Array.from({ length: 100 }, (_, index) => ({ id: `row-${index}` }));
  const { text } = between('a', 'b', look(1, 'a', ledger(1, [])), look(2, 'b', ledger(2, rows)));
  expect(text.match(/reservation row/g)).toHaveLength(40);
  expect(text).toContain('and 60 more (--json has all)');
});
