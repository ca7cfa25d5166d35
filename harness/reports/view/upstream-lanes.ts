// A lane for each upstream: every request it had, what it wrote, when and how the system closed it. What went on after
// the client had left stands out, where the system promises to cancel.
import { allExchanges } from '../../model/exchanges.ts';
import type { Upstream } from '../../model/exchanges.ts';
import type { FactType, ObservationOf } from '../../model/observation.ts';
import { formatMs } from '../../model/time.ts';
import { oneLine } from '../text.ts';
import { createDraft } from './draft.ts';
import type { Draft, Run } from './draft.ts';
import { leftOutOf, packRows } from './rows.ts';
import type { Lane } from './view.ts';

type Span = {
  readonly received: ObservationOf<'request-received'>;
  readonly asked: Upstream | undefined;
  readonly fromMs: number;
  readonly toMs: number;
  readonly isOpen: boolean;
  /** When its client left, if it did. */
  readonly leftMs: number;
};

const spansOf = (name: string, { timeline, endMs }: Run): readonly Span[] => {
  const pairs = allExchanges(timeline).flatMap((exchange) =>
    exchange.upstreams.map((each) => [each.received, { exchange, each }] as const),
  );
  const asked = new Map(pairs);
  return timeline
    .of('request-received')
    .filter(({ actor }) => actor === `upstream.${name}`)
    .map((received) => {
      const found = asked.get(received);
      const overMs = Math.min(found?.each.ended?.atMs ?? Infinity, found?.each.closed?.atMs ?? Infinity);
      return {
        received,
        asked: found?.each,
        fromMs: received.atMs,
        toMs: overMs === Infinity ? (found ? endMs : received.atMs) : overMs,
        isOpen: overMs === Infinity && found !== undefined,
        leftMs: found?.exchange.left?.atMs ?? Infinity,
      };
    });
};

const addSpan = (draft: Draft, span: Span, row: number, { refOf, facts }: Run): void => {
  const { received, asked, fromMs, toMs, leftMs, isOpen } = span;
  const label = `exchange ${received.exchange}: ${oneLine(received.behaviour, 40)}${received.marker === null ? ', a side request' : ''}`;
  const turnMs = facts.policy.onDisconnect === 'cancel' && leftMs < toMs ? Math.max(fromMs, leftMs) : toMs;
  const ref = refOf(received);
  const tone = received.marker === null ? 'quiet' : 'plain';
  draft.bar({ row, fromMs, toMs: turnMs, tone, label, ref, ...(isOpen && turnMs === toMs ? { isOpen } : {}) });
  if (turnMs < toMs) {
    const after = `${label}, open for ${formatMs(toMs - leftMs)} after its client left`;
    draft.bar({
      row,
      fromMs: turnMs,
      toMs,
      tone: 'warn',
      label: after,
      ref: refOf(asked?.progress.at(-1) ?? received),
      ...(isOpen ? { isOpen } : {}),
    });
  }
  const asking = `request: ${received.method} ${oneLine(received.path, 80)}`;
  draft.point({ row, atMs: received.atMs, sign: 'request', tone: 'plain', label: asking, ref });
  if (!asked) return;
  if (asked.head) {
    const { atMs, status } = asked.head;
    draft.point({ row, atMs, sign: 'head', tone: 'plain', label: `head written: ${status}`, ref: refOf(asked.head) });
  }
  for (const each of asked.progress) draft.tick(row, 'data', 'data written', each.atMs, refOf(each));
  if (asked.ended) {
    const { ended } = asked;
    const by = { script: 'by itself', fault: 'since the harness let it', peer: 'since the system closed' }[ended.by];
    const label = `answer ${ended.how}, ${by}: ${ended.events} events`;
    draft.point({ row, atMs: ended.atMs, sign: 'end', tone: ended.how === 'complete' ? 'good' : 'warn', label, ref: refOf(ended) });
  }
};

const addMoments = (draft: Draft, actor: string, rowOf: (exchange: number | null) => number, { timeline, refOf }: Run): void => {
  const own = <T extends FactType>(type: T): readonly ObservationOf<T>[] => timeline.of(type).filter((seen) => seen.actor === actor);
  for (const seen of own('peer-closed')) {
    const isIdle = seen.exchange === null;
    const how = seen.how.toUpperCase();
    draft.point({
      row: rowOf(seen.exchange),
      atMs: seen.atMs,
      sign: seen.how,
      tone: isIdle ? 'quiet' : 'accent',
      ref: refOf(seen),
      label: `the system closed: ${how}${isIdle ? ', no exchange was open on it' : `, after ${seen.events} events`}`,
      short: isIdle ? how : `closed: ${how}`,
    });
  }
  for (const seen of own('write-blocked')) {
    draft.point({
      row: rowOf(seen.exchange),
      atMs: seen.atMs,
      sign: 'blocked',
      tone: 'warn',
      label: 'the system takes no more',
      ref: refOf(seen),
    });
  }
  for (const seen of own('write-drained')) {
    draft.point({
      row: rowOf(seen.exchange),
      atMs: seen.atMs,
      sign: 'resumed',
      tone: 'plain',
      label: 'the system takes again',
      ref: refOf(seen),
    });
  }
};

const laneOf = (name: string, run: Run): Lane => {
  const actor = `upstream.${name}`;
  const draft = createDraft(actor, 'upstream', name);
  const spans = spansOf(name, run);
  const { rowOf, rows, over } = packRows(spans);
  const byExchange = new Map(spans.map((span) => [span.received.exchange, rowOf.get(span) ?? 0]));
  for (const span of spans) addSpan(draft, span, rowOf.get(span) ?? 0, run);
  addMoments(draft, actor, (exchange) => byExchange.get(exchange ?? -1) ?? 0, run);
  return draft.lane(
    Array.from({ length: rows }, () => ''),
    leftOutOf(over, 'exchanges'),
  );
};

export const upstreamLanes = (run: Run): readonly Lane[] => {
  const spoken = run.timeline.all.flatMap(({ actor }) => (actor.startsWith('upstream.') ? [actor.slice('upstream.'.length)] : []));
  return [...new Set([...Object.keys(run.facts.upstreams), ...spoken])].map((name) => laneOf(name, run));
};
