// What is over stays as it ended: two sweeps, a late end of its upstream and two refunds change neither
// state nor reason nor amount of the reservation, nor what was charged for it.
import { chargesOf } from '../model/charges.ts';
import type { Charges } from '../model/charges.ts';
import type { Exchange } from '../model/exchanges.ts';
import { textOption } from '../model/fields.ts';
import type { LedgerReading } from '../model/leases.ts';
import { holdingsOf } from '../model/leases.ts';
import type { Life } from '../model/leases.ts';
import { refOf } from '../model/observation.ts';
import { readingsOf } from '../model/readings.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { UNSEEN_WRITES } from './parts/explaining.ts';
import { firstFinding, held, inconclusive, isFinding, violated, weigh } from './parts/finding.ts';
import { accountOf, baselineOf, firstRefundMs, ledgerKeptUp, ledgerLasted, noReservations } from './parts/ledger.ts';
import { attendedFromMs } from './parts/outage.ts';
import { keptFromLedger } from './parts/starved.ts';
import { endDoesNotApply, subjectOf } from './parts/subject.ts';
import { everyFaultFired, feedingWasSeen, pathWorks, systemLived, systemWasFed } from './parts/trust.ts';
import { writesAreExplained } from './parts/unseen-writes.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { count, reservationWords } from './parts/words.ts';

/** What may not change any more, sample by sample from the first in which it was over. A row may be tidied away. */
type Ended = { readonly life: Life; readonly from: LedgerReading; readonly states: readonly State[] };
type State = { readonly reading: LedgerReading; readonly text: string | null };

const REFUNDS = 2;
const SWEEPS = 2;

const textOf = (reading: LedgerReading, id: string): string | null => {
  const row = reading.value.reservations.find((each) => each.id === id);
  return row ? `${row.state}${row.reason === undefined ? '' : ` (${row.reason})`}, ${row.amount}` : null;
};

const endedOf = (readings: readonly LedgerReading[], life: Life): Ended | null => {
  const index = readings.findIndex(({ value, atMs }) => {
    if (atMs < life.rows.find(({ row }) => !row.terminal)!.reading.atMs) return false;
    const row = value.reservations.find(({ id }) => id === life.id);
    return row === undefined || row.terminal;
  });
  const states = readings.slice(index).map((reading) => ({ reading, text: textOf(reading, life.id) }));
  return index < 0 ? null : { life, from: readings[index]!, states };
};

const changed = ({ life, from, states }: Ended): Finding | null => {
  for (const [index, { reading, text }] of states.entries()) {
    const before = states.slice(0, index).findLast((each) => each.text !== null) ?? states[0]!;
    // Gone is as good an end as any; it is coming back, or changing, that it must not.
    if (text === null || text === before.text) continue;
    return violated(
      `${reservationWords(life.id)} was ${before.text ?? 'gone'}, and ${text} ${formatMs(reading.atMs - from.atMs)} later`,
      [before.reading.ref, reading.ref],
      { interval: { fromMs: reading.atMs, toMs: states.at(-1)!.reading.atMs } },
    );
  }
  return null;
};

const spell = (charges: Charges, reading: LedgerReading): string =>
  charges
    .at(reading)
    .map(({ amount }) => amount)
    .join(' and ') || 'nothing';

/** Of money that bears no marker nobody can say what it was for; a refund moves some. */
const chargedAgain = (charges: Charges, ended: readonly Ended[]): Finding | null => {
  const last = ended.reduce((latest, each) => (each.from.atMs > latest.from.atMs ? each : latest));
  const states = charges.isMarked ? last.states : [];
  const first = states.find(({ reading }, index) => reading.value.consistent || index > 0);
  const later = first && states.find(({ reading }) => reading.atMs > first.reading.atMs && spell(charges, reading) !== spell(charges, first.reading));
  if (!first || !later) return null;
  return violated(
    `${spell(charges, first.reading)} was charged when it was over, and ${spell(charges, later.reading)} ${formatMs(later.reading.atMs - first.reading.atMs)} later`,
    [first.reading.ref, later.reading.ref],
    { interval: { fromMs: later.reading.atMs, toMs: states.at(-1)!.reading.atMs } },
  );
};

