// What is over is over: once the exchange's money is settled or released nothing more is charged for
// it, also when its upstream comes to an end much later.
import { chargesOf } from '../model/charges.ts';
import type { Charged } from '../model/charges.ts';
import { textOption } from '../model/fields.ts';
import type { LedgerReading } from '../model/leases.ts';
import { readingsOf } from '../model/readings.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { leaseDoubts, RECORD_DOUBTS } from './parts/explaining.ts';
import { held, inconclusive, isFinding, violated, weigh } from './parts/finding.ts';
import { baselineOf, firstRefundMs, ledgerKeptUp, ledgerLasted, noLedger } from './parts/ledger.ts';
import { serveDoesNotApply, subjectOf } from './parts/subject.ts';
import { activeTracks } from './parts/terminal.ts';
import { chargeIsVisible, everyFaultFired, pathWorks, systemLived } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { count } from './parts/words.ts';

const spell = (charges: readonly Charged[]): string =>
  charges
    .map(({ id, amount }) => `${id}=${amount}`)
    .sort()
    .join(',');
const sumOf = (charges: readonly Charged[]): number => charges.reduce((sum, { amount }) => sum + amount, 0);

/** The first sample in which all of it is over, read in one go; what is read in parts may lag by one sample. */
const settledIn = (readings: readonly LedgerReading[], tracks: Exclude<ReturnType<typeof activeTracks>, Finding>): number => {
  const isOver = (reading: LedgerReading): boolean =>
    tracks.every(({ states }) => states.every((state) => state.isOver || state.reading.atMs < reading.atMs));
  const first = readings.findIndex(isOver);
  return first < 0 || readings[first]!.value.consistent ? first : first + 1;
};

const judge = (view: View): Finding => {
  const exchange = subjectOf(view, textOption(view.options, 'client'));
  if (isFinding(exchange)) return exchange;
  const baseline = baselineOf(view);
  if (isFinding(baseline)) return baseline;
  const tracks = activeTracks(view, exchange, view.endMs);
  if (isFinding(tracks)) return tracks;
  const charges = chargesOf(view.timeline, exchange, baseline);
  // A refund may count as spent where charges are only a growth.
  const untilMs = view.facts.ledger!.hasCharges ? Infinity : firstRefundMs(view);
  const readings = readingsOf(view.timeline, 'ledger').filter(({ atMs }) => atMs < untilMs);
  const from = readings[settledIn(readings, tracks)];
  const later = readings.filter(({ beganMs }) => beganMs >= (from?.beganMs ?? Infinity));
  const changed = from && later.find((reading) => spell(charges.at(reading)) !== spell(charges.at(from)));
  const totalAt = (reading: LedgerReading): number => sumOf(charges.at(reading));
  const more = (before: LedgerReading, after: LedgerReading): number => totalAt(after) - totalAt(before);
  return weigh({
    guards: [
      () => everyFaultFired(view),
      () =>
        charges.unclear === "another exchange's"
          ? inconclusive(`a charge of ${exchange.client}'s account may be ${charges.unclear}: the ledger has no markers`)
          : null,
      () => (tracks.length > 0 ? null : inconclusive(`no reservation of ${exchange.client}'s exchange was ever seen active`)),
      () => (from ? null : inconclusive(`the reservations of ${exchange.client}'s exchange never came to a terminal state`)),
      () =>
        changed && !charges.isMarked && changed.atMs > firstRefundMs(view)
          ? inconclusive(`${more(from!, changed)} more was booked after the refund, which may be what was paid out: it has no marker`, [
              changed.ref,
            ])
          : null,
      () =>
        changed
          ? violated(
              `${more(from!, changed)} was charged ${formatMs(changed.atMs - from!.atMs)} after ${exchange.client}'s exchange was settled` +
                (charges.at(from!).length === 0 ? ': it was over in a sample in which nothing was charged yet' : ''),
              [from!.ref, changed.ref],
              { interval: { fromMs: from!.atMs, toMs: changed.atMs } },
            )
          : null,
      () => pathWorks(view),
      () => chargeIsVisible(view),
      () => systemLived(view, view.endMs),
      () => isWhole(view),
      () => ledgerLasted(view, Math.min(untilMs, view.endMs)),
      () => ledgerKeptUp(view, { fromMs: from!.beganMs, toMs: Math.min(untilMs, view.endMs) }),
    ],
    decide: () =>
      held(
        `${count(charges.at(from!).length, 'charge')} of ${totalAt(from!)} when it was settled, and no other in ` +
          `${formatMs(later.at(-1)!.atMs - from!.atMs)} after that`,
        [from!.ref, later.at(-1)!.ref],
      ),
  });
};

export const definition: ExpectationDefinition = {
  kind: 'no-late-charge',
  about: 'From the terminal state to the end nothing is charged for the exchange, also after its upstream was let finish.',
  fields: { $bare: 'client', options: { client: { type: 'client', about: 'Whose exchange.' } } },
  example: { client: 'alice' },
  notApplicable: (facts, options) => noLedger(facts, options) ?? serveDoesNotApply(facts, options),
  explain: (facts, { client }) => ({
    needs: [
      `a reservation of ${String(client)}'s exchange seen active, and then in a terminal state`,
      'a charge of the first plain exchange seen',
    ],
    violatedIf: ['the charges of the exchange change after its terminal state, also when its upstream was let finish'],
    inconclusiveIf: [
      'a charge may be of another exchange, or of a refund: the ledger has no markers',
      ...leaseDoubts(facts),
      ...RECORD_DOUBTS,
    ],
  }),
  judge: (input) => judge(viewOf(input, 'ask')),
};
