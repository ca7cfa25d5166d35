// Whether a sibling's reservation stays held and its lease is kept up. A lease is judged by its moving: which
// clock wrote it does not matter, only that it never goes back and never stands still for longer than it lasts.
import type { Exchange } from '../../model/exchanges.ts';
import { holdingsOf } from '../../model/leases.ts';
import type { Life, RowReading } from '../../model/leases.ts';
import { formatMs } from '../../model/time.ts';
import type { Finding } from '../../model/verdict.ts';
import { held, inconclusive, violated, worstOf } from './finding.ts';
import { heldRowsOf, overOf, wasReplaced } from './held-rows.ts';
import { endingOf } from './liveness.ts';
import type { View } from './view.ts';
import { at, reservationWords } from './words.ts';

/** Terminal or gone, though nothing but the system had ended the exchange by then. */
const wasReleased = (view: View, exchange: Exchange, life: Life): Finding | null => {
  const over = overOf(view, life);
  if (!over) return null;
  const { before, reading, state } = over;
  const ending = endingOf(exchange);
  if (ending && ending.by !== 'system' && ending.atMs <= reading.atMs) return null;
  return (
    wasReplaced(heldRowsOf(view, exchange), over) ??
    violated(`${reservationWords(life.id)} of ${exchange.client} was ${state} ${at(reading.atMs)}, while it was being served`, [before.reading.ref, reading.ref], {
      interval: { fromMs: reading.atMs, toMs: view.endMs },
    })
  );
};

const movedBack = (view: View, { client }: Exchange, { id, rows }: Life): Finding | null => {
  const index = rows.findIndex(({ row }, each) => (row.leaseAtMs ?? Infinity) < (rows[each - 1]?.row.leaseAtMs ?? -Infinity));
  if (index < 0) return null;
  const [from, to] = [rows[index - 1]!, rows[index]!];
  const back = formatMs(from.row.leaseAtMs! - to.row.leaseAtMs!);
  return violated(`lease of ${reservationWords(id)} of ${client} moved back by ${back} ${at(to.reading.atMs)}`, [from.reading.ref, to.reading.ref], {
    interval: { fromMs: to.reading.atMs, toMs: view.endMs },
  });
};

/** A time in which the lease stood still: as samples certainly show it, and as long as it may have been. */
type Stand = { readonly from: RowReading; readonly to: RowReading; readonly ms: number; readonly perhapsMs: number };

const standsOf = (rows: readonly RowReading[]): readonly Stand[] => {
  const starts = rows.flatMap(({ row }, index) => (index === 0 || row.leaseAtMs !== rows[index - 1]!.row.leaseAtMs ? [index] : []));
  return starts.map((start, turn): Stand => {
    const next = starts[turn + 1] ?? rows.length;
    const [from, to] = [rows[start]!, rows[next - 1]!];
    const sinceMs = (rows[start - 1] ?? from).reading.beganMs;
    return { from, to, ms: to.reading.beganMs - from.reading.atMs, perhapsMs: (rows[next] ?? to).reading.atMs - sinceMs };
  });
};

const judgeLife = (view: View, exchange: Exchange, life: Life): Finding => {
  const { client } = exchange;
  const leaseMs = view.facts.periods.leaseMs!;
  const live = life.rows.filter(({ row }) => !row.terminal);
  const watchMs = view.timeline.phase('watch').beginMs ?? view.endMs;
  const wrong = wasReleased(view, exchange, life) ?? movedBack(view, exchange, { ...life, rows: live });
  if (wrong) return wrong;
  const [first, last] = [live[0]!, live.at(-1)!];
  const name = `${reservationWords(life.id)} of ${client}`;
  const evidence = [first.reading.ref, last.reading.ref];
  if (live.some(({ row }) => row.leaseAtMs === undefined)) return inconclusive(`the ledger shows no lease of ${name}`, evidence);
  const stands = standsOf(live);
  const stand = stands.reduce((longest, each) => (each.ms > longest.ms ? each : longest));
  if (stand.ms > leaseMs)
    return violated(
      `lease of ${name} did not move for ${formatMs(stand.ms)} from ${formatMs(stand.from.reading.atMs)} on; it lasts ${formatMs(leaseMs)}`,
      [stand.from.reading.ref, stand.to.reading.ref],
      { interval: { fromMs: stand.from.reading.atMs + leaseMs, toMs: stand.to.reading.atMs } },
    );
  const doubtful = stands.find(({ perhapsMs }) => perhapsMs > leaseMs);
  if (doubtful)
    return inconclusive(
      `lease of ${name} may have stood still for ${formatMs(doubtful.perhapsMs)} from ${formatMs(doubtful.from.reading.atMs)} on, the ledger was seen too rarely; it lasts ${formatMs(leaseMs)}`,
      [doubtful.from.reading.ref, doubtful.to.reading.ref],
    );
  if (first.reading.atMs > watchMs) return inconclusive(`${name} was not seen active before the watch`, evidence);
  const seenMs = last.reading.beganMs - first.reading.atMs;
  return seenMs > leaseMs
    ? held(`${name} was held for ${formatMs(seenMs)}, and its lease never stood still for longer than ${formatMs(stand.ms)}`, evidence)
    : inconclusive(`${name} was seen for ${formatMs(seenMs)} only, a lease lasts ${formatMs(leaseMs)}`, evidence);
};

/** The reservations of an exchange that nobody was to touch. */
export const judgeRows = (view: View, exchange: Exchange): Finding => {
  const { unclear } = holdingsOf(view.timeline, exchange);
  const lives = heldRowsOf(view, exchange);
  if (unclear[0]) return inconclusive(`${reservationWords(unclear[0].id)} may be ${exchange.client}'s or another's: the ledger has no markers`);
  if (!lives[0]) return inconclusive(`no reservation of ${exchange.client} was ever seen active`);
  return worstOf(lives.map((life) => judgeLife(view, exchange, life)));
};
