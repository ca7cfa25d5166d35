// A client's script came to its end: each step was done, none failed, and no wait ran out.
import { formatMs } from '../model/time.ts';
import { refOf } from '../model/observation.ts';
import type { ObservationOf } from '../model/observation.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { RECORD_DOUBTS, whose } from './parts/explaining.ts';
import { held, inconclusive, violated, weigh } from './parts/finding.ts';
import { clientProcesses, everyFaultFired, nobodyLagged, pathWorks, systemLived, watchersAreSound } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { at, count } from './parts/words.ts';

type Ended = Extract<ObservationOf<'step'>, { edge: 'end' }>;

/** A wait that ran out while somebody had no processor, or did not work at all, was no wait of its length. */
const ranOutRightly = ({ timeline, facts }: View, { outcome, atMs }: Ended, begunMs: number): Finding | null =>
  outcome === 'not-seen'
    ? (watchersAreSound(timeline, ['upstreams', 'probes'], atMs) ?? nobodyLagged(timeline, facts.marginMs, { fromMs: begunMs, toMs: atMs }))
    : null;

const judge = (view: View): Finding => {
  const { client } = view.options;
  const steps = view.timeline.of('step').filter((step) => client === undefined || step.client === client);
  const ended = steps.flatMap((step) => (step.edge === 'end' ? [step] : []));
  const missed = ended.find(({ outcome }) => outcome !== 'done');
  const open = steps.find((begun) => begun.edge === 'begin' && !ended.some((step) => step.client === begun.client && step.index === begun.index));
  const clients = [...new Set(steps.map((step) => step.client))];
  const begunMs = ({ client: of, index, atMs }: Ended): number =>
    steps.find((step) => step.edge === 'begin' && step.client === of && step.index === index)?.atMs ?? atMs;
  const lastMs = Math.max(0, ...ended.map(({ atMs }) => atMs));
  return weigh({
    premises: [() => everyFaultFired(view)],
    guards: [
      () => pathWorks(view),
      () => systemLived(view, view.endMs),
      () => isWhole(view),
      () => watchersAreSound(view.timeline, clients.flatMap(clientProcesses), view.endMs),
      () => (ended.length > 0 ? null : inconclusive('no step was begun')),
      () => (open ? inconclusive(`${open.client}'s step ${open.step} had not ended by then`, [refOf(open)]) : null),
    ],
    decide: () =>
      missed
        ? violated(`${missed.client}'s step ${missed.index + 1} (${missed.step}) was not done ${at(missed.atMs)}: ${missed.reason ?? 'no reason was given'}`, [refOf(missed)], {
            interval: { fromMs: begunMs(missed), toMs: missed.atMs },
          })
        : held(`${count(ended.length, 'step')} of ${clients.join(', ')} done by ${formatMs(lastMs)}`, ended.map(refOf)),
    excuse: [() => (missed ? ranOutRightly(view, missed, begunMs(missed)) : null)],
  });
};

export const definition: ExpectationDefinition = {
  kind: 'script-done',
  about: 'The script came to its end: each step was done, and no wait ran out.',
  fields: { $bare: 'client', options: { client: { type: 'client', about: 'Whose script; otherwise every one.', optional: true } } },
  example: { client: 'alice' },
  withoutSystem: true,
  notApplicable: () => null,
  explain: (facts, options) => ({
    needs: [`the end of ${whose(options)} script`],
    violatedIf: ['a step failed, or what it waited for was not seen within its limit'],
    inconclusiveIf: [...RECORD_DOUBTS, `harness or an actor lagged more than ${formatMs(facts.marginMs)}, or failed, while a wait ran out`],
  }),
  judge: (input) => judge(viewOf(input, 'watch')),
};
