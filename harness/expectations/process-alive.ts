// The system lives until it is told to stop.
import { refOf } from '../model/observation.ts';
import type { ObservationOf } from '../model/observation.ts';
import { readingsOf } from '../model/readings.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { RECORD_DOUBTS } from './parts/explaining.ts';
import { held, inconclusive, violated, weigh } from './parts/finding.ts';
import { stopSignal } from './parts/stopping.ts';
import { ownDeath } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { at, count, exitWords } from './parts/words.ts';

const died = (view: View, untilMs: number): Finding | null => {
  const death = ownDeath(view);
  if (!death || death.atMs > untilMs) return null;
  return violated(`${death.process} died by itself ${at(death.atMs)} with ${exitWords(death)}`, [refOf(death)], {
    interval: { fromMs: death.atMs, toMs: untilMs },
  });
};

/**
 * An engine on another kernel, or one whose pids are not ours, shows no main process to look for; it still
 * tells when a container has ended. A probe that failed is another matter: there was something to see.
 */
const startedBlind = ({ timeline, facts }: View): ObservationOf<'system-started'> | undefined => {
  const { main } = facts.system;
  const samples = timeline.of('sample').filter((sample) => sample.probe === 'process');
  const isBlind = samples.every(({ value }) => value !== undefined && value.alive[main] === undefined);
  return facts.runtime === 'docker' && isBlind ? timeline.of('system-started').find(({ process }) => process === main) : undefined;
};

const judge = (view: View): Finding => {
  const { timeline, facts } = view;
  const { main } = facts.system;
  const stop: ObservationOf<'signal-sent'> | undefined = stopSignal(view);
  const untilMs = stop?.atMs ?? view.endMs;
  const samples = readingsOf(timeline, 'process').filter(({ atMs, value }) => atMs <= untilMs && value.alive[main] !== undefined);
  const dead = samples.find(({ value }) => value.alive[main] === false);
  const last = samples.at(-1);
  const silenceMs = Math.max(4 * facts.sampling.processMs, facts.marginMs);
  const started = startedBlind(view);
  return weigh({
    wrong: [
      () => died(view, untilMs),
      () =>
        dead ? violated(`${main} was not there ${at(dead.atMs)}`, [dead.ref], { interval: { fromMs: dead.atMs, toMs: untilMs } }) : null,
    ],
    guards: [
      () => (last || started ? null : inconclusive('probe process never saw the system')),
      () =>
        last && untilMs - last.beganMs > silenceMs
          ? inconclusive(`probe process lost the system ${at(last.atMs)}, ${formatMs(untilMs - last.atMs)} before it was told to stop`, [
              last.ref,
            ])
          : null,
    ],
    decide: () =>
      last
        ? held(`${main} was there in ${count(samples.length, 'sample')} until it was told to stop`, [last.ref])
        : held(`${main} had not ended, by the word of the engine, when it was told to stop`, [refOf(started!)]),
    confirm: [() => isWhole(view), () => (stop ? null : inconclusive(`${main} was never told to stop`))],
  });
};

export const definition: ExpectationDefinition = {
  kind: 'process-alive',
  about: "The system's main process exists in every sample until it is told to stop.",
  fields: { options: {} },
  example: {},
  notApplicable: () => null,
  explain: ({ stopsAt, system }) => ({
    needs: [`${system.main} seen by the process probe`],
    violatedIf: [`it ends or is missing before it is told to stop${stopsAt === null ? '' : ` at mark ${stopsAt}`}`],
    inconclusiveIf: ['the process probe failed or saw nothing', ...RECORD_DOUBTS],
  }),
  judge: (input) => judge(viewOf(input, 'stop')),
};