/** What must have been tried in vain, or why it was not. */
const wasTried = (view: View, exchange: Exchange, overMs: number): Finding | null => {
  const account = accountOf(view, exchange.client);
  const refunds = view.timeline.of('refund').filter((asked) => asked.account === account && asked.status !== null && asked.atMs - (asked.tookMs ?? 0) >= overMs);
  if (refunds.length < REFUNDS)
    return inconclusive(`${count(refunds.length, 'refund')} of account ${account} asked after it was over, ${REFUNDS} are needed`, refunds.map(refOf));
  const finish = view.timeline
    .of('let-finish')
    .find(({ atMs, marker }) => atMs >= overMs && (marker === null || marker === exchange.marker));
  if (!finish) return inconclusive('its upstream was not let finish after it was over', refunds.map(refOf));
  const sweepsMs = SWEEPS * (view.facts.periods.sweepMs ?? 0);
  const triedMs = Math.max(finish.atMs, ...refunds.slice(0, REFUNDS).map(({ atMs }) => atMs));
  const last = readingsOf(view.timeline, 'ledger').at(-1)!;
  const fromMs = attendedFromMs(view, { fromMs: triedMs, toMs: view.endMs });
  if (fromMs === Infinity) return inconclusive('a fault had ended or stopped whoever could have swept after refunds and finish');
  const there = fromMs > triedMs ? ', with somebody there to sweep' : '';
  return last.beganMs - fromMs >= sweepsMs
    ? null
    : inconclusive(`the ledger was seen for ${formatMs(last.beganMs - fromMs)} after refunds and finish${there}, two sweeps take ${formatMs(sweepsMs)}`, [last.ref]);
};

/** Who had no processor when it should have swept has not swept in vain. */
const sweptUnstarved = (view: View, overMs: number): Finding | null => {
  const { leaseMs } = view.facts.periods;
  const triedMs = firstRefundMs(view, overMs);
  const window = { fromMs: Math.max(overMs, Math.min(triedMs, view.endMs)), toMs: view.endMs };
  return leaseMs === undefined ? null : (systemWasFed(view, window, leaseMs) ?? feedingWasSeen(view, window, leaseMs));
};

const judge = (view: View): Finding => {
  const exchange = subjectOf(view, textOption(view.options, 'client'));
  if (isFinding(exchange)) return exchange;
  const baseline = baselineOf(view);
  if (isFinding(baseline)) return baseline;
  const readings = readingsOf(view.timeline, 'ledger');
  const { own, unclear } = holdingsOf(view.timeline, exchange);
  const lives = own.filter(({ rows }) => rows.some(({ row }) => !row.terminal));
  const ended = lives.flatMap((life) => endedOf(readings, life) ?? []);
  const overMs = Math.max(...ended.map(({ from }) => from.atMs));
  return weigh({
    premises: [
      () => everyFaultFired(view),
      () => (unclear[0] ? inconclusive(`${reservationWords(unclear[0].id)} may belong to another exchange of the same account`) : null),
      () => (lives.length > 0 ? null : inconclusive(`no reservation of ${exchange.client}'s exchange was ever seen active`)),
      () => (ended.length > 0 ? null : inconclusive(`the reservations of ${exchange.client}'s exchange never came to a terminal state`)),
    ],
    wrong: [() => firstFinding(ended, changed), () => chargedAgain(chargesOf(view.timeline, exchange, baseline), ended)],
    guards: [
      () => (ended.length === lives.length ? null : inconclusive(`a reservation of ${exchange.client}'s exchange never came to a terminal state`)),
      () => pathWorks(view),
      () => systemLived(view, view.endMs),
      () => isWhole(view),
      () => ledgerLasted(view),
      () => ledgerKeptUp(view, { fromMs: overMs, toMs: view.endMs }),
      () => wasTried(view, exchange, overMs),
    ],
    decide: () => {
      const last = ended[0]!.states.at(-1)!.reading;
      const text = ended.map(({ life, from }) => `${reservationWords(life.id)} stayed ${textOf(from, life.id) ?? 'gone'}`).join('; ');
      return held(`${text} for ${formatMs(last.atMs - overMs)}, through two refunds, a late finish and two sweeps`, [ended[0]!.from.ref, last.ref]);
    },
    confirm: [
      () => sweptUnstarved(view, overMs),
      () => keptFromLedger(view, view.endMs),
      // What asking brings about is written too, so only the time before it is counted.
      () => writesAreExplained(view, exchange, { fromMs: overMs, toMs: view.timeline.phase('watch').endMs ?? overMs }),
    ],
  });
};

export const definition: ExpectationDefinition = {
  kind: 'terminal-once',
  about: 'After the terminal state two sweeps, a late end of the upstream and two refunds change neither state nor reason nor amounts.',
  fields: { $bare: 'client', options: { client: { type: 'client', about: 'Whose exchange.' } } },
  example: { client: 'alice' },
  notApplicable: (facts, options) =>
    noReservations(facts, options) ??
    endDoesNotApply(facts, options) ??
    (facts.stopsAt === null ? null : 'the scenario stops the system: there is nobody left to ask'),
  explain: ({ periods: { sweepMs } }, { client }) => ({
    needs: [
      `a terminal reservation of ${String(client)}'s exchange that was seen active`,
      `after that two refunds, a late finish, and two sweeps${sweepMs === undefined ? '' : ` (${formatMs(SWEEPS * sweepMs)})`}; the run asks for them`,
    ],
    violatedIf: ['its state, reason or amount changes, or it comes back', 'anything more or less is charged for it, where charges bear markers'],
    inconclusiveIf: ['it never comes to a terminal state', 'one of the three was not tried, or by a system that was starved', 'the ledger was lost or seen too rarely', UNSEEN_WRITES],
  }),
  judge: (input) => judge(viewOf(input, 'ask')),
};
