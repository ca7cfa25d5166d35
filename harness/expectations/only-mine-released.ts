// What is over is released, and nothing else: at the end of the watch the affected reservations are gone or
// terminal, and the account has reserved what the rows of its live siblings add up to.
import { exchangesOf } from '../model/exchanges.ts';
import { holdingsOf } from '../model/leases.ts';
import type { LedgerReading } from '../model/leases.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { billingClassOf, differs, sumOf, withClass } from './parts/billing-class.ts';
import { held, inconclusive, isFinding, violated, weigh, worstOf } from './parts/finding.ts';
import { heldRowsOf, overOf, wasReplaced } from './parts/held-rows.ts';
import { instanceOf } from './parts/instances.ts';
import { accountIn, accountOf, baselineOf, ledgerAtEnd, noReservations } from './parts/ledger.ts';
import { lastLife, livedOnLate } from './parts/liveness.ts';
import { noOccasion } from './parts/occasion.ts';
import { lastAbsenceMs } from './parts/outage.ts';
import { countedRowsOf, formerIsKnown, formerResidueOf, seededOf } from './parts/seeded.ts';
import { keptFromLedger, unlessKeptFromLedger, unlessStarved } from './parts/starved.ts';
import { endDoesNotApply, subjectOf } from './parts/subject.ts';
import { everyFaultFired, pathWorks, systemLived } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { at, count, reservationWords } from './parts/words.ts';

/** What must be released, and the account whose total it was part of. */
type Case = {
  readonly whose: string;
  readonly account: string;
  readonly baseline: LedgerReading;
  readonly end: LedgerReading;
  readonly ids: ReadonlySet<string>;
  readonly evidence: readonly string[];
  /** From then on somebody else has to release it: a fault wrote it, or ended or stopped who served it. */
  readonly orphanedMs: number;
};

type Affected = Pick<Case, 'whose' | 'account' | 'ids' | 'evidence' | 'orphanedMs'>;

const ofClient = (view: View, client: string): Affected | Finding => {
  const exchange = subjectOf(view, client);
  if (isFinding(exchange)) return exchange;
  const { own, unclear } = holdingsOf(view.timeline, exchange);
  if (unclear[0])
    return inconclusive(`${reservationWords(unclear[0].id)} may belong to another exchange of the same account`, [
      unclear[0].rows[0]!.reading.ref,
    ]);
  const active = own.filter(({ rows }) => rows.some(({ row }) => !row.terminal));
  if (!active[0]) return inconclusive(`no reservation of ${client}'s exchange was ever seen active`);
  return {
    whose: `${client}'s exchange`,
    account: active[0].rows[0]!.row.payer,
    ids: new Set(own.map(({ id }) => id)),
    evidence: active.map(({ rows }) => rows[0]!.reading.ref),
    orphanedMs: lastAbsenceMs(view, instanceOf(view, exchange).process),
  };
};

/** What a fault wrote in a transaction of its own was there: that it did is on record. */
const ofFaults = (view: View, client: string): Affected | Finding => {
  const account = accountOf(view, client);
  const { rows, aggregates, evidence, writtenMs } = seededOf(view, account);
  return rows.length + aggregates.length > 0
    ? { whose: `what a fault added to account ${account}`, account, ids: new Set(rows), evidence, orphanedMs: writtenMs }
    : inconclusive(`no fault added anything to account ${account} that could be released`, evidence);
};

const caseOf = (view: View): Case | Finding => {
  const { client, seeded } = view.options;
  const affected = typeof seeded === 'string' ? ofFaults(view, seeded) : ofClient(view, String(client));
  if (isFinding(affected)) return affected;
  const baseline = baselineOf(view);
  if (isFinding(baseline)) return baseline;
  const end = ledgerAtEnd(view);
  return isFinding(end) ? end : { ...affected, baseline, end };
};

/** Somebody must have had the occasion to release it. */
const hadNoOccasion = (view: View, { whose, orphanedMs, end }: Case): Finding | null =>
  keptFromLedger(view, end.atMs) ?? noOccasion(view, `${whose} was not released`, orphanedMs);

const stillHeld = (view: View, found: Case): Finding | null => {
  const { whose, account, ids, end, baseline } = found;
  const row = end.value.reservations.find(({ id, terminal }) => ids.has(id) && !terminal);
  if (!row) return null;
  const fromMs = view.timeline.phase('watch').beginMs ?? baseline.atMs;
  const late = hadNoOccasion(view, found);
  if (late) return late;
  return violated(`${reservationWords(row.id)} of ${whose} was still ${row.state} at the end of the watch`, [end.ref], {
    interval: { fromMs, toMs: end.atMs },
    ...withClass(billingClassOf(view, account, end, fromMs)),
  });
};

