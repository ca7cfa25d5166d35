// The money held for an exchange is settled or released within the limit, and stays so.
import type { Exchange } from '../model/exchanges.ts';
import { numberOption, textOption } from '../model/fields.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import type { Span } from './parts/closing.ts';
import { lagDoubts, leaseDoubts, leaveDoubts, limitWords, momentWords, RECORD_DOUBTS, UNSEEN_WRITES } from './parts/explaining.ts';
import { firstFinding, isFinding, stillWaiting, weigh } from './parts/finding.ts';
import { ledgerKeptUp, ledgerLasted, noLedger } from './parts/ledger.ts';
import { momentOf } from './parts/moment.ts';
import type { Moment } from './parts/moment.ts';
import { unlessOrphaned } from './parts/occasion.ts';
import { ledgerSpanOf, spanOf } from './parts/span.ts';
import { drainDoesNotApply, leaveArrives, leaveDoesNotApply, subjectOf, wasStreaming } from './parts/subject.ts';
import { activeTracks, cameBack, judgeTracks } from './parts/terminal.ts';
import { clockIsExact, everyFaultFired, nobodyLagged, pathWorks, systemLived } from './parts/trust.ts';
import { writesAreExplained } from './parts/unseen-writes.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';

type Case = {
  readonly exchange: Exchange;
  readonly moment: Moment;
  readonly span: Span;
  readonly tracks: Exclude<ReturnType<typeof activeTracks>, Finding>;
};

const caseOf = (view: View): Case | Finding => {
  const exchange = subjectOf(view, textOption(view.options, 'client'), view.options.after);
  if (isFinding(exchange)) return exchange;
  const moment = momentOf(view, view.options.after, exchange);
  if (isFinding(moment)) return moment;
  const tracks = activeTracks(view, exchange, moment.atMs);
  if (isFinding(tracks)) return tracks;
  return { exchange, moment, span: ledgerSpanOf(view, spanOf(view, moment, numberOption(view.options, 'within'))), tracks };
};

const judge = (view: View): Finding => {
  const found = caseOf(view);
  if (isFinding(found)) return found;
  const { exchange, moment, span, tracks } = found;
  const window = { fromMs: moment.openAtMs, toMs: view.endMs };
  return weigh({
    premises: [() => everyFaultFired(view), () => leaveArrives(view, exchange, moment)],
    wrong: [() => firstFinding(tracks, (track) => cameBack(track, moment.atMs))],
    guards: [
      () => pathWorks(view),
      () => clockIsExact(view),
      () => wasStreaming(exchange, moment),
      () => systemLived(view, span.dueMs + view.facts.marginMs),
    ],
    decide: () => unlessOrphaned(view, judgeTracks(view, exchange, span, tracks), exchange, moment.process, span.lateMs),
    excuse: [() => systemLived(view, span.lateMs)],
    confirm: [
      () => isWhole(view),
      () => systemLived(view, view.endMs),
      () => ledgerLasted(view),
      () => ledgerKeptUp(view, window),
      () => writesAreExplained(view, exchange, { fromMs: moment.atMs, toMs: view.endMs }),
      () => nobodyLagged(view.timeline, view.facts.marginMs, { fromMs: moment.openAtMs, toMs: span.dueMs }),
    ],
  });
};

export const definition: ExpectationDefinition = {
  kind: 'billing-terminal',
  about: 'Each reservation of the exchange that was active before the mark is in a terminal state within the limit, and stays there.',
  fields: {
    options: {
      client: { type: 'client', about: 'Whose exchange.' },
      after: { type: 'after', about: 'The mark from which the limit counts, or a bound that is due.' },
      within: { type: 'duration', about: 'How long it may take.' },
    },
  },
  example: { client: 'alice', after: 'gone', within: '5s' },
  notApplicable: (facts, options) =>
    noLedger(facts, options) ?? leaveDoesNotApply(facts, options) ?? drainDoesNotApply(facts, options),
  explain: (facts, { client, after, within }) => ({
    needs: [`a reservation of ${String(client)}'s exchange seen active before ${momentWords(facts, after)}`],
    violatedIf: [`it is not in a terminal state ${limitWords(facts, after, within)}`, 'it leaves a terminal state again'],
    inconclusiveIf: [UNSEEN_WRITES, ...leaveDoubts(facts, after), ...leaseDoubts(facts), ...lagDoubts(facts), ...RECORD_DOUBTS],
  }),
  pending: (input) => {
    const view = viewOf(input, 'watch');
    const found = caseOf(view);
    if (isFinding(found)) return found.reason;
    return stillWaiting(judgeTracks(view, found.exchange, found.span, found.tracks), view.endMs, found.span.lateMs);
  },
  judge: (input) => judge(viewOf(input, 'watch')),
};
