// The ledger's lane: a bar for each reservation as long as it is live, its renewals as ticks, its end; charges and the refund.
import type { RowReading } from '../../model/leases.ts';
import { readingsOf } from '../../model/readings.ts';
import type { Reading } from '../../model/readings.ts';
import type { LedgerValue } from '../../model/samples.ts';
import { oneLine } from '../text.ts';
import { createDraft } from './draft.ts';
import type { Draft, Run } from './draft.ts';
import { leftOutOf, packRows } from './rows.ts';
import type { Lane, Reference } from './view.ts';

type Life = { readonly id: string; readonly rows: readonly RowReading[] };
type Span = { readonly life: Life; readonly fromMs: number; readonly toMs: number };
const TURN = 500;

type Ledger = { readonly leaseMs: number | undefined; readonly last: Reading<LedgerValue> | undefined };
type ByReading = (reading: { readonly ref: string }) => Reference;

/** Ids are often long and random: what tells them apart comes first. */
export const shortId = (id: string): string => oneLine(id.length > 12 ? id.slice(0, 8) : id, 12);

const spanOf = (life: Life): Span => {
  const end = life.rows.find(({ row }) => row.terminal) ?? life.rows.at(-1)!;
  return { life, fromMs: life.rows[0]!.reading.atMs, toMs: end.reading.atMs };
};

const nameOf = (life: Life): string => `reservation ${shortId(life.id)}`;

/** `leaseAtMs` is when it was last renewed; it holds for the card's lease from then. Without either nothing can be over. */
const isLapsed = ({ reading, row }: Life['rows'][number], leaseMs = Infinity): boolean =>
  row.leaseAtMs !== undefined && row.leaseAtMs + leaseMs < reading.value.wallMs;

/** Live stretches of a reservation: those with a valid lease, and those whose lease was over. */
const addLive = (draft: Draft, { life, toMs }: Span, row: number, refOf: ByReading, ledger: Ledger, isSeenLast: boolean): void => {
  const { leaseMs } = ledger;
  const live = life.rows.filter((each) => !each.row.terminal);
  for (let first = 0; first < live.length;) {
    const lapsed = isLapsed(live[first]!, leaseMs);
    let next = first + 1;
    while (next < live.length && isLapsed(live[next]!, leaseMs) === lapsed) next += 1;
    const last = next === live.length;
    const { row: shown } = live[first]!;
    draft.bar({
      row,
      fromMs: live[first]!.reading.atMs,
      toMs: last ? toMs : live[next]!.reading.atMs,
      tone: lapsed ? 'warn' : 'accent',
      label: [
        `${nameOf(life)}: ${oneLine(shown.state, 24)}`, `${shown.amount} of ${oneLine(shown.account, 40)}`, ...(lapsed ? ['its lease is over'] : []),
      ].join(', '),
      ref: refOf(live[first]!.reading),
      ...(last && isSeenLast ? { isOpen: true } : {}),
    });
    first = next;
  }
};

const addLife = (draft: Draft, span: Span, row: number, refOf: ByReading, ledger: Ledger): void => {
  const { last } = ledger;
  const { life } = span;
  const name = nameOf(life);
  const end = life.rows.find((each) => each.row.terminal);
  addLive(draft, span, row, refOf, ledger, end === undefined && life.rows.at(-1)!.reading === last);
  for (const [index, { row: now, reading }] of life.rows.entries()) {
    const before = life.rows[index - 1]?.row;
    if (!before || before.terminal || now.terminal) continue;
    if ((now.leaseAtMs ?? 0) > (before.leaseAtMs ?? Infinity)) draft.tick(row, 'renewal', 'lease renewed', reading.atMs, refOf(reading));
  }
  if (end) {
    const label = `${name}: ${oneLine(end.row.state, 24)}${end.row.reason === undefined ? '' : ` (${oneLine(end.row.reason, 60)})`}`;
    draft.point({
      row,
      atMs: end.reading.atMs,
      sign: 'terminal',
      tone: 'good',
      label,
      short: oneLine(end.row.state, 16),
      ref: refOf(end.reading),
    });
  } else if (life.rows.at(-1)!.reading !== last) {
    const label = `${name} was not there any more`;
    draft.point({ row, atMs: span.toMs, sign: 'lost', tone: 'warn', label, short: 'gone', ref: refOf(life.rows.at(-1)!.reading) });
  }
};

