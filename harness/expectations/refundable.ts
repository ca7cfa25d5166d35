// Asked once, when everything else has been seen, the account's money is given back.
import { exchangesOf } from '../model/exchanges.ts';
import { textOption } from '../model/fields.ts';
import { refOf } from '../model/observation.ts';
import { readingsOf } from '../model/readings.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { billingClassOf, withClass } from './parts/billing-class.ts';
import { RECORD_DOUBTS, starvedDoubts } from './parts/explaining.ts';
import { held, inconclusive, violated, weigh } from './parts/finding.ts';
import { accountIn, accountOf, noLedger } from './parts/ledger.ts';
import { unlessUnreleasable } from './parts/occasion.ts';
import { keptFromLedger } from './parts/starved.ts';
import { endDoesNotApply } from './parts/subject.ts';
import { everyFaultFired, pathWorks, systemLived } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';

const ANSWER_CHARACTERS = 160;

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

const judge = (view: View): Finding => {
  const account = accountOf(view, textOption(view.options, 'client'));
  const fromMs = view.timeline.phase('ask').beginMs ?? Infinity;
  // What was asked before live siblings were let finish was asked in order to be refused.
  const finished = view.timeline.of('let-finish').findLast(({ marker }) => marker !== null);
  const refund = view.timeline
    .of('refund')
    .find((asked) => asked.account === account && asked.atMs - (asked.tookMs ?? 0) >= Math.max(fromMs, finished?.atMs ?? fromMs));
  const before = readingsOf(view.timeline, 'ledger').findLast(({ atMs }) => atMs <= (refund ? refund.atMs - (refund.tookMs ?? 0) : -Infinity));
  const evidence = [...(refund ? [refOf(refund)] : []), ...(before ? [before.ref] : [])];
  const said = `status ${refund?.status ?? 'none'}, ${oneLine(refund?.answer ?? '').slice(0, ANSWER_CHARACTERS)}`;
  const reserved = before ? (accountIn(before, account)?.reserved ?? 0) : 0;
  const watchMs = view.timeline.phase('watch').beginMs ?? fromMs;
  return weigh({
    guards: [() => everyFaultFired(view), () => pathWorks(view), () => systemLived(view, refund?.atMs ?? view.endMs)],
    decide: () => {
      if (!refund) return inconclusive(`no refund was asked for account ${account}`);
      if (refund.verdict === 'unexpected')
        return inconclusive(`the answer to the refund is neither of those that the card names: ${said}`, evidence);
      if (refund.verdict === 'accepted') return held(`the refund was accepted: ${said}`, evidence);
      const found = before && reserved > 0 ? billingClassOf(view, account, before, watchMs) : undefined;
      const refused = violated(`the refund was refused: ${said}; account ${account} had ${reserved} reserved`, evidence, {
        interval: { fromMs: watchMs, toMs: refund.atMs },
        ...withClass(found),
      });
      // Refused because the money is still held: by who was kept from releasing it, perhaps.
      return reserved > 0 ? (keptFromLedger(view, refund.atMs) ?? unlessUnreleasable(view, refused, account, refund.atMs)) : refused;
    },
    confirm: [
      () => isWhole(view),
      () =>
        exchangesOf(view.timeline).some((exchange) => exchange.account === account && exchange.upstreams.length > 0)
          ? null
          : inconclusive(`no request of account ${account} ever reached an upstream: there was nothing to hold the refund back`),
    ],
  });
};

export const definition: ExpectationDefinition = {
  kind: 'refundable',
  about: "Asked once, last, the refund of the client's account is accepted.",
  fields: { $bare: 'client', options: { client: { type: 'client', about: 'Whose account.' } } },
  example: { client: 'alice' },
  notApplicable: (facts, options) =>
    noLedger(facts, options) ??
    endDoesNotApply(facts, options) ??
    (facts.stopsAt === null ? null : 'the scenario stops the system: there is nobody left to ask'),
  explain: (facts, { client }) => ({
    needs: [`a request of ${String(client)}'s account that came to an upstream`, 'the answer to one refund, asked last'],
    violatedIf: ['the refund is refused'],
    inconclusiveIf: [
      'the answer is neither of those that the card names',
      'money is still held, and a fault had ended or stopped whoever could have released it',
      ...starvedDoubts(facts),
      ...RECORD_DOUBTS,
    ],
  }),
  judge: (input) => judge(viewOf(input, 'ask')),
};
