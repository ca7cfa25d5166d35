// A difference between two moments, in lines for people: what is money first, then what is around it.
import type { Facts } from '../../model/facts.ts';
import type { Account, Charge, Reservation, SocketRow } from '../../model/samples.ts';
import { formatMs } from '../../model/time.ts';
import { columns, oneLine, plural } from '../text.ts';
import type { Moment, SnapshotDiff } from './diff.ts';
import type { Pair, ReservationChange } from './ledger.ts';
import { PROBES } from './points.ts';
import type { Point } from './points.ts';

/** More lines of one kind are not read; `--json` has them all. */
const MAXIMUM_LINES = 40;
const MEBIBYTE = 1024 * 1024;

const arrow = (from: unknown, to: unknown): string => `${String(from)} -> ${String(to)}`;
const moved = (name: string, from: unknown, to: unknown): string => (from === to ? `${name} ${String(to)}` : `${name} ${arrow(from, to)}`);
const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(1)} MiB`;

const accountLine = ({ id, from, to }: Pair<Account>): string => {
  const one = (account: Account): string => `balance ${account.balance}, reserved ${account.reserved}, spent ${account.spent}`;
  if (from === null) return `account ${id}: appeared, ${one(to!)}`;
  if (to === null) return `account ${id}: gone, it had ${one(from)}`;
  return `account ${id}: ${(['balance', 'reserved', 'spent'] as const).map((key) => moved(key, from[key], to[key])).join(', ')}`;
};

const leaseWords = ({ to, leaseMovedMs, leaseAgeMs, renewals }: ReservationChange, leaseMs: number | undefined): string => {
  if (to === null || leaseAgeMs === null) return '';
  const how = leaseMovedMs === null || leaseMovedMs === 0 ? '' : `, lease moved by ${formatMs(leaseMovedMs)}`;
  const often = renewals === 0 ? (leaseMovedMs === null ? '' : ', not seen renewed') : `, seen renewed ${plural(renewals, 'time')}`;
  if (to.terminal) return `${often === ', not seen renewed' ? '' : often}${how}`;
  const stale = leaseMs !== undefined && leaseAgeMs > leaseMs ? `, stale: a lease lasts ${formatMs(leaseMs)}` : '';
  const age = leaseAgeMs < 0 ? `dated ${formatMs(-leaseAgeMs)} ahead` : `${formatMs(leaseAgeMs)} old`;
  return `${often}${how}; its lease is ${age}${stale}`;
};

const reservationLine = (change: ReservationChange, leaseMs: number | undefined): string => {
  const { id, from, to } = change;
  const row = to ?? from!;
  const state = (each: Reservation): string => `${each.state}${each.reason === undefined ? '' : ` (${each.reason})`}`;
  const payer = row.payer === row.account ? '' : `, paid by ${row.payer}`;
  const title = `reservation ${id.slice(0, 8)}${row.marker === undefined ? '' : ` (${row.marker})`} of ${row.account}${payer}`;
  if (to === null) return `${title}: gone, it was ${state(row)}, ${row.amount}`;
  const words = from === null ? `appeared, ${state(to)}` : state(from) === state(to) ? `still ${state(to)}` : arrow(state(from), state(to));
  return `${title}: ${words}, ${moved('amount', from?.amount ?? to.amount, to.amount)}${leaseWords(change, leaseMs)}`;
};

const chargeLine = ({ id, from, to }: Pair<Charge>): string => {
  const charge = to ?? from!;
  const words = from === null ? `appeared, ${charge.amount}` : to === null ? `gone, it was ${charge.amount}` : arrow(from.amount, to.amount);
  return `charge ${id.slice(0, 8)}${charge.marker === undefined ? '' : ` (${charge.marker})`} of ${charge.account}: ${words}`;
};

/** Addresses by the names that the scenario has for them; ports as they are. */
const namer = (facts: Facts): ((endpoint: string) => string) => {
  const names = new Map([
    ...Object.entries(facts.clients).map(([name, { address }]) => [address, `client.${name}`] as const),
    ...Object.entries(facts.upstreams).map(([name, { address }]) => [address, `upstream.${name}`] as const),
    ...(facts.system.instances ?? [facts.system]).map(({ address }, index) => [address, index === 0 ? 'system' : `system.${index + 1}`] as const),
  ]);
  return (endpoint) => {
    const at = endpoint.lastIndexOf(':');
    const name = names.get(endpoint.slice(0, at));
    return name === undefined || name.endsWith('.') ? endpoint : `${name}${endpoint.slice(at)}`;
  };
};

const socketCells = ({ from, to }: Pair<SocketRow>, nameOf: (endpoint: string) => string): readonly string[] => {
  const row = to ?? from!;
  const owned = (each: SocketRow): string => (each.inode === 0 && each.state !== 'time-wait' ? ', nobody owns it' : '');
  const queues = (['sendQueue', 'receiveQueue'] as const)
    .filter((key) => (from?.[key] ?? 0) !== (to?.[key] ?? 0) && to !== null)
    .map((key) => `, ${moved(key === 'sendQueue' ? 'to send' : 'to read', from?.[key] ?? 0, to![key])} bytes`);
  const state = from === null ? `opened, ${to!.state}` : to === null ? `${from.state} -> gone` : from.state === to.state ? to.state : arrow(from.state, to.state);
  return [`  ${nameOf(row.local)}`, nameOf(row.remote), `${state}${to === null ? '' : owned(to)}${queues.join('')}`];
};

const some = (lines: readonly string[]): readonly string[] =>
  lines.length <= MAXIMUM_LINES ? lines : [...lines.slice(0, MAXIMUM_LINES), `  and ${lines.length - MAXIMUM_LINES} more (--json has all)`];

const indentedLines = (lines: readonly string[]): readonly string[] => some(lines.map((line) => `  ${oneLine(line)}`));

const ledgerLines = ({ ledger }: SnapshotDiff, facts: Facts): readonly string[] =>
  ledger === null
    ? []
    : [
        ...indentedLines(ledger.accounts.map(accountLine)),
        ...indentedLines(ledger.reservations.map((change) => reservationLine(change, facts.periods.leaseMs))),
        ...indentedLines(ledger.charges.map(chargeLine)),
        ...(ledger.isConsistent ? [] : ['  not read in one transaction: the parts of one look may not fit each other']),
      ];

const processLines = ({ process }: SnapshotDiff): readonly string[] => {
  if (process === null) return [];
  const { alive, appeared, gone, rssBytes, fileBytes } = process;
  const is = (value: boolean | null): string => (value === null ? 'unknown' : value ? 'alive' : 'not alive');
  return indentedLines([
    ...alive.map(({ id, from, to }) => `${id}: ${arrow(is(from), is(to))}`),
    ...(appeared.length > 0 ? [`new processes: ${appeared.join(', ')}`] : []),
    ...(gone.length > 0 ? [`processes gone: ${gone.join(', ')}`] : []),
    ...(rssBytes.from === rssBytes.to ? [] : [`memory ${arrow(mebibytes(rssBytes.from), mebibytes(rssBytes.to))}`]),
    ...(fileBytes && fileBytes.from !== fileBytes.to ? [`open files ${arrow(mebibytes(fileBytes.from), mebibytes(fileBytes.to))}`] : []),
  ]);
};

const httpLines = ({ http }: SnapshotDiff): readonly string[] =>
  http === null
    ? []
    : indentedLines([
        ...(http.status.from === http.status.to ? [] : [`status ${arrow(http.status.from, http.status.to)}`]),
        ...http.fields.map(({ id, from, to }) => `${id}: ${arrow(JSON.stringify(from), JSON.stringify(to))}`),
      ]);

const KINDS: Readonly<Record<Point['kind'], (mark: string) => readonly string[]>> = {
  snapshot: () => [],
  mark: (mark) => [`${mark} has no snapshot of its own: it is compared by the last looks before it`],
  last: (mark) => [`no snapshot was taken at the ${mark}: it is compared by the last looks of the record`],
};

const distance = (from: Moment, to: Moment): string =>
  to.atMs >= from.atMs ? `${formatMs(to.atMs - from.atMs)} later` : `${formatMs(from.atMs - to.atMs)} earlier`;

/** @param title of the run */
export const diffText = (title: string, diff: SnapshotDiff, facts: Facts): string => {
  const { from, to, unseen } = diff;
  const nameOf = namer(facts);
  const parts: readonly (readonly [string, boolean, readonly string[]])[] = [
    ['ledger', diff.ledger !== null, ledgerLines(diff, facts)],
    ['sockets', diff.sockets !== null, some(columns((diff.sockets?.sockets ?? []).map((pair) => socketCells(pair, nameOf))))],
    ['process', diff.process !== null, processLines(diff)],
    ['http', diff.http !== null, httpLines(diff)],
  ];
  const lines = [
    `${oneLine(title)}: from ${from.mark} (${formatMs(from.atMs)}) to ${to.mark} (${formatMs(to.atMs)}), ${distance(from, to)}`,
    ...KINDS[from.kind](from.mark), ...KINDS[to.kind](to.mark),
    ...parts.flatMap(([probe, isSeen, found]) => (isSeen ? ['', found.length === 0 ? `${probe}: nothing changed` : probe, ...found] : [])),
    ...(unseen.length === 0 ? [] : ['', ...unseen.map(({ probe, mark, why }) => `not compared: ${probe} at ${mark}: ${oneLine(why)}`)]),
  ];
  return `${lines.join('\n')}\n`;
};

const WHAT: Readonly<Record<Point['kind'], string>> = { snapshot: 'snapshot', mark: 'mark, no snapshot', last: 'the last looks' };

/** What can be compared. */
export const pointsText = (title: string, points: readonly Point[]): string => {
  const rows = points.map(({ mark, kind, atMs, looks }) => {
    const seen = PROBES.filter((probe) => looks[probe]?.value !== undefined);
    return [`  ${oneLine(mark)}`, formatMs(atMs), WHAT[kind], seen.join(', ') || 'nothing seen'];
  });
  const head = points.length === 0 ? `${oneLine(title)}: no moment of it can be compared` : `${oneLine(title)}: moments that can be compared`;
  return `${[head, ...columns(rows)].join('\n')}\n`;
};
