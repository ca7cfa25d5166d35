// Whether the reservations of one exchange came to a terminal state in time. Rows where the ledger has
// them; else the account's aggregate, which is back where it was before.
import type { Exchange } from '../../model/exchanges.ts';
import { exchangesOf } from '../../model/exchanges.ts';
import { holdingsOf } from '../../model/leases.ts';
import type { LedgerReading, Life, RowReading } from '../../model/leases.ts';
import { readingsOf } from '../../model/readings.ts';
import { formatMs } from '../../model/time.ts';
import type { Finding } from '../../model/verdict.ts';
import { billingClassOf, renewalsAfter, withClass } from './billing-class.ts';
import type { Span } from './closing.ts';
import { held, inconclusive, isFinding, violated, worstOf } from './finding.ts';
import { accountIn, baselineOf } from './ledger.ts';
import { ledgerOutagesOf } from './outage.ts';
import type { View } from './view.ts';
import { count, reservationWords, since } from './words.ts';

/** What is seen of one thing that must end: whether it had, sample by sample. */
type Track = {
  readonly name: string;
  readonly states: readonly { readonly reading: LedgerReading; readonly isOver: boolean; readonly state: string }[];
  readonly life: Life | null;
  /** Of a total: another exchange of the account may be what keeps it up. */
  readonly isShared: boolean;
};

/** Others of the account whose money was not seen back before this one asked. */
const isShared = (view: View, exchange: Exchange, before: number): boolean =>
  exchangesOf(view.timeline).some(({ marker, account, ended, left }) => {
    if (marker === exchange.marker || account !== exchange.account) return false;
    const endMs = Math.min(ended?.atMs ?? Infinity, left?.atMs ?? Infinity);
    return !readingsOf(view.timeline, 'ledger').some(
      (reading) =>
        reading.beganMs >= endMs && reading.atMs <= exchange.planned.atMs && (accountIn(reading, account)?.reserved ?? Infinity) <= before,
    );
  });

const trackOfLife = (readings: readonly LedgerReading[], life: Life): Track => {
  const rows = new Map<LedgerReading['ref'], RowReading>(life.rows.map((row) => [row.reading.ref, row]));
  const firstMs = life.rows[0]!.reading.atMs;
  return {
    name: reservationWords(life.id),
    life,
    isShared: false,
    states: readings
      .filter(({ atMs }) => atMs >= firstMs)
      .map((reading) => {
        const row = rows.get(reading.ref)?.row;
        return { reading, isOver: row?.terminal ?? true, state: row?.state ?? 'gone' };
      }),
  };
};

const trackOfAggregate = (view: View, readings: readonly LedgerReading[], exchange: Exchange): Track | Finding => {
  const baseline = baselineOf(view);
  if (isFinding(baseline)) return baseline;
  const before = accountIn(baseline, exchange.account)?.reserved ?? 0;
  return {
    name: `the reserved total of ${exchange.client}'s account`,
    life: null,
    isShared: isShared(view, exchange, before),
    states: readings
      .filter(({ atMs }) => atMs >= baseline.atMs)
      .map((reading) => {
        const reserved = accountIn(reading, exchange.account)?.reserved ?? 0;
        return { reading, isOver: reserved <= before, state: String(reserved) };
      }),
  };
};

/** Everything of the exchange that was seen active by `untilMs`, or why that cannot be told. */
export const activeTracks = (view: View, exchange: Exchange, untilMs: number): readonly Track[] | Finding => {
  const readings = readingsOf(view.timeline, 'ledger');
  const { own, unclear } = holdingsOf(view.timeline, exchange);
  if (unclear.length > 0)
    return inconclusive(`${reservationWords(unclear[0]!.id)} may belong to another exchange of the same account`, [
      unclear[0]!.rows[0]!.reading.ref,
    ]);
  const tracks = view.facts.ledger!.hasReservations
    ? own.map((life) => trackOfLife(readings, life))
    : [trackOfAggregate(view, readings, exchange)];
  const failed = tracks.find(isFinding);
  if (failed) return failed;
  return (tracks as readonly Track[]).filter(({ states }) => states.some(({ isOver, reading }) => !isOver && reading.atMs <= untilMs));
};

