// Nobody reads what was meant for another: each body carries the marker of its own request only.
import { exchangesOf } from '../model/exchanges.ts';
import { refOf } from '../model/observation.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { RECORD_DOUBTS } from './parts/explaining.ts';
import { held, inconclusive, violated, weigh } from './parts/finding.ts';
import { clientProcesses, everyFaultFired, pathWorks, systemLived, watchersAreSound } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { count } from './parts/words.ts';

const judge = (view: View): Finding => {
  const { client } = view.options;
  const read = exchangesOf(view.timeline)
    .filter((exchange) => client === undefined || exchange.client === client)
    .flatMap((exchange) => (exchange.ended && exchange.ended.bytes > 0 ? [{ ...exchange, ended: exchange.ended }] : []));
  const foreign = read.find(({ ended }) => ended.foreignMarkers.length > 0);
  return weigh({
    wrong: [
      () =>
        foreign
          ? violated(
              `${foreign.client}'s answer to ${foreign.marker} carries ${foreign.ended.foreignMarkers.join(', ')}`,
              [refOf(foreign.ended)],
              { interval: { fromMs: foreign.planned.atMs, toMs: foreign.ended.atMs } },
            )
          : null,
    ],
    guards: [
      () => everyFaultFired(view),
      () => pathWorks(view),
      () => systemLived(view, view.endMs),
      () => isWhole(view),
      () =>
        watchersAreSound(
          view.timeline,
          view.timeline.of('exchange-planned').flatMap((planned) => clientProcesses(planned.client)),
          view.endMs,
        ),
      () => (read.length > 0 ? null : inconclusive('no answer was read to its end')),
    ],
    decide: () =>
      held(
        `${count(read.length, 'answer')} carried no marker but its own`,
        read.map(({ ended }) => refOf(ended)),
      ),
  });
};

export const definition: ExpectationDefinition = {
  kind: 'no-foreign-bytes',
  about: 'Every body carries the marker of its own request only.',
  fields: { $bare: 'client', options: { client: { type: 'client', about: 'Whose answers; otherwise all.', optional: true } } },
  example: {},
  withoutSystem: true,
  notApplicable: () => null,
  explain: (_facts, { client }) => ({
    needs: [`an answer with a body, read to its end by ${typeof client === 'string' ? client : 'a client'}`],
    violatedIf: ['a body carries the marker of another request'],
    inconclusiveIf: ['no answer was read to its end', ...RECORD_DOUBTS],
  }),
  judge: (input) => judge(viewOf(input, 'watch')),
};
