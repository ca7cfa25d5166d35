// Every instance of the system lives until it is told to stop. What a fault ends has not died; what it started again lives on.
import { instancesOf } from '../model/facts.ts';
import { refOf } from '../model/observation.ts';
import type { ObservationOf } from '../model/observation.ts';
import { readingsOf } from '../model/readings.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { RECORD_DOUBTS } from './parts/explaining.ts';
import { held, inconclusive, violated, weigh, worstOf } from './parts/finding.ts';
import { outagesOf } from './parts/outage.ts';
import { silenceMs } from './parts/silence.ts';
import { stopSignal } from './parts/stopping.ts';
import { ownDeath } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { at, count, exitWords } from './parts/words.ts';

const died = (view: View, process: string, untilMs: number): Finding | null => {
  const death = ownDeath(view, process);
  if (!death || death.atMs > untilMs) return null;
  return violated(`${death.process} died by itself ${at(death.atMs)} with ${exitWords(death)}`, [refOf(death)], {
    interval: { fromMs: death.atMs, toMs: untilMs },
  });
};

/**
 * An engine on another kernel, or one whose pids are not ours, shows no main process to look for; it still
 * tells when a container has ended. A probe that failed is another matter: there was something to see.
 */
const startedBlind = ({ timeline, facts }: View, main: string): ObservationOf<'system-started'> | undefined => {
  const samples = timeline.of('sample').filter((sample) => sample.probe === 'process');
  const isBlind = samples.every(({ value }) => value !== undefined && value.alive[main] === undefined);
  return facts.runtime === 'docker' && isBlind ? timeline.of('system-started').find(({ process }) => process === main) : undefined;
};

const judgeOne = (view: View, main: string): Finding => {
  const { timeline, facts } = view;
  const outages = outagesOf(timeline, main);
  const ended = outages.find(({ toMs }) => toMs === Infinity);
  const stop: ObservationOf<'signal-sent'> | undefined = stopSignal(view, main) ?? ended?.sent;
  const untilMs = stop?.atMs ?? view.endMs;
  const samples = readingsOf(timeline, 'process').filter(
    ({ beganMs, atMs, value }) =>
      atMs <= untilMs && value.alive[main] !== undefined && !outages.some(({ sent, toMs }) => atMs >= sent.atMs && beganMs < toMs),
  );
  const dead = samples.find(({ value }) => value.alive[main] === false);
  const last = samples.at(-1);
  const started = startedBlind(view, main);
  const over = ended && stop === ended.sent ? `${ended.sent.purpose === 'dump' ? 'our asking for a dump' : 'a fault'} ended it` : 'it was told to stop';
  return weigh({
    wrong: [
      () => died(view, main, untilMs),
      () =>
        dead ? violated(`${main} was not there ${at(dead.atMs)}`, [dead.ref], { interval: { fromMs: dead.atMs, toMs: untilMs } }) : null,
    ],
    guards: [
      () => (last || started ? null : inconclusive('probe process never saw the system')),
      () =>
        last && untilMs - last.beganMs > silenceMs(view, facts.sampling.processMs, untilMs)
          ? inconclusive(`probe process last saw ${main} ${at(last.atMs)}, ${formatMs(untilMs - last.atMs)} before it was told to stop`, [
              last.ref,
            ])
          : null,
    ],
    decide: () =>
      last
        ? held(`${main} was there in ${count(samples.length, 'sample')} until ${over}`, [last.ref])
        : held(`${main} had not ended, by the word of the engine, when ${over}`, [refOf(started!)]),
    confirm: [() => isWhole(view), () => (stop ? null : inconclusive(`${main} was never told to stop`))],
  });
};

const judge = (view: View): Finding => worstOf(instancesOf(view.facts).map(({ process }) => judgeOne(view, process)));

export const definition: ExpectationDefinition = {
  kind: 'process-alive',
  about: "The system's main process exists in every sample until it is told to stop, or a fault ends it; of several instances each.",
  fields: { options: {} },
  example: {},
  notApplicable: () => null,
  explain: ({ stopsAt, system }) => ({
    needs: [`${system.main} seen by the process probe`],
    violatedIf: [`it ends or is missing before it is told to stop${stopsAt === null ? '' : ` at mark ${stopsAt}`}`],
    inconclusiveIf: ['the process probe failed, saw nothing, or had not looked for a while when it was told to stop', ...RECORD_DOUBTS],
  }),
  judge: (input) => judge(viewOf(input, 'stop')),
};
