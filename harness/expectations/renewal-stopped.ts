// Nobody keeps the money reserved for a client that has gone: no lease of the exchange moves any more.
// A lease that never moved before has nothing to stop, and a starved system renews late or never.
import type { Exchange } from '../model/exchanges.ts';
import { textOption } from '../model/fields.ts';
import { holdingsOf, renewalsOf } from '../model/leases.ts';
import type { Holdings, Life } from '../model/leases.ts';
import { readingsOf } from '../model/readings.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { billingClassOf, renewalsAfter, withClass } from './parts/billing-class.ts';
import type { Span } from './parts/closing.ts';
import { lagDoubts, leaseDoubts, leaveDoubts, limitWords, momentWords, RECORD_DOUBTS, starvedDoubts, UNSEEN_WRITES } from './parts/explaining.ts';
import { held, inconclusive, isFinding, violated, weigh } from './parts/finding.ts';
import { ledgerKeptUp, ledgerLasted, noReservations } from './parts/ledger.ts';
import { momentOf } from './parts/moment.ts';
import type { Moment } from './parts/moment.ts';
import { spanOf } from './parts/span.ts';
import { keptFromLedger } from './parts/starved.ts';
import { drainDoesNotApply, leaveArrives, leaveDoesNotApply, subjectOf, wasStreaming } from './parts/subject.ts';
import { clockIsExact, everyFaultFired, feedingWasSeen, nobodyLagged, pathWorks, systemLived, systemWasFed } from './parts/trust.ts';
import { writesAreExplained } from './parts/unseen-writes.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { count, reservationWords, since } from './parts/words.ts';

type Case = { readonly view: View; readonly exchange: Exchange; readonly moment: Moment; readonly span: Span; readonly holdings: Holdings };

const caseOf = (view: View): Case | Finding => {
  const exchange = subjectOf(view, textOption(view.options, 'client'), view.options.after);
  if (isFinding(exchange)) return exchange;
  const moment = momentOf(view, view.options.after, exchange);
  if (isFinding(moment)) return moment;
  // One renewal may be on its way at the moment itself.
  return {
    view,
    exchange,
    moment,
    span: spanOf(view, moment, view.facts.periods.renewalMs!),
    holdings: holdingsOf(view.timeline, exchange),
  };
};

/** Before: the ledger showed it live. */
const isActiveBefore = (life: Life, atMs: number): boolean => life.rows.some(({ reading, row }) => !row.terminal && reading.atMs <= atMs);

const stateOf = (life: Life): string => life.rows.at(-1)!.row.state;

const movedAfter = ({ view, exchange, moment, span, holdings }: Case): Finding | null => {
  for (const life of [...holdings.own, ...holdings.ownerless]) {
    const moves = renewalsAfter(life, span.lateMs);
    if (moves.length === 0) continue;
    const all = renewalsAfter(life, moment.atMs);
    const last = moves.at(-1)!.to.reading;
    const lastly = formatMs(last.atMs - moment.atMs);
    return violated(
      `lease of ${reservationWords(life.id)} moved ${count(all.length, 'time')} after ${moment.words}, last ${lastly} after it`,
      [moves[0]!.from.reading.ref, moves[0]!.to.reading.ref, last.ref],
      {
        interval: { fromMs: moves[0]!.from.reading.atMs, toMs: last.atMs },
        ...withClass(billingClassOf(view, exchange.account, last, moment.atMs)),
      },
    );
  }
  return null;
};

const appearedAfter = ({ view, exchange, moment, span, holdings }: Case): Finding | null => {
  const life = [...holdings.own, ...holdings.ownerless].find(
    ({ absentMs, rows }) => absentMs >= span.lateMs && rows.some(({ row }) => !row.terminal),
  );
  if (!life) return null;
  const { reading } = life.rows.find(({ row }) => !row.terminal)!;
  return violated(
    `${reservationWords(life.id)} appeared ${since(reading.atMs - moment.atMs, moment.words)}, and nobody else owns it`,
    [reading.ref],
    {
      interval: { fromMs: reading.atMs, toMs: life.rows.at(-1)!.reading.atMs },
      ...withClass(billingClassOf(view, exchange.account, reading, moment.atMs)),
    },
  );
};

/** Lives on without a lease that could be seen to move. */
const withoutLease = ({ span }: Case, lives: readonly Life[]): Finding | null => {
  const blind = lives.find(
    ({ rows }) =>
      rows.every(({ row }) => row.leaseAtMs === undefined) && rows.some(({ row, reading }) => !row.terminal && reading.beganMs >= span.lateMs),
  );
  return blind
    ? inconclusive(`the ledger shows no lease of ${reservationWords(blind.id)}, which was ${stateOf(blind)} when last seen`, [
        blind.rows.at(-1)!.reading.ref,
      ])
    : null;
};

