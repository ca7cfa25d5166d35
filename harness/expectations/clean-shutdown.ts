// Told to stop, the system ends by itself in time, with a code that its card declares, and leaves
// nothing running. What we had to kill did not shut down.
import { instancesOf } from '../model/facts.ts';
import type { ObservationOf } from '../model/observation.ts';
import { refOf } from '../model/observation.ts';
import { formatMs } from '../model/time.ts';
import type { Finding } from '../model/verdict.ts';
import type { ExpectationDefinition } from './expectation.ts';
import { RECORD_DOUBTS } from './parts/explaining.ts';
import { held, inconclusive, violated, weigh, worstOf } from './parts/finding.ts';
import { outagesOf } from './parts/outage.ts';
import { stopSignal } from './parts/stopping.ts';
import { clockIsExact, everyFaultFired, slackMs, systemLived } from './parts/trust.ts';
import { isWhole, viewOf } from './parts/view.ts';
import type { View } from './parts/view.ts';
import { exitWords } from './parts/words.ts';

/** As a shell reports a death by signal; exit 143 and signal 15 are one value. */
const SIGNAL_NUMBERS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGTERM: 15,
};

const codeOf = ({ code, signal }: ObservationOf<'process-exited'>): number | null =>
  signal === null ? code : signal in SIGNAL_NUMBERS ? 128 + SIGNAL_NUMBERS[signal]! : null;

/** @param slack ms by how much it was held up: whoever has to end with it may then only not have come to that */
const processesLeft = (view: View, sent: ObservationOf<'signal-sent'>, slack: number): Finding | null => {
  const left = view.timeline.of('processes-left').at(-1);
  if (!left) return inconclusive('whether processes of the system were left is not on record');
  if (left.pids === null) return inconclusive('whether processes of the system were left cannot be seen on this runtime', [refOf(left)]);
  if (left.pids.length === 0) return null;
  const words = `processes of the system were left: pids ${left.pids.join(', ')}`;
  if (slack > view.facts.marginMs) return inconclusive(`${words}, but the system or its watchers had waited ${formatMs(slack)} for a processor`, [refOf(left)]);
  return dumpUnderWay(view, sent, words) ?? violated(words, [refOf(left)]);
};

/** What we had asked of it may still have kept it, or be what is left: of that nobody knows what would have been without. */
const dumpUnderWay = ({ timeline }: View, sent: ObservationOf<'signal-sent'>, what: string): Finding | null => {
  const asked = timeline.of('dump').findLast(({ process, atMs }) => process === sent.process && atMs <= sent.atMs);
  if (!asked || (asked.edge === 'end' && asked.isOver !== false)) return null;
  return inconclusive(`${what}, but it had been asked for a dump that was not seen to be over when it was told to stop`, [refOf(sent), refOf(asked)]);
};

