// What was done in a run, in the order in which it was: from the timeline alone, so that it is what happened and not what
// was planned.
import type { Observation, ObservationOf } from '../../model/observation.ts';
import type { Timeline } from '../../model/timeline.ts';
import { formatMs } from '../../model/time.ts';
import { relativeTime } from '../describe.ts';
import { plural } from '../text.ts';
import { code, prose } from './safe.ts';
import type { Hide } from './safe.ts';

/** More are not read; the scenario's text has them all. */
const MAXIMUM_STEPS = 14;

export type Done = { readonly atMs: number; readonly text: string };

const WIRE = { fin: 'a FIN', rst: 'a RST', nothing: 'nothing' } as const;

type Begun = Extract<ObservationOf<'step'>, { edge: 'begin' }>;
type Ended = Extract<ObservationOf<'step'>, { edge: 'end' }>;

const byClient = (observation: Observation, client: string): boolean => observation.actor === `client.${client}`;

/** What a client had by then of the answer to its last request; the harness's own before it are nobody's. */
const receivedBy = (timeline: Timeline, client: string, atMs: number): string | null => {
  const isBefore = (each: Observation): boolean => byClient(each, client) && each.atMs <= atMs;
  const asked = timeline.of('request-written').findLast(isBefore);
  const last = asked && timeline.of('received').findLast((each) => isBefore(each) && each.marker === asked.marker);
  return last ? `${plural(last.events, 'event')} and ${last.bytes} bytes` : null;
};

const requestText = (timeline: Timeline, step: Begun, hide: Hide): string => {
  const written = timeline.of('request-written').find((each) => byClient(each, step.client) && each.atMs >= step.atMs);
  const planned = written && timeline.of('exchange-planned').find(({ marker }) => marker === written.marker);
  const received = written && timeline.of('request-received').find(({ marker }) => marker === written.marker);
  const what = `sends a request${planned ? ` (${code(planned.request, hide)})` : ''}`;
  if (!received) return `${what}${written ? '; no upstream got it' : ''}`;
  const upstream = code(received.actor.replace(/^upstream\./, ''), hide);
  return `${what}; upstream ${upstream} gets ${code(`${received.method} ${received.path}`, hide)} and answers as ${code(received.behaviour, hide)}`;
};

const leftOf = (timeline: Timeline, step: Begun): ObservationOf<'left'> | undefined =>
  step.step === 'disconnect' ? timeline.of('left').find((each) => byClient(each, step.client) && each.atMs >= step.atMs) : undefined;

const leaveText = (timeline: Timeline, step: Begun, hide: Hide): string | null => {
  const left = leftOf(timeline, step);
  if (!left) return null;
  const mark = timeline.of('mark').findLast((each) => byClient(each, step.client) && each.atMs <= left.atMs && each.atMs >= step.atMs);
  const had = receivedBy(timeline, step.client, left.atMs);
  return (
    `leaves by ${code(left.how, hide)}, which puts ${WIRE[left.wire]} on the wire` +
    `${mark ? `: this is the mark ${code(mark.mark, hide)}` : ''}${had ? `; it had ${had} of its answer` : ''}`
  );
};

const stepText = (timeline: Timeline, step: Begun, end: Ended | undefined, hide: Hide): string => {
  if (step.step === 'request') return requestText(timeline, step, hide);
  const leave = leaveText(timeline, step, hide);
  if (leave) return leave;
  if (step.step === 'await') return 'waits for what its script awaits';
  if (step.step !== 'receive') return `does ${code(step.step, hide)}`;
  const had = end ? receivedBy(timeline, step.client, end.atMs) : null;
  return had ? `reads until it has ${had}` : 'reads';
};

/** A step that waits is told of when it has what it waits for. */
const momentOf = (timeline: Timeline, step: Begun, end: Ended | undefined): number =>
  end && (step.step === 'receive' || step.step === 'await') ? end.atMs : (leftOf(timeline, step)?.atMs ?? step.atMs);

const fromSteps = (timeline: Timeline, hide: Hide): readonly Done[] => {
  const steps = timeline.of('step');
  const begun = steps.filter((each): each is Begun => each.edge === 'begin');
  const ended = steps.filter((each): each is Ended => each.edge === 'end');
  return begun.map((step) => {
    const end = ended.find(({ client, index }) => client === step.client && index === step.index);
    const failed = end && end.outcome !== 'done' ? ` (${end.outcome}${end.reason === null ? '' : `: ${prose(end.reason, hide)}`})` : '';
    return { atMs: momentOf(timeline, step, end), text: `${code(step.client, hide)} ${stepText(timeline, step, end, hide)}${failed}` };
  });
};

/** What the harness did to the system. */
const fromHarness = (timeline: Timeline, hide: Hide): readonly Done[] =>
  timeline.all.flatMap((each): readonly Done[] => {
    switch (each.type) {
      case 'fault':
        return [
          {
            atMs: each.atMs,
            text: `fault ${code(each.fault, hide)} ${each.edge === 'failed' ? 'fails' : 'is done'}: ${prose(each.detail, hide, 200)}`,
          },
        ];
      case 'signal-sent':
        return each.purpose === 'stop'
          ? [{ atMs: each.atMs, text: `${code(each.process, hide)} is told to stop by ${code(each.signal, hide)}` }]
          : [];
      case 'watch':
        return each.forMs > 0 ? [{ atMs: each.atMs, text: `nothing is done for ${formatMs(each.forMs)}; it is watched` }] : [];
      case 'refund':
        return [
          {
            atMs: each.atMs,
            text: `a refund of account ${code(each.account, hide)} is asked for: status ${each.status ?? 'none'}, ${each.verdict}`,
          },
        ];
      default:
        return [];
    }
  });

/** A numbered list. */
export const whatWasDone = (timeline: Timeline, hide: Hide): readonly string[] => {
  const all = [...fromSteps(timeline, hide), ...fromHarness(timeline, hide)].sort((a, b) => a.atMs - b.atMs);
  if (all.length === 0) return ['Nothing: it was over before a client did anything.', ''];
  const more = all.length - MAXIMUM_STEPS;
  const lines = all
    .slice(0, MAXIMUM_STEPS)
    .map(({ atMs, text }, index) => `${index + 1}. ${text} (${prose(relativeTime(timeline, atMs), hide)})`);
  return [...lines, ...(more > 0 ? [`${MAXIMUM_STEPS + 1}. and ${more} more, in the timeline`] : []), ''];
};