/** Not over by the last sample before that time, or again since. */
export const wasActiveAt = ({ states }: Track, ms: number): boolean => {
  const before = states.findLastIndex(({ reading }) => reading.atMs <= ms);
  return states.slice(Math.max(0, before)).some(({ isOver }) => !isOver);
};

/** A terminal state that did not last beyond that time. What flickered before it is nobody's concern. */
export const cameBack = ({ name, states, isShared: mayBeAnother }: Track, afterMs: number): Finding | null => {
  const isBack = ({ isOver, reading }: Track['states'][number], index: number): boolean =>
    !isOver && reading.beganMs >= afterMs && states[index - 1]?.isOver === true && states.slice(0, index).some((before) => !before.isOver);
  const index = mayBeAnother ? -1 : states.findIndex(isBack);
  if (index < 0) return null;
  const back = states[index]!;
  const over = states[states.slice(0, index).findLastIndex(({ isOver }) => !isOver) + 1]!;
  return violated(
    `${name} was ${over.state}, and ${back.state} again ${formatMs(back.reading.atMs - over.reading.atMs)} later`,
    [over.reading.ref, back.reading.ref],
    { interval: { fromMs: over.reading.atMs, toMs: back.reading.atMs } },
  );
};

const judgeTrack = (view: View, exchange: Exchange, span: Span, { name, states, life, isShared: mayBeAnother }: Track): Finding => {
  const lastActive = states.findLast(({ isOver, reading }) => !isOver && reading.beganMs <= span.lateMs)!;
  const over = states.find(({ isOver, reading }) => isOver && reading.beganMs >= lastActive.reading.beganMs);
  if (over && over.reading.atMs <= span.dueMs) {
    return held(`${name} was ${over.state} ${since(over.reading.atMs - span.atMs, span.words)}`, [
      lastActive.reading.ref,
      over.reading.ref,
    ]);
  }
  const late = states.find(({ isOver, reading }) => !isOver && reading.beganMs > span.lateMs);
  if (!late) {
    const kept = ledgerOutagesOf(view.timeline).find(({ fromMs, toMs }) => fromMs <= lastActive.reading.atMs && toMs >= span.openAtMs);
    const why = kept ? `was still ${lastActive.state} ${since(lastActive.reading.atMs - span.atMs, span.words)}, but a fault had kept the system from its ledger` : null;
    return inconclusive(why ? `${name} ${why}` : `probe ledger has no sample that shows whether ${name} had ended in time`, [lastActive.reading.ref]);
  }
  const last = states.findLast(({ isOver }) => !isOver)!;
  if (mayBeAnother) {
    const still = `${name} was still ${last.state} ${since(last.reading.atMs - span.atMs, span.words)}`;
    return inconclusive(`${still}, which may be another exchange's: the ledger has no reservations`, [late.reading.ref, last.reading.ref]);
  }
  const moves = life ? renewalsAfter(life, span.atMs) : [];
  const moved = life ? `; lease of ${name} moved ${count(moves.length, 'time')}` : '';
  return violated(
    `${name} was still ${last.state} ${since(last.reading.atMs - span.atMs, span.words)}${moved}`,
    [late.reading.ref, last.reading.ref],
    {
      interval: { fromMs: span.dueMs, toMs: last.reading.atMs },
      ...withClass(billingClassOf(view, exchange.account, last.reading, span.atMs)),
    },
  );
};

/** Each track in time; there must be one. */
export const judgeTracks = (view: View, exchange: Exchange, span: Span, tracks: readonly Track[]): Finding =>
  tracks.length === 0
    ? inconclusive(`no reservation of ${exchange.client}'s exchange was seen active before ${span.words}`)
    : worstOf(tracks.map((track) => judgeTrack(view, exchange, span, track)));