const judgeStop = (view: View, sent: ObservationOf<'signal-sent'>): Finding => {
  const { facts, timeline, options } = view;
  const limitMs = typeof options.within === 'number' ? options.within : facts.stop.graceMs;
  const dueMs = sent.atMs + limitMs + facts.marginMs;
  const slack = slackMs(view, { fromMs: sent.atMs, toMs: dueMs }, sent.process);
  const exit = timeline.of('process-exited').find(({ process, atMs }) => process === sent.process && atMs >= sent.atMs);
  // Whoever sent it: what was killed has not ended by itself.
  const kill = timeline
    .of('signal-sent')
    .find(
      (seen) =>
        seen !== sent && seen.signal === 'SIGKILL' && seen.process === sent.process && seen.atMs >= sent.atMs && seen.atMs <= (exit?.atMs ?? Infinity),
    );
  const endMs = kill?.atMs ?? exit?.atMs ?? view.endMs;
  const took = formatMs(endMs - sent.atMs);
  const evidence = [refOf(sent), ...[kill, exit].filter((seen) => seen !== undefined).map(refOf)];
  const interval = { interval: { fromMs: sent.atMs + limitMs, toMs: endMs } };
  if (kill && kill.atMs < (kill.purpose === 'fault' ? dueMs : sent.atMs + limitMs))
    return inconclusive(`SIGKILL was sent ${took} after ${sent.signal}, before the ${formatMs(limitMs)} that are allowed were over`, evidence);
  if (kill || endMs > dueMs) {
    // Ours is sent when the grace is over, so starving for a margin of it is starving for all that counts. Where it came
    // later, as after a settling that had other limits too, the system had that much longer.
    if (kill ? slack > facts.marginMs + Math.max(0, kill.atMs - dueMs) : endMs <= dueMs + slack)
      return inconclusive(
        `the system was still running ${took} after ${sent.signal}, but it or its watchers had waited ${formatMs(slack)} for a processor`,
        evidence,
      );
    const late = kill
      ? `SIGKILL was needed ${took} after ${sent.signal}`
      : `${exit ? 'ended only' : 'was still running'} ${took} after ${sent.signal}, ${formatMs(limitMs)} are allowed`;
    return dumpUnderWay(view, sent, late) ?? violated(late, evidence, interval);
  }
  if (!exit) return inconclusive(`the record ends ${took} after ${sent.signal}, before the grace was over`, evidence);
  const code = codeOf(exit);
  if (!facts.stop.exit.some((declared) => declared === code)) {
    return violated(
      `ended with ${exitWords(exit)} ${took} after ${sent.signal}; the card declares ${facts.stop.exit.join(', ')}`,
      evidence,
      { interval: { fromMs: sent.atMs, toMs: exit.atMs } },
    );
  }
  return processesLeft(view, sent, slack) ?? held(`ended with ${exitWords(exit)} ${took} after ${sent.signal}, nothing left`, evidence);
};

const judgeOne = (view: View, process: string): Finding => {
  const sent = stopSignal(view, process);
  return weigh({
    guards: [() => everyFaultFired(view), () => clockIsExact(view), () => systemLived(view, sent?.atMs ?? view.endMs)],
    decide: () => (sent ? judgeStop(view, sent) : inconclusive('the system was never told to stop')),
    confirm: [() => isWhole(view)],
  });
};

/** Of several instances each, but for those that a fault had ended for good before. */
const judge = (view: View): Finding => {
  const { timeline, facts } = view;
  const processes = instancesOf(facts).map(({ process }) => process);
  const there = processes.filter((process) => stopSignal(view, process) || !outagesOf(timeline, process).some(({ toMs }) => toMs === Infinity));
  const judged = (there.length > 0 ? there : processes).map((process) => {
    const finding = judgeOne(view, process);
    return processes.length > 1 ? { ...finding, reason: `${process}: ${finding.reason}` } : finding;
  });
  return worstOf(judged);
};

export const definition: ExpectationDefinition = {
  kind: 'clean-shutdown',
  about: 'After the stop signal the system exits within the grace with a declared code, without SIGKILL, and leaves no process.',
  fields: { $bare: 'within', options: { within: { type: 'duration', about: "In place of the card's grace.", optional: true } } },
  example: { within: '10s' },
  notApplicable: () => null,
  explain: ({ stop, stopsAt, marginMs }, { within }) => ({
    needs: [
      `${stop.signal} sent by the ${stopsAt === null ? 'harness, at the end' : `scenario, at mark ${stopsAt}`}`,
      'the exit of the system',
    ],
    violatedIf: [
      `it takes longer than ${formatMs(typeof within === 'number' ? within : stop.graceMs)}, and ${formatMs(marginMs)} for measuring`,
      'it has to be ended by SIGKILL',
      `its exit code is not one of ${stop.exit.join(', ')}`,
      'a process of the system is left',
    ],
    inconclusiveIf: [
      'it or its watchers waited so long for a processor',
      'whether processes are left cannot be seen here',
      'a dump that it was asked for was not seen to be over',
      ...RECORD_DOUBTS,
    ],
  }),
  pending: ({ timeline, facts }) => {
    if (facts.stopsAt === null) return null;
    const sent = stopSignal({ timeline, facts });
    const exited = sent && timeline.of('process-exited').some(({ process, atMs }) => process === sent.process && atMs >= sent.atMs);
    return exited ? null : `${facts.system.main} has not ended`;
  },
  judge: (input) => judge(viewOf(input, 'stop')),
};