/** Others' reservations that ended while their exchanges were plainly live. */
const releasedToo = (view: View, { account, ids, whose }: Case): readonly Finding[] =>
  exchangesOf(view.timeline).flatMap((exchange) => {
    const life = lastLife(exchange);
    const lives = heldRowsOf(view, exchange);
    const others = lives.filter(({ id, rows }) => !ids.has(id) && rows[0]!.row.payer === account);
    return others.flatMap((each) => {
      const over = overOf(view, each);
      if (!over || !life || life.atMs <= over.reading.atMs) return [];
      const { atMs, ref } = over.reading;
      const tooMuch = violated(
        `with ${whose} ${reservationWords(each.id)} of ${exchange.client} was released ${at(atMs)}, whose stream was live until ${formatMs(life.atMs)}`,
        [ref, `${life.actor}#${life.seq}`],
        { interval: { fromMs: atMs, toMs: life.atMs }, class: 'aggregate and rows drifted apart' },
      );
      return [wasReplaced(lives, over) ?? livedOnLate(view, atMs, life.atMs) ?? unlessStarved(view, unlessKeptFromLedger(view, tooMuch), instanceOf(view, exchange).process)];
    });
  });

/** The account's total beside what is rightly in it; of what is affected no row is live any more. */
const compare = (view: View, found: Case): Finding => {
  const { account, baseline, end, whose, evidence } = found;
  const total = accountIn(end, account);
  if (!total) return inconclusive(`account ${account} is not in the ledger at the end`, [end.ref]);
  const siblings = countedRowsOf(view, end, account);
  const former = formerResidueOf(view, baseline, account);
  const right = sumOf(siblings) + former;
  const refs = [...evidence, baseline.ref, end.ref];
  const before = differs(former, 0) ? ` and ${former} from before` : '';
  const said = `account ${account} has ${total.reserved} reserved, ${count(siblings.length, 'live row')} of others hold ${sumOf(siblings)}${before}`;
  const unknown = formerIsKnown(view, baseline, account);
  if (unknown) return unknown;
  if (!end.value.consistent && differs(total.reserved, right)) return inconclusive(`${said}, but the ledger was not read in one transaction`, refs);
  if (!differs(total.reserved, right)) return held(`${whose} was released: ${said}`, refs);
  const fromMs = view.timeline.phase('watch').beginMs ?? baseline.atMs;
  const isTooMuch = total.reserved > right;
  const late = isTooMuch ? hadNoOccasion(view, found) : null;
  if (late) return late;
  return violated(`${isTooMuch ? `not all of ${whose} was released` : `more than ${whose} was released`}: ${said}`, refs, {
    interval: { fromMs, toMs: end.atMs },
    class: isTooMuch && siblings.length === 0 ? 'aggregate without a row' : 'aggregate and rows drifted apart',
  });
};

const judge = (view: View): Finding => {
  const found = caseOf(view);
  const decide = (): Finding => {
    if (isFinding(found)) return found;
    return worstOf([...releasedToo(view, found), unlessStarved(view, stillHeld(view, found) ?? compare(view, found), undefined, view.endMs)]);
  };
  return weigh({
    premises: [() => everyFaultFired(view)],
    guards: [() => pathWorks(view), () => systemLived(view, view.endMs), () => isWhole(view)],
    decide,
  });
};

export const definition: ExpectationDefinition = {
  kind: 'only-mine-released',
  about:
    'At the end of the watch what is affected is terminal or gone, and its account has reserved what the rows of its live siblings add up to.',
  fields: {
    $one: ['client', 'seeded'],
    options: {
      client: { type: 'client', about: 'Whose exchange is affected.', optional: true },
      seeded: { type: 'client', about: 'On whose account faults added what is to be released: rows, or a total without one.', optional: true },
    },
  },
  example: { client: 'alice' },
  notApplicable: (facts, { client, seeded }) =>
    noReservations(facts, { client: client ?? seeded }) ?? endDoesNotApply(facts, { client }),
  explain: (_, { client, seeded }) => ({
    needs: [
      client === undefined
        ? `what a fault added to ${String(seeded)}'s account`
        : `an active reservation of ${String(client)}'s exchange`,
    ],
    violatedIf: [
      'any of it is neither terminal nor gone at the end of the watch',
      'a reservation of another was released while its stream was live',
      `the account of ${String(client ?? seeded)} has reserved more or less than the live rows of others add up to`,
    ],
    inconclusiveIf: ['it cannot be told whose a reservation is', 'the ledger was lost', 'the system was starved for more than a third of a lease'],
  }),
  pending: (input) => {
    const view = viewOf(input, 'watch');
    const found = caseOf(view);
    const finding = isFinding(found) ? found : (stillHeld(view, found) ?? compare(view, found));
    return finding.outcome === 'held' ? null : finding.reason;
  },
  judge: (input) => judge(viewOf(input, 'watch')),
};
