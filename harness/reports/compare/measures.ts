// What was measured in a run around one moment: when the upstream was closed, when the reservation ended, how long it was
// renewed, what was written and charged. Absent is what the run does not show; that something was not seen is told as such.
import { chargesOf } from '../../model/charges.ts';
import { exchangesOf, totalsAfter, totalsBefore } from '../../model/exchanges.ts';
import type { Exchange } from '../../model/exchanges.ts';
import type { Facts } from '../../model/facts.ts';
import { holdingsOf } from '../../model/leases.ts';
import type { Life } from '../../model/leases.ts';
import { readingsOf } from '../../model/readings.ts';
import { formatMs } from '../../model/time.ts';
import type { Timeline } from '../../model/timeline.ts';
import { plural } from '../text.ts';

export type Measure = readonly [what: string, value: string];

/** More clients than this are a crowd, and told by their claims. */
const MAXIMUM_CLIENTS = 4;

const after = (atMs: number | undefined, markMs: number, missing: string): string => {
  if (atMs === undefined) return missing;
  return atMs >= markMs ? `after ${formatMs(atMs - markMs)}` : `${formatMs(markMs - atMs)} before`;
};

const upstreamMeasures = ({ upstreams }: Exchange, markMs: number, who: string): readonly Measure[] =>
  upstreams.flatMap(({ name, closed, ended, progress }, index): readonly Measure[] => {
    const where = `${who}upstream ${name}${upstreams.length > 1 ? `, request ${index + 1}` : ''}`;
    const how = closed ? ` (${closed.type === 'peer-closed' ? closed.how.toUpperCase() : 'socket gone'})` : '';
    const [before, last] = [totalsAfter(progress, markMs), progress.at(-1) ?? ended];
    return [
      [`${where} closed by the system`, after(closed?.atMs, markMs, ended ? `not: ended ${after(ended.atMs, markMs, '')}` : 'never seen') + how],
      ...(last ? [[`${where} wrote from then on`, `${plural(Math.max(0, last.events - before.events), 'event')}, ${plural(Math.max(0, last.bytes - before.bytes), 'byte')}`] as const] : []),
    ];
  });

const lastRenewalOf = ({ rows }: Life): number | undefined =>
  rows.findLast(({ row }, index) => !row.terminal && (row.leaseAtMs ?? 0) > (rows[index - 1]?.row.leaseAtMs ?? Infinity))?.reading.atMs;

const ledgerMeasures = (timeline: Timeline, exchange: Exchange, markMs: number, who: string): readonly Measure[] => {
  const readings = readingsOf(timeline, 'ledger');
  const last = readings.at(-1);
  if (!last) return [];
  const { own, ownerless } = holdingsOf(timeline, exchange);
  const lives = [...own, ...ownerless];
  const baseline = readings.findLast(({ atMs }) => atMs <= exchange.planned.atMs) ?? readings[0]!;
  const charged = chargesOf(timeline, exchange, baseline).at(last);
  return [
    ...lives.flatMap((life, index): readonly Measure[] => {
      const where = `${who}reservation${lives.length > 1 ? ` ${index + 1}` : ''}`;
      const over = life.rows.find(({ row }) => row.terminal);
      return [
        [`${where} terminal`, after(over?.reading.atMs, markMs, 'never seen') + (over ? ` (${over.row.state})` : '')],
        [`${where} last renewed`, after(lastRenewalOf(life), markMs, 'never seen')],
      ];
    }),
    [`${who}charged`, charged.length === 0 ? 'nothing' : `${charged.reduce((sum, { amount }) => sum + amount, 0)} in ${plural(charged.length, 'charge')}`],
  ];
};

const clientMeasures = ({ received, ended }: Exchange, markMs: number, who: string): readonly Measure[] => [
  [`${who}client had got`, plural(totalsBefore(received, markMs).events, 'event')],
  ...(ended ? [[`${who}client was told`, `${after(ended.atMs, markMs, '')} (${ended.how})`] as const] : []),
];

/** The one that was under way at that moment, else the first after it. */
const exchangeAt = (exchanges: readonly Exchange[], markMs: number): Exchange | undefined =>
  exchanges.findLast(({ planned }) => planned.atMs <= markMs) ?? exchanges[0];

const systemMeasures = (timeline: Timeline, facts: Facts, markMs: number): readonly Measure[] => {
  const exited = timeline.of('process-exited').find(({ process }) => process === facts.system.main);
  const refunds = timeline.of('refund');
  return [
    ...refunds.map(({ account, verdict, status, attempt }): Measure =>
      [`refund of ${account}${refunds.length > 1 ? `, attempt ${attempt}` : ''}`, `${verdict}${status === null ? '' : ` (${status})`}`]),
    [`${facts.system.main} ended`, after(exited?.atMs, markMs, 'never seen') + (exited ? ` (${exited.signal ?? `code ${exited.code}`})` : '')],
  ];
};

/** In the order in which they are read, each name once. Times are relative to `markMs`. */
export const measuresOf = (timeline: Timeline, facts: Facts, markMs: number, client: string | null): readonly Measure[] => {
  const byClient = Map.groupBy(exchangesOf(timeline), (exchange) => exchange.client);
  const all = [...byClient.keys()];
  const clients = all.length <= MAXIMUM_CLIENTS ? all : all.filter((each) => each === client);
  return [
    ...clients.flatMap((name) => {
      const exchange = exchangeAt(byClient.get(name)!, markMs);
      const who = clients.length > 1 ? `${name}: ` : '';
      if (!exchange) return [];
      return [...upstreamMeasures(exchange, markMs, who), ...ledgerMeasures(timeline, exchange, markMs, who), ...clientMeasures(exchange, markMs, who)];
    }),
    ...systemMeasures(timeline, facts, markMs),
  ];
};
