// After the leave a healthy request is served: its slot, its account and its connection are there.
import { exchangesOf } from '../model/exchanges.ts';
import type { Exchange } from '../model/exchanges.ts';
import { numberOption, textOption } from '../model/fields.ts';
import { refOf } from '../model/observation.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { lagDoubts, momentWords, RECORD_DOUBTS } from './parts/explaining.ts';
import { held, inconclusive, isFinding, violated, weigh } from './parts/finding.ts';
import { instanceOf } from './parts/instances.ts';
import { momentOf } from './parts/moment.ts';
import { spanOf } from './parts/span.ts';
import { refusedTo } from './parts/refused.ts';
import { faultEnded } from './parts/stopping.ts';
import { clientProcesses, clockIsExact, everyFaultFired, nobodyLagged, pathWorks, systemLived, watchersAreSound } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';

/** Whom a fault had ended meanwhile, or before it was there again, serves nobody. */
const wasEnded = (view: View, exchange: Exchange, endMs: number): Finding | null => {
  const { process } = instanceOf(view, exchange);
  const outage = faultEnded(view, process, { fromMs: exchange.planned.atMs, toMs: endMs });
  return outage ? inconclusive(`a fault had ended ${process} by ${outage.sent.signal}: ${exchange.client} could not be served`, [refOf(outage.sent)]) : null;
};

const judge = (view: View): Finding => {
  const client = textOption(view.options, 'client');
  const exchange = exchangesOf(view.timeline).findLast((each) => each.client === client);
  const refused = exchange ? refusedTo(view, exchange) : undefined;
  const written = exchange?.written ?? refused;
  if (!exchange || !written) return inconclusive(`${client} never asked`);
  const { ended, head } = exchange;
  const moment = momentOf(view, view.options.after, exchange);
  if (isFinding(moment)) return moment;
  const limitMs = numberOption(view.options, 'within');
  const span = spanOf(view, { ...moment, atMs: written.atMs, openAtMs: written.atMs, originMs: written.atMs }, limitMs);
  const endMs = ended?.atMs ?? refused?.atMs ?? view.endMs;
  const took = formatMs(endMs - written.atMs);
  const evidence = [refOf(written), ...(ended ? [refOf(ended)] : [])];
  const status = head ? `status ${head.status}` : 'no status';
  return weigh({
    premises: [
      () => everyFaultFired(view),
      () => (written.atMs > moment.atMs ? null : inconclusive(`${client} asked before ${moment.words}`, [refOf(written)])),
    ],
    guards: [
      () => pathWorks(view),
      () => clockIsExact(view),
      () => watchersAreSound(view.timeline, clientProcesses(client), view.endMs),
      () => systemLived(view, Math.min(endMs, span.lateMs) + view.facts.marginMs),
    ],
    decide: () => {
      if (refused) return violated(`${client} could not connect: ${refused.error}`, evidence);
      if (ended && ((head?.status ?? 0) >= 400 || ended.how !== 'complete' || ended.errorEvent !== null)) {
        return violated(
          `${client} was answered with ${ended.errorEvent ?? `${status}, ${ended.how}`} after ${took}`,
          evidence,
          { interval: { fromMs: written.atMs, toMs: endMs } },
        );
      }
      if (ended && endMs <= span.dueMs) return held(`${client} was served in ${took}`, evidence);
      if (endMs <= span.lateMs) return inconclusive(`${client} had not been served after ${took}, which is too soon to say`, evidence);
      return violated(`${client} was ${ended ? 'served only' : 'not served'} after ${took}, ${formatMs(limitMs)} are allowed`, evidence, {
        interval: { fromMs: span.dueMs, toMs: endMs },
      });
    },
    // Who was there until it was too late is accused of that, whatever became of it then.
    excuse: [() => wasEnded(view, exchange, Math.min(endMs, span.lateMs))],
    confirm: [() => isWhole(view), () => nobodyLagged(view.timeline, view.facts.marginMs, { fromMs: written.atMs, toMs: endMs })],
  });
};

export const definition: ExpectationDefinition = {
  kind: 'follow-up-served',
  about: 'A healthy request after the leave is answered in full within its limit.',
  fields: {
    options: {
      client: { type: 'client', about: 'Who asks.' },
      after: { type: 'after', about: 'The leave that it comes after.' },
      within: { type: 'duration', about: 'How long the whole answer may take.' },
    },
  },
  example: { client: 'bob', after: 'gone', within: '3s' },
  withoutSystem: true,
  notApplicable: () => null,
  explain: (facts, options) => ({
    needs: [`a request of ${textOption(options, 'client')}, written after ${momentWords(facts, options.after)}`],
    violatedIf: [
      `its whole answer takes longer than ${formatMs(numberOption(options, 'within'))} and ${formatMs(facts.marginMs)} for measuring`,
      'it is answered by an error, is cut, or cannot connect',
    ],
    inconclusiveIf: ['it was asked before that moment', ...lagDoubts(facts), ...RECORD_DOUBTS],
  }),
  pending: (input) => {
    // Nothing after the answer is waited for.
    const finding = judge({ ...viewOf(input, 'watch'), isComplete: true });
    return finding.outcome === 'inconclusive' ? finding.reason : null;
  },
  judge: (input) => judge(viewOf(input, 'watch')),
};
