// A lane for each client: what its script did, what it asked, what it received, how it left.
import { allExchanges } from '../../model/exchanges.ts';
import type { Exchange } from '../../model/exchanges.ts';
import type { FactType, ObservationOf } from '../../model/observation.ts';
import { oneLine } from '../text.ts';
import { createDraft } from './draft.ts';
import type { Draft, Run } from './draft.ts';
import { leftOutOf, packRows } from './rows.ts';
import type { Lane, Sign } from './view.ts';

/** Of more clients than this nobody reads what each script did. */
const MAXIMUM_SCRIPTS = 12;

type Span = { readonly exchange: Exchange; readonly fromMs: number; readonly toMs: number; readonly isOpen: boolean };

const spanOf = (exchange: Exchange, endMs: number): Span => {
  const overMs = Math.min(exchange.left?.atMs ?? Infinity, exchange.ended?.atMs ?? Infinity);
  const fromMs = exchange.written?.atMs ?? exchange.planned.atMs;
  const isAsked = exchange.written !== undefined || exchange.head !== undefined;
  const isOpen = overMs === Infinity && isAsked;
  return { exchange, fromMs, toMs: Math.max(fromMs, overMs === Infinity ? (isAsked ? endMs : fromMs) : overMs), isOpen };
};

const LEFT: Readonly<Record<string, Sign>> = { fin: 'fin', rst: 'rst', nothing: 'vanish' };

const answerWords = (ended: ObservationOf<'response-ended'>): string => {
  const how = ended.how === 'complete' ? 'answer complete' : `answer ${ended.how}`;
  const told = ended.errorEvent === null ? '' : `, told: ${oneLine(ended.errorEvent, 120)}`;
  return `${how}, ${ended.endMark ? 'with its' : 'no'} end mark${told}`;
};

const addExchange = (draft: Draft, { exchange, fromMs, toMs, isOpen }: Span, row: number, { refOf }: Run): void => {
  const { planned, written, head, received, ended } = exchange;
  const name = `${planned.request}${planned.purpose === 'drive' ? '' : ` (${planned.purpose})`}`;
  draft.bar({
    row,
    fromMs,
    toMs,
    tone: planned.purpose === 'drive' ? 'plain' : 'quiet',
    label: `${name} ${oneLine(exchange.marker, 40)}`,
    ref: refOf(written ?? planned),
    ...(isOpen ? { isOpen } : {}),
  });
  if (written) draft.point({ row, atMs: written.atMs, sign: 'request', tone: 'plain', label: `asked: ${name}`, ref: refOf(written) });
  if (head) {
    const isRefusal = head.status >= 400;
    draft.point({
      row,
      atMs: head.atMs,
      sign: 'head',
      tone: isRefusal ? 'warn' : 'plain',
      label: `answer began: ${head.status}`,
      ref: refOf(head),
      ...(isRefusal ? { short: String(head.status) } : {}),
    });
  }
  for (const each of received) draft.tick(row, 'data', 'data received', each.atMs, refOf(each));
  if (ended) {
    const isWhole = ended.how === 'complete' && ended.errorEvent === null;
    draft.point({
      row,
      atMs: ended.atMs,
      sign: isWhole ? 'end' : 'told',
      tone: isWhole ? 'good' : 'warn',
      label: answerWords(ended),
      ref: refOf(ended),
      ...(isWhole ? {} : { short: ended.errorEvent === null ? ended.how : 'error' }),
    });
  }
};

/** What the client did or met beside its exchanges. */
const addMoments = (draft: Draft, actor: string, rowOf: (marker: string | null) => number, { timeline, refOf }: Run): void => {
  const own = <T extends FactType>(type: T): readonly ObservationOf<T>[] => timeline.of(type).filter((seen) => seen.actor === actor);
  for (const seen of own('left')) {
    const wire = seen.wire === 'nothing' ? 'nothing went out' : `${seen.wire.toUpperCase()} went out`;
    const [label, short] = [
      `left (${oneLine(seen.how, 40)}): ${wire}`,
      seen.wire === 'nothing' ? 'vanished' : `leaves: ${seen.wire.toUpperCase()}`,
    ];
    draft.point({
      row: rowOf(seen.marker),
      atMs: seen.atMs,
      sign: LEFT[seen.wire] ?? 'fin',
      tone: 'accent',
      label,
      short,
      ref: refOf(seen),
    });
  }
  for (const seen of own('connect-failed')) {
    const label = `no connection: ${oneLine(seen.error, 120)}`;
    draft.point({ row: 0, atMs: seen.atMs, sign: 'lost', tone: 'bad', label, short: 'no connection', ref: refOf(seen) });
  }
  for (const seen of own('paused')) {
    const label = 'stopped reading';
    draft.point({ row: rowOf(seen.marker), atMs: seen.atMs, sign: 'blocked', tone: 'warn', label, short: label, ref: refOf(seen) });
  }
  for (const seen of own('resumed')) {
    draft.point({ row: rowOf(seen.marker), atMs: seen.atMs, sign: 'resumed', tone: 'plain', label: 'reads again', ref: refOf(seen) });
  }
};

const addScript = (draft: Draft, client: string, row: number, { timeline, refOf, endMs }: Run): void => {
  const begun = new Map<number, ObservationOf<'step'>>();
  for (const step of timeline.of('step')) {
    if (step.client !== client) continue;
    if (step.edge === 'begin') {
      begun.set(step.index, step);
      continue;
    }
    const begin = begun.get(step.index);
    begun.delete(step.index);
    const isDone = step.outcome === 'done';
    const label = `${step.step}${isDone ? '' : `: ${step.outcome}${step.reason === null ? '' : `, ${oneLine(step.reason, 120)}`}`}`;
    const fromMs = begin?.atMs ?? step.atMs;
    draft.bar({ row, fromMs, toMs: step.atMs, tone: isDone ? 'quiet' : 'warn', label, ref: refOf(step) });
  }
  for (const step of begun.values()) {
    draft.bar({ row, fromMs: step.atMs, toMs: endMs, tone: 'quiet', label: step.step, ref: refOf(step), isOpen: true });
  }
};

const laneOf = (client: string, run: Run, hasScript: boolean): Lane => {
  const actor = `client.${client}`;
  const draft = createDraft(actor, 'client', client);
  const spans = allExchanges(run.timeline)
    .filter((each) => each.client === client)
    .map((each) => spanOf(each, run.endMs));
  const { rowOf, rows, over } = packRows(spans);
  const byMarker = new Map(spans.map((span) => [span.exchange.marker, rowOf.get(span) ?? 0]));
  for (const span of spans) addExchange(draft, span, rowOf.get(span) ?? 0, run);
  addMoments(draft, actor, (marker) => byMarker.get(marker ?? '') ?? 0, run);
  if (hasScript) addScript(draft, client, rows, run);
  const names = Array.from({ length: rows }, () => (hasScript ? 'exchange' : ''));
  return draft.lane([...names, ...(hasScript ? ['script'] : [])], leftOutOf(over, 'exchanges'));
};

export const clientLanes = (run: Run): readonly Lane[] => {
  const spoken = run.timeline.all.flatMap(({ actor }) => (actor.startsWith('client.') ? [actor.slice('client.'.length)] : []));
  const clients = [...new Set([...Object.keys(run.facts.clients), ...spoken])];
  return clients.map((client) => laneOf(client, run, clients.length <= MAXIMUM_SCRIPTS));
};
