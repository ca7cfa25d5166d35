// A client's script came to its end: each step was done, none failed, and no wait ran out.
import { instancesOf } from '../model/facts.ts';
import { formatMs } from '../model/time.ts';
import { refOf } from '../model/observation.ts';
import type { ObservationOf } from '../model/observation.ts';
import { readingsOf, waitedOnMs, worstStarvation } from '../model/readings.ts';
import type { Gap } from '../model/readings.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { RECORD_DOUBTS, whose } from './parts/explaining.ts';
import { held, inconclusive, violated, weigh } from './parts/finding.ts';
import { pausesOf } from './parts/outage.ts';
import { faultEnded } from './parts/stopping.ts';
import { clientProcesses, everyFaultFired, nobodyLagged, pathWorks, systemLived, watchersAreSound } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { at, count } from './parts/words.ts';

type Ended = Extract<ObservationOf<'step'>, { edge: 'end' }>;

const wasEnded = (view: View, window: Gap): Finding | null => {
  const outage = instancesOf(view.facts).flatMap(({ process }) => faultEnded(view, process, window) ?? [])[0];
  return outage ? inconclusive(`a fault had ended ${outage.process} by ${outage.sent.signal} meanwhile`, [refOf(outage.sent)]) : null;
};

/** A fault had stopped the system, or it waited at once for longer than measuring may take. */
const stoodStill = ({ timeline, whole, facts }: View, window: Gap): Finding | null => {
  const pauses = instancesOf(facts).flatMap(({ process }) => pausesOf(timeline, process));
  const pause = pauses.find(({ fromMs, toMs }) => fromMs <= window.toMs && toMs >= window.fromMs);
  if (pause) return inconclusive(`a fault had stopped the system ${at(pause.fromMs)}`, [pause.ref]);
  const readings = readingsOf(whole, 'process');
  const { waitedMs } = worstStarvation(readings, { ...window, toMs: waitedOnMs(readings, window.toMs) }, 0);
  return waitedMs > facts.marginMs
    ? inconclusive(`the system waited ${formatMs(waitedMs)} for a processor meanwhile, the margin is ${formatMs(facts.marginMs)}`)
    : null;
};

/** A wait that ran out while somebody had no processor, or did not work at all, was no wait of its length; and of whom a fault had ended nothing is to be had. */
const missedRightly = (view: View, { outcome, atMs }: Ended, begunMs: number): Finding | null => {
  const window = { fromMs: begunMs, toMs: atMs };
  if (outcome !== 'not-seen') return wasEnded(view, window);
  return (
    watchersAreSound(view.timeline, ['upstreams', 'probes'], atMs) ??
    nobodyLagged(view.whole, view.facts.marginMs, window) ??
    wasEnded(view, window) ??
    stoodStill(view, window)
  );
};

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
    excuse: [() => (missed ? missedRightly(view, missed, begunMs(missed)) : null)],
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
    inconclusiveIf: [...RECORD_DOUBTS, `harness or an actor lagged more than ${formatMs(facts.marginMs)}, or failed, while a wait ran out`, 'a fault had ended or stopped the system meanwhile, or it was starved'],
  }),
  judge: (input) => judge(viewOf(input, 'watch')),
};
