// What may still belong to somebody is left alone: a recent total without a row is as it was written, though
// a sweep or a refund came by.
import { textOption } from '../model/fields.ts';
import { instancesOf } from '../model/facts.ts';
import type { LedgerReading } from '../model/leases.ts';
import { refOf } from '../model/observation.ts';
import type { ObservationOf } from '../model/observation.ts';
import { readingsOf } from '../model/readings.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { differs } from './parts/billing-class.ts';
import { held, inconclusive, isFinding, violated, weigh } from './parts/finding.ts';
import { accountIn, accountOf, baselineOf, ledgerAtEnd, noReservations } from './parts/ledger.ts';
import { attendedFromMs } from './parts/outage.ts';
import { formerIsKnown, formerResidueOf, residueOf, seededOf } from './parts/seeded.ts';
import { keptFromLedger } from './parts/starved.ts';
import { everyFaultFired, feedingWasSeen, pathWorks, systemLived, systemWasFed } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';

type Aggregate = ObservationOf<'ledger-aggregate'>;

/** Whether it had become old by then, in the eyes of the instance whose clock is furthest ahead. */
const becameOld = ({ facts }: View, { reservedAtMs }: Aggregate, reading: LedgerReading): Finding | null => {
  const aheadMs = Math.max(0, ...instancesOf(facts).map(({ clockAheadMs }) => clockAheadMs));
  if (reservedAtMs === null) return inconclusive('the total that a fault wrote has no timestamp: nobody can call it recent');
  const ageMs = reading.value.wallMs + aheadMs - reservedAtMs;
  return ageMs > facts.periods.leaseMs!
    ? inconclusive(`the total that a fault wrote was ${formatMs(ageMs)} old by then, more than a lease of ${formatMs(facts.periods.leaseMs!)}`, [reading.ref])
    : null;
};

/** Somebody must have had the occasion to touch it. */
const nobodyCameBy = (view: View, account: string, sinceMs: number): Finding | null => {
  const { timeline, facts, endMs } = view;
  const { sweepMs } = facts.periods;
  const fromMs = attendedFromMs(view, { fromMs: sinceMs, toMs: endMs });
  const wasAsked = timeline.of('refund').some((refund) => refund.account === account && refund.status !== null && refund.atMs - (refund.tookMs ?? 0) >= sinceMs);
  if (wasAsked || (sweepMs !== undefined && endMs - fromMs > sweepMs + facts.marginMs)) return null;
  if (fromMs === Infinity) return inconclusive('no refund was answered, and a fault had ended or stopped whoever could have swept: nobody came by');
  const since = fromMs > sinceMs ? 'somebody was there again' : 'the total was written';
  const sweep = sweepMs === undefined ? '' : `, a sweep takes ${formatMs(sweepMs)}`;
  return inconclusive(`no refund was asked, and the watch ended ${formatMs(endMs - fromMs)} after ${since}${sweep}: nobody came by`);
};

const judge = (view: View): Finding => {
  const account = accountOf(view, textOption(view.options, 'client'));
  const { aggregates } = seededOf(view, account);
  const latest = aggregates.at(-1);
  if (!latest) return inconclusive(`no fault wrote a total to account ${account}`);
  const baseline = baselineOf(view);
  if (isFinding(baseline)) return baseline;
  const end = ledgerAtEnd(view);
  if (isFinding(end)) return end;
  const wanted = aggregates.reduce((sum, { amount }) => sum + amount, 0) + formerResidueOf(view, baseline, account);
  const isOther = (reading: LedgerReading): boolean => differs(residueOf(view, reading, account), wanted);
  const looked = readingsOf(view.timeline, 'ledger').filter(({ beganMs, value }) => beganMs >= latest.atMs && value.consistent);
  // What was as it should be again is no matter: since when it has been so to the end.
  const first = looked[looked.findLastIndex((reading) => !isOther(reading)) + 1];
  const evidence = [...aggregates.map(refOf), end.ref];
  const leaseMs = view.facts.periods.leaseMs!;
  const kept = { fromMs: latest.atMs, toMs: view.endMs };
  const said = `account ${account} has ${residueOf(view, end, account)} reserved beside its live rows`;
  return weigh({
    premises: [() => everyFaultFired(view), () => (accountIn(end, account) ? null : inconclusive(`account ${account} is not in the ledger at the end`, [end.ref]))],
    guards: [
      () => pathWorks(view),
      () => systemLived(view, view.endMs),
      () => isWhole(view),
      () => formerIsKnown(view, baseline, account),
      () => (isOther(end) && !end.value.consistent ? inconclusive(`${said}, but the ledger was not read in one transaction`, evidence) : null),
      () => becameOld(view, latest, isOther(end) ? (first ?? end) : end),
    ],
    decide: () =>
      isOther(end)
        ? violated(`${said}, ${wanted} is right`, evidence, {
            interval: { fromMs: (first ?? end).atMs, toMs: end.atMs },
            class: 'aggregate and rows drifted apart',
          })
        : held(`${said}, as the fault wrote it`, evidence),
    confirm: [
      () => nobodyCameBy(view, account, latest.atMs),
      () => systemWasFed(view, kept, leaseMs),
      () => feedingWasSeen(view, kept, leaseMs),
      () => keptFromLedger(view, end.atMs),
    ],
  });
};

export const definition: ExpectationDefinition = {
  kind: 'reserved-kept',
  about: 'The recent total without a row that a fault wrote is unchanged at the end of the watch.',
  fields: { $bare: 'client', options: { client: { type: 'client', about: 'To whose account it was written.' } } },
  example: { client: 'alice' },
  notApplicable: (facts, options) =>
    noReservations(facts, options) ??
    (facts.periods.leaseMs === undefined ? 'the card declares no period of lease: nothing can be called recent' : null),
  explain: ({ periods: { leaseMs, sweepMs } }, { client }) => ({
    needs: [
      `a total written to ${String(client)}'s account by a fault, no older than ${formatMs(leaseMs!)} when it is looked at`,
      `after that a refund, or a sweep${sweepMs === undefined ? '' : ` (${formatMs(sweepMs)})`}`,
    ],
    violatedIf: ['what the account has reserved beside its live rows is not what the fault wrote'],
    inconclusiveIf: ['the total has become old by then', 'neither a sweep nor a refund came by', 'the ledger was lost'],
  }),
  judge: (input) => judge(viewOf(input, 'watch')),
};
