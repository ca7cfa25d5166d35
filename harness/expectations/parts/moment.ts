// The moment that a claim counts from: a mark, the leave that it announces, or a bound that is due.
// A mark that was never set, or a leave that never went out, is no moment.
import type { BoundName } from '../../model/facts.ts';
import type { Exchange } from '../../model/exchanges.ts';
import { refOf } from '../../model/observation.ts';
import type { ObservationOf } from '../../model/observation.ts';
import { formatMs } from '../../model/time.ts';
import type { Evidence, Finding } from '../../model/verdict.ts';
import { inconclusive, isFinding } from './finding.ts';
import { instanceOf } from './instances.ts';
import { originOf } from './origin.ts';
import type { View } from './view.ts';
import { leaveWords } from './words.ts';

export type Moment = {
  /** Limits count from here. */
  readonly atMs: number;
  /** What is claimed to end must have been seen at this time. */
  readonly openAtMs: number;
  /** From when a bound counts: a system that was held up then has set its time-out as much later. */
  readonly originMs?: number;
  /** What ended before this was not ended by what the moment stands for. */
  readonly earlyMs: number;
  /** How long after the mark the act itself was on record. */
  readonly lateMs: number;
  /** `alice's FIN`, `mark cut`, `the send bound`. */
  readonly words: string;
  readonly leave: ObservationOf<'left'> | null;
  /** Of the instance that served the exchange. */
  readonly process: string;
  readonly evidence: readonly Evidence[];
};

const whyNotSet = (view: View, client: string): string => {
  const step = view.timeline.of('step').find((each) => each.client === client && each.edge === 'end' && each.outcome === 'failed');
  return step?.edge === 'end' ? `: step ${step.index + 1} of ${client}, ${step.step}, failed: ${step.reason}` : '';
};

const momentOfMark = (view: View, name: string, exchange: Exchange): Moment | Finding => {
  const { client } = exchange;
  const marks = view.timeline.of('mark').filter(({ mark }) => mark === name);
  const mark = marks.find((each) => each.client === client) ?? marks[0];
  if (!mark) return inconclusive(`mark ${name} was never set${whyNotSet(view, client)}`);
  const plain = {
    atMs: mark.atMs,
    openAtMs: mark.atMs,
    earlyMs: -Infinity,
    lateMs: 0,
    words: `mark ${name}`,
    leave: null,
    process: instanceOf(view, exchange).process,
    evidence: [refOf(mark)],
  };
  if (!view.facts.leaves.some((leave) => leave.mark === name && leave.client === client)) return plain;
  const { left } = exchange;
  if (!left || left.atMs < mark.atMs) return inconclusive(`${client} did not leave at mark ${name}: no act is on record`, [refOf(mark)]);
  // A killed client's socket is seen by a sample that may have begun before the kill.
  const { before, after } = left.socket;
  const wasSent = left.wire !== 'nothing' && (after !== 'established' || left.how === 'kill');
  if (left.how !== 'vanish' && !wasSent) {
    return inconclusive(`${client} left by ${left.how}, but nothing went out: its socket was ${before} before and ${after} after`, [
      refOf(left),
    ]);
  }
  return { ...plain, lateMs: left.atMs - mark.atMs, words: leaveWords(client, left), leave: left, evidence: [refOf(left)] };
};

/** Bounds that may be met early: there they are the longest that something honest takes. The others are time-outs. */
const MAY_BE_EARLY: ReadonlySet<BoundName> = new Set(['settle', 'drain', 'shutdown']);

/** A time-out that comes before half of its time is another one. */
const earliestOf = (bound: BoundName, originMs: number, boundMs: number): number =>
  MAY_BE_EARLY.has(bound) ? -Infinity : originMs + boundMs / 2;

const momentOfBound = (view: View, bound: BoundName, exchange: Exchange): Moment | Finding => {
  const boundMs = view.facts.bounds[bound];
  if (boundMs === undefined) return inconclusive(`the card declares no ${bound} bound`);
  const origin = originOf(view, bound, exchange, boundMs);
  if (isFinding(origin)) return origin;
  const earlyMs = earliestOf(bound, origin.atMs, boundMs);
  return {
    atMs: origin.atMs + boundMs,
    // A system that is on time ends it at the very moment that the bound is due, so it must be open before.
    openAtMs: Math.max(origin.atMs, earlyMs),
    originMs: origin.atMs,
    earlyMs,
    lateMs: 0,
    words: `the ${bound} bound of ${formatMs(boundMs)}`,
    leave: null,
    process: instanceOf(view, exchange).process,
    evidence: origin.evidence,
  };
};

/** @param after a mark's name, or `{ bound }` */
export const momentOf = (view: View, after: unknown, exchange: Exchange): Moment | Finding =>
  typeof after === 'string' ? momentOfMark(view, after, exchange) : momentOfBound(view, (after as { bound: BoundName }).bound, exchange);

/** The exchange that a claim about this client speaks of: its latest before the mark, else its latest. */
export const exchangeAt = (view: View, exchanges: readonly Exchange[], client: string, after: unknown): Exchange | undefined => {
  const own = exchanges.filter((exchange) => exchange.client === client);
  const marks = typeof after === 'string' ? view.timeline.of('mark').filter(({ mark }) => mark === after) : [];
  const markMs = (marks.find((each) => each.client === client) ?? marks[0])?.atMs ?? Infinity;
  return own.findLast(({ planned }) => planned.atMs <= markMs) ?? own.at(-1);
};