/** New charges from one sample to the next; where the card has none, growth of what was spent. */
const addCharges = (draft: Draft, readings: readonly Reading<LedgerValue>[], row: number, refOf: ByReading): void => {
  let known: ReadonlySet<string> | null = null;
  let spent: number | null = null;
  for (const reading of readings) {
    const { charges, accounts } = reading.value;
    const total = accounts.reduce((sum, account) => sum + account.spent, 0);
    const isNew = charges ? known !== null && charges.some(({ id }) => !known!.has(id)) : spent !== null && total > spent;
    if (isNew) draft.tick(row, 'charge', 'charged', reading.atMs, refOf(reading));
    if (charges && charges.length !== known?.size) known = new Set(charges.map(({ id }) => id));
    spent = total;
  }
};

const addRefunds = (draft: Draft, row: number, { timeline, refOf }: Run): void => {
  for (const each of timeline.of('refund')) {
    const label = `refund asked: ${each.verdict}${each.status === null ? '' : `, ${each.status}`} ${oneLine(each.answer, 120)}`;
    const tone = each.verdict === 'accepted' ? 'good' : 'warn';
    draft.point({ row, atMs: each.atMs, sign: 'refund', tone, label, short: `refund ${each.verdict}`, ref: refOf(each) });
  }
};

/** Samples of a probe that failed, each a hole in what is known. */
export const addUnseen = (draft: Draft, probe: string, row: number, { timeline, refOf }: Run): void => {
  for (const each of timeline.of('sample')) {
    if (each.probe !== probe || each.value !== undefined) continue;
    const label = `the probe saw nothing: ${oneLine(each.error ?? 'no value', 120)}`;
    draft.point({ row, atMs: each.atMs, sign: 'lost', tone: 'warn', label, short: 'not seen', ref: refOf(each) });
  }
};

/** Each reservation with its rows, as `livesIn` of the model has them. */
function* livesIn(readings: readonly Reading<LedgerValue>[]): Generator<void, readonly Life[]> {
  const lives = new Map<string, RowReading[]>();
  for (const [index, reading] of readings.entries()) {
    if (index % TURN === 0) yield;
    for (const row of reading.value.reservations) {
      const rows = lives.get(row.id);
      if (rows) rows.push({ reading, row });
      else lives.set(row.id, [{ reading, row }]);
    }
  }
  return [...lives].map(([id, rows]) => ({ id, rows }));
}

/** Null where no ledger was read. */
export function* ledgerLane(run: Run): Generator<void, Lane | null> {
  const draft = createDraft('ledger', 'ledger', 'ledger');
  const samples = run.timeline.of('sample').filter(({ probe }) => probe === 'ledger');
  if (samples.length === 0) return null;
  const readings = readingsOf(run.timeline, 'ledger');
  const seen = samples.filter(({ value }) => value !== undefined);
  const places = new Map(readings.map(({ ref }, index) => [ref, run.refOf(seen[index])]));
  const refOf: ByReading = ({ ref }) => places.get(ref) ?? -1;
  yield;
  const spans = (yield* livesIn(readings)).map(spanOf);
  const { rowOf, rows, over } = packRows(spans);
  const ledger: Ledger = { leaseMs: run.facts.periods.leaseMs, last: readings.at(-1) };
  for (const span of spans) {
    addLife(draft, span, rowOf.get(span) ?? 0, refOf, ledger);
    yield;
  }
  addCharges(draft, readings, rows, refOf);
  addRefunds(draft, rows, run);
  addUnseen(draft, 'ledger', rows, run);
  return draft.lane([...Array.from({ length: rows }, () => 'reserved'), 'charges'], leftOutOf(over, 'reservations'));
}