/** Lives on, but what was seen of it since it must not move any more is less than a renewal takes. */
const watchedTooShort = ({ view, moment, span }: Case, lives: readonly Life[]): Finding | null => {
  const readings = readingsOf(view.timeline, 'ledger');
  const first = readings.find(({ beganMs }) => beganMs >= span.lateMs);
  const last = readings.at(-1)!;
  const watchedMs = first ? Math.max(0, last.beganMs - first.atMs) : 0;
  const renewalMs = view.facts.periods.renewalMs!;
  const living = lives.find(({ rows }) => !rows.at(-1)!.row.terminal && rows.at(-1)!.reading.ref === last.ref);
  if (!living || watchedMs >= renewalMs + view.facts.marginMs) return null;
  return inconclusive(
    `the watch was too short: ${reservationWords(living.id)} stays ${stateOf(living)}, and from ${formatMs(span.lateMs - moment.atMs)} after ` +
      `${moment.words} on it was seen for ${formatMs(watchedMs)} only; a renewal takes ${formatMs(renewalMs)}`,
    [last.ref],
  );
};

const decide = (found: Case): Finding => {
  const { view, exchange, moment, holdings } = found;
  const { unclear, own, ownerless } = holdings;
  if (unclear.length > 0)
    return inconclusive(`${reservationWords(unclear[0]!.id)} may belong to another exchange of the same account`, [
      unclear[0]!.rows[0]!.reading.ref,
    ]);
  const active = [...own, ...ownerless].filter((life) => isActiveBefore(life, moment.atMs));
  if (active.length === 0) return inconclusive(`no reservation of ${exchange.client}'s exchange was seen active before ${moment.words}`);
  const blind = withoutLease(found, active);
  if (blind) return blind;
  const endless = active.find((life) => {
    const last = life.rows.at(-1)!;
    const isLive = !last.row.terminal && last.reading.ref === readingsOf(view.timeline, 'ledger').at(-1)!.ref;
    return isLive && !renewalsOf(life).some(({ to }) => to.reading.atMs <= moment.atMs);
  });
  const said = `${count(active.length, 'reservation')} of ${exchange.client}`;
  const evidence = active.map((life) => life.rows.at(-1)!.reading.ref);
  if (endless)
    return inconclusive(
      `nothing to stop: ${reservationWords(endless.id)} stays ${stateOf(endless)}, and no renewal of it was seen before ${moment.words}`,
      evidence,
    );
  const unseen = watchedTooShort(found, active);
  if (unseen) return unseen;
  return held(
    `no lease of ${said} moved from one renewal after ${moment.words} to ${formatMs(view.endMs - moment.atMs)} after it`,
    evidence,
  );
};

const judge = (view: View): Finding => {
  const found = caseOf(view);
  if (isFinding(found)) return found;
  const { exchange, moment, span } = found;
  const window = { fromMs: moment.atMs, toMs: view.endMs };
  const leaseMs = view.facts.periods.leaseMs!;
  return weigh({
    premises: [() => everyFaultFired(view), () => leaveArrives(view, exchange, moment)],
    wrong: [() => movedAfter(found), () => appearedAfter(found)],
    guards: [
      () => pathWorks(view),
      () => clockIsExact(view),
      () => wasStreaming(exchange, moment),
      () => systemLived(view, view.endMs),
      () => isWhole(view),
      () => ledgerLasted(view),
      () => ledgerKeptUp(view, window),
    ],
    decide: () => decide(found),
    confirm: [
      () => writesAreExplained(view, exchange, { fromMs: span.lateMs, toMs: view.endMs }),
      () => nobodyLagged(view.timeline, view.facts.marginMs, { fromMs: moment.openAtMs, toMs: span.dueMs }),
      () => systemWasFed(view, window, leaseMs, moment.process),
      () => feedingWasSeen(view, window, leaseMs),
      () => keptFromLedger(view, view.endMs),
    ],
  });
};

export const definition: ExpectationDefinition = {
  kind: 'renewal-stopped',
  about:
    'From one renewal after the mark to the end of the watch no reservation of the exchange is renewed, and none appears that nobody owns.',
  fields: {
    options: {
      client: { type: 'client', about: 'Whose exchange.' },
      after: { type: 'after', about: 'The mark from which nothing may be renewed, or a bound that is due.' },
    },
  },
  example: { client: 'alice', after: 'gone' },
  notApplicable: (facts, options) => {
    const { renewalMs, leaseMs } = facts.periods;
    return (
      noReservations(facts, options) ??
      leaveDoesNotApply(facts, options) ??
      drainDoesNotApply(facts, options) ??
      (renewalMs === undefined || leaseMs === undefined ? 'the card declares no period of renewal and lease' : null)
    );
  },
  explain: (facts, { client, after }) => ({
    needs: [
      `a reservation of ${String(client)}'s exchange seen active before ${momentWords(facts, after)}`,
      'where it stays active: a renewal of it seen before that, and its lease in the ledger',
    ],
    violatedIf: [
      `its lease moves forward while it is not terminal, later than ${limitWords(facts, after, facts.periods.renewalMs)}`,
      'a new reservation appears after that which no other exchange of the account owns',
    ],
    inconclusiveIf: [
      'a reservation may belong to another exchange of the account',
      `it stays active and is seen for less than ${formatMs((facts.periods.renewalMs ?? 0) + facts.marginMs)} after that`,
      UNSEEN_WRITES,
      ...leaveDoubts(facts, after),
      ...leaseDoubts(facts),
      ...starvedDoubts(facts),
      ...lagDoubts(facts),
      ...RECORD_DOUBTS,
    ],
  }),
  judge: (input) => judge(viewOf(input, 'watch')),
};
