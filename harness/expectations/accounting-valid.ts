// The books add up in every snapshot that was read in one transaction, until a refund changes them.
import type { LedgerReading } from '../model/leases.ts';
import { readingsOf } from '../model/readings.ts';
import type { Account } from '../model/samples.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { differs, sumOf } from './parts/billing-class.ts';
import { RECORD_DOUBTS } from './parts/explaining.ts';
import { held, inconclusive, isFinding, violated, weigh } from './parts/finding.ts';
import { accountIn, accountOf, baselineOf, firstRefundMs, ledgerLasted, noLedger, payersOf } from './parts/ledger.ts';
import { countedRowsOf, seededOf } from './parts/seeded.ts';
import { everyFaultFired, pathWorks, systemLived } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { at, count } from './parts/words.ts';

const totalOf = ({ balance, reserved, spent }: Account): number => balance + reserved + spent;

/** What an account may have reserved beside its rows: each total that a fault wrote, kept or cleared. */
const mayHoldBeside = (view: View, account: string): readonly number[] =>
  seededOf(view, account).aggregates.reduce<readonly number[]>((sums, { amount }) => [...sums, ...sums.map((sum) => sum + amount)], [0]);

/** What does not add up in one account of one snapshot. */
const faultOf = (view: View, baseline: LedgerReading, reading: LedgerReading, account: Account): string | null => {
  // Parts that were read one after the other add up to nothing that must be kept.
  const before = baseline.value.consistent ? accountIn(baseline, account.id) : undefined;
  const live = sumOf(countedRowsOf(view, reading, account.id));
  const negative = (['balance', 'reserved', 'spent'] as const).find((part) => account[part] < -1e-6);
  if (negative) return `its ${negative} is ${account[negative]}`;
  if (view.facts.ledger!.hasReservations && !mayHoldBeside(view, account.id).some((beside) => !differs(account.reserved, live + beside)))
    return `it has ${account.reserved} reserved, its live reservations add up to ${live}`;
  if (before && differs(totalOf(account), totalOf(before)))
    return `balance, reserved and spent add up to ${totalOf(account)}, at the baseline to ${totalOf(before)}`;
  return null;
};

/** Accounts to which a fault added something are judged by their last snapshot: in between they are not the system's doing. */
const isJudgedIn =
  (view: View, readings: readonly LedgerReading[]) =>
  (reading: LedgerReading, account: Account): boolean =>
    reading === readings.at(-1) || seededOf(view, account.id).evidence.length === 0;

const wrongIn = (view: View, baseline: LedgerReading, readings: readonly LedgerReading[], only: ReadonlySet<string> | null): Finding | null => {
  const isJudged = isJudgedIn(view, readings);
  for (const reading of readings) {
    for (const account of reading.value.accounts) {
      if ((only !== null && !only.has(account.id)) || !isJudged(reading, account)) continue;
      const fault = faultOf(view, baseline, reading, account);
      if (fault !== null) {
        const last = readings.findLast((later) =>
          later.value.accounts.some((same) => same.id === account.id && faultOf(view, baseline, later, same) !== null),
        )!;
        return violated(`account ${account.id} does not add up ${at(reading.atMs)}: ${fault}`, [baseline.ref, reading.ref], {
          class: 'aggregate and rows drifted apart',
          interval: { fromMs: reading.atMs, toMs: last.atMs },
        });
      }
    }
  }
  return null;
};

const judge = (view: View): Finding => {
  const { client } = view.options;
  const baseline = baselineOf(view);
  if (isFinding(baseline)) return baseline;
  const refundMs = firstRefundMs(view, baseline.atMs);
  const readings = readingsOf(view.timeline, 'ledger').filter(
    ({ atMs, value }) => atMs >= baseline.atMs && atMs < refundMs && value.consistent,
  );
  const account = typeof client === 'string' ? accountOf(view, client) : null;
  const only = account === null ? null : new Set([account, ...payersOf(view, account)]);
  const moved = readings.some(
    ({ value }) =>
      value.reservations.length > baseline.value.reservations.length ||
      value.accounts.some((account) =>
        differs(
          account.spent + account.reserved,
          (accountIn(baseline, account.id)?.spent ?? 0) + (accountIn(baseline, account.id)?.reserved ?? 0),
        ),
      ),
  );
  return weigh({
    wrong: [() => wrongIn(view, baseline, readings, only)],
    guards: [
      () => everyFaultFired(view),
      () => pathWorks(view),
      () => systemLived(view, view.endMs),
      () => isWhole(view),
      () =>
        baseline.value.consistent && readings.length > 1
          ? null
          : inconclusive('the ledger was not read in one transaction', [baseline.ref]),
      () => (moved ? null : inconclusive('no reservation or charge was ever seen: there was nothing to add up', [baseline.ref])),
      () => ledgerLasted(view, Math.min(refundMs, view.endMs)),
    ],
    decide: () => held(`${count(readings.length, 'snapshot')} add up`, [baseline.ref, readings.at(-1)!.ref]),
  });
};

export const definition: ExpectationDefinition = {
  kind: 'accounting-valid',
  about:
    'In every snapshot reserved is the sum of the live reservations, nothing is negative, and balance, reserved and spent are conserved.',
  fields: { $bare: 'client', options: { client: { type: 'client', about: 'Whose account; otherwise every account.', optional: true } } },
  example: {},
  notApplicable: noLedger,
  explain: (facts, options) => ({
    needs: ['the ledger at the baseline, read in one transaction, and again', 'a reservation or a charge seen after it'],
    violatedIf: [
      `in a snapshot before the refund ${typeof options.client === 'string' ? `${options.client}'s account` : 'an account'} has something negative`,
      ...(facts.ledger!.hasReservations ? ['reserved is not the sum of the live reservations'] : []),
      'balance, reserved and spent do not add up to what they did at the baseline',
    ],
    inconclusiveIf: ['the ledger was not read in one transaction, or was lost before the refund', ...RECORD_DOUBTS],
  }),
  judge: (input) => judge(viewOf(input, 'ask')),
};
