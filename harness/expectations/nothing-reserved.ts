// At the end of the watch the account has nothing more reserved than before the scenario began. Nobody is accused
// who was kept from releasing it.
import { textOption } from '../model/fields.ts';
import type { LedgerReading } from '../model/leases.ts';
import { refOf } from '../model/observation.ts';
import { readingsOf } from '../model/readings.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { billingClassOf, differs, liveRowsOf, sumOf, withClass } from './parts/billing-class.ts';
import { leaseDoubts, RECORD_DOUBTS, starvedDoubts } from './parts/explaining.ts';
import { held, inconclusive, isFinding, violated, weigh, worstOf } from './parts/finding.ts';
import { accountIn, accountOf, baselineOf, ledgerAtEnd, noLedger, payersOf } from './parts/ledger.ts';
import { unlessUnreleasable } from './parts/occasion.ts';
import { countedRowsOf, formerIsKnown, formerResidueOf, seededOf } from './parts/seeded.ts';
import { keptFromLedger } from './parts/starved.ts';
import { endDoesNotApply } from './parts/subject.ts';
import { everyFaultFired, pathWorks, systemLived } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { count, reservationWords } from './parts/words.ts';

/** Rows that a fault wrote for this account, and whether each was ever seen. */
const writtenRowUnseen = (view: View, account: string, readings: readonly LedgerReading[]): Finding | null => {
  for (const written of view.timeline.of('ledger-rows').filter((rows) => rows.account === account)) {
    const unseen = written.reservations.find((id) => !readings.some(({ value }) => value.reservations.some((row) => row.id === id)));
    if (unseen !== undefined)
      return inconclusive(`${reservationWords(unseen)}, which a fault wrote, was never seen in the ledger`, [refOf(written)]);
  }
  return null;
};

/** Something must have been reserved before its absence means anything. */
const neverReserved = (view: View, account: string, baseline: LedgerReading, readings: readonly LedgerReading[]): Finding | null => {
  const seeded = seededOf(view, account);
  // That a fault wrote a total is on record; it may have been swept before anybody looked.
  if (seeded.aggregates.length > 0) return null;
  const known = new Set(baseline.value.reservations.flatMap(({ id }) => (seeded.rows.includes(id) ? [] : [id])));
  const before = accountIn(baseline, account)?.reserved ?? 0;
  const isSeen = ({ value }: LedgerReading): boolean =>
    value.reservations.some((row) => (row.payer === account || row.account === account) && !known.has(row.id)) ||
    value.accounts.some(({ id, reserved }) => id === account && reserved > before);
  return readings.some(isSeen)
    ? null
    : inconclusive(`nothing was ever seen reserved for account ${account} after the baseline`, [baseline.ref]);
};

/** Where the scenario stops the system, what counts is what it left behind. */
const isBeforeExit = (view: View, end: LedgerReading): Finding | null => {
  if (view.facts.stopsAt === null) return null;
  const exit = view.timeline.of('process-exited').findLast(({ process }) => process === view.facts.system.main);
  return exit && end.beganMs < exit.atMs
    ? inconclusive(`probe ledger has no sample after the system's exit`, [refOf(exit), end.ref])
    : null;
};

/**
 * What of the baseline's total is still rightly held: a row that was live then and has ended since no longer is,
 * and what a fault added before the start never was.
 */
const rightOf = (view: View, account: string, baseline: LedgerReading, end: LedgerReading): { readonly before: number; readonly right: number } => {
  const { rows } = seededOf(view, account);
  const live = new Set(liveRowsOf(end, account).map(({ id }) => id));
  const former = formerResidueOf(view, baseline, account);
  const own = countedRowsOf(view, baseline, account).filter(({ id }) => !rows.includes(id));
  const kept = own.filter(({ id }) => live.has(id));
  return { before: former + sumOf(own), right: Math.max(0, former + sumOf(kept)) };
};

const compare = (view: View, account: string, baseline: LedgerReading, end: LedgerReading): Finding => {
  const isThere = accountIn(baseline, account) !== undefined;
  const after = accountIn(end, account);
  if (!isThere || !after)
    return inconclusive(`account ${account} is not in the ledger at the ${isThere ? 'end' : 'baseline'}`, [baseline.ref, end.ref]);
  const evidence = [baseline.ref, end.ref];
  const fromMs = view.timeline.phase('watch').beginMs ?? baseline.atMs;
  const { before, right } = rightOf(view, account, baseline, end);
  const released = differs(right, before) ? `, of which ${before - right} were released since` : '';
  if (!differs(after.reserved, right)) {
    const as = released === '' ? 'as before' : `the baseline had ${before}${released}`;
    return held(`account ${account} has ${after.reserved} reserved, ${as}`, evidence);
  }
  const live = count(liveRowsOf(end, account).length, 'live row');
  const later = formatMs(end.atMs - baseline.atMs);
  const isTooMuch = after.reserved > right;
  const finding = violated(
    `account ${account} has ${after.reserved} reserved ${later} after the baseline, which had ${before}${released}, in ${live}`,
    evidence,
    {
      interval: { fromMs, toMs: end.atMs },
      ...withClass(isTooMuch ? billingClassOf(view, account, end, fromMs) : 'aggregate and rows drifted apart'),
    },
  );
  return isTooMuch ? unlessUnreleasable(view, finding, account) : finding;
};

const judgeAccount = (view: View, account: string): Finding => {
  const baseline = baselineOf(view);
  if (isFinding(baseline)) return baseline;
  const end = ledgerAtEnd(view);
  if (isFinding(end)) return end;
  const readings = readingsOf(view.timeline, 'ledger').filter(({ atMs }) => atMs > baseline.atMs);
  return weigh({
    guards: [
      () => everyFaultFired(view),
      () => pathWorks(view),
      () => systemLived(view, view.endMs),
      () => isWhole(view),
      () => isBeforeExit(view, end),
      () => writtenRowUnseen(view, account, readings),
      () => neverReserved(view, account, baseline, readings),
      () => formerIsKnown(view, baseline, account),
    ],
    decide: () => compare(view, account, baseline, end),
    excuse: [() => keptFromLedger(view, end.atMs)],
  });
};

/** The client's own account, and whichever backs what it asks for. */
const judge = (view: View): Finding => {
  const account = accountOf(view, textOption(view.options, 'client'));
  return worstOf([...new Set([account, ...payersOf(view, account)])].map((each) => judgeAccount(view, each)));
};

export const definition: ExpectationDefinition = {
  kind: 'nothing-reserved',
  about: "At the end of the watch (after the exit, where the scenario stops the system) the account's reserved total is its baseline.",
  fields: { $bare: 'client', options: { client: { type: 'client', about: 'Whose account.' } } },
  example: { client: 'alice' },
  notApplicable: (facts, options) => noLedger(facts, options) ?? endDoesNotApply(facts, options),
  explain: (facts, { client }) => ({
    needs: [
      `the ledger at the baseline, and then something reserved for ${String(client)}'s account`,
      facts.stopsAt === null ? 'the ledger at the end of the watch' : "the ledger after the system's exit",
    ],
    violatedIf: [`the account's reserved total at the end is not what the baseline had and is still rightly held`],
    inconclusiveIf: [
      'a row that a fault wrote was never seen',
      ...(facts.stopsAt === null ? ['a fault had ended or stopped whoever could have released it'] : []),
      ...leaseDoubts(facts).slice(0, 1),
      ...starvedDoubts(facts),
      ...RECORD_DOUBTS,
    ],
  }),
  judge: (input) => judge(viewOf(input, 'watch')),
};
