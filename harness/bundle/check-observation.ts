// Whether an observation that was read back has what its type brings: judges and drawings take its fields for what the model says
// they are. Types that this version does not know are left as they are, and so are fields.
import type { FactType } from '../model/observation.ts';
import { problem } from '../model/problem.ts';
import { anything, flag, listOf, mapOf, maybe, number, orNull, record, text, word } from './kinds.ts';
import type { Kind } from './kinds.ts';

const how = word('fin', 'rst');
const beginEnd = word('begin', 'end');
const totals = { bytes: number, events: number };
const marked = { marker: orNull(text) };

const ledger = record({
  accounts: listOf(record({ id: text, balance: number, reserved: number, spent: number })),
  reservations: listOf(
    record({
      id: text, account: text, payer: text, amount: number, state: text, terminal: flag,
      leaseAtMs: maybe(number), startedAtMs: maybe(number), marker: maybe(text), reason: maybe(text),
    }),
  ),
  charges: maybe(listOf(record({ id: text, account: text, amount: number, marker: maybe(text) }))),
  consistent: flag, wallMs: number, writes: maybe(number),
});

const sockets = record({
  rows: listOf(record({ local: text, remote: text, state: text, sendQueue: number, receiveQueue: number, inode: number })),
});

const processes = record({
  alive: mapOf(flag), pids: listOf(number), rssBytes: number, fileBytes: maybe(number), descriptors: maybe(number), runDelayMs: number, runDelays: mapOf(number),
});

const http = record({ status: number, fields: mapOf(anything) });

const sampleOf = (value: Kind): Kind => record({ tookMs: number, mark: maybe(text), value: maybe(value), error: maybe(text) });
const SAMPLES: Readonly<Record<string, Kind>> = {
  ledger: sampleOf(ledger), sockets: sampleOf(sockets), process: sampleOf(processes), http: sampleOf(http),
};

const sample: Kind = (value) => {
  const { probe } = value as { readonly probe?: unknown };
  return typeof probe === 'string' && Object.hasOwn(SAMPLES, probe) ? SAMPLES[probe]!(value) : '.probe';
};

const stepEnd = record({ outcome: word('done', 'not-seen', 'failed'), reason: orNull(text) });

const step: Kind = (value) =>
  record({ client: text, index: number, step: text, edge: beginEnd })(value) ??
  ((value as { readonly edge: string }).edge === 'begin' ? null : stepEnd(value));

const PHASES = ['prepare', 'path-control', 'baseline', 'drive', 'settle', 'watch', 'ask', 'stop', 'seal'];

const BY_TYPE = {
  'connection-opened': record({ connection: number, local: text, peer: text }),
  'request-received': record({
    connection: number, exchange: number, ...marked, method: text, path: text, bodyBytes: number, behaviour: text,
  }),
  'head-written': record({ exchange: number, status: number }),
  'answer-progress': record({ exchange: number, ...totals, comments: number }),
  'write-blocked': record({ exchange: number, queuedBytes: number }),
  'write-drained': record({ exchange: number }),
  'peer-closed': record({ connection: number, exchange: orNull(number), ...marked, how, ...totals }),
  'answer-ended': record({
    exchange: number, ...marked, how: word('complete', 'cut', 'aborted'), by: word('script', 'fault', 'peer'), ...totals,
    usage: orNull(number),
  }),
  'connection-closed': record({ connection: number, by: word('peer', 'self'), how }),
  connected: record({ connection: number, local: text, peer: text }),
  'connect-failed': record({ error: text }),
  'request-written': record({ connection: number, marker: text, bytes: number }),
  'response-head': record({ marker: text, status: number, contentType: orNull(text) }),
  received: record({ marker: text, ...totals, comments: number }),
  'response-ended': record({
    marker: text, how: word('complete', 'truncated', 'reset'), endMark: flag, errorEvent: orNull(text), ...totals,
    usage: maybe(orNull(number)), foreignMarkers: listOf(text),
  }),
  paused: record({ marker: text, unreadBytes: number }),
  resumed: record({ marker: text }),
  left: record({
    how: text, wire: word('fin', 'rst', 'nothing'), ...marked, unreadBytes: number, socket: record({ before: text, after: text }),
  }),
  mark: record({ mark: text, client: orNull(text) }),
  'exchange-planned': record({
    marker: text, client: text, account: orNull(text), upstream: orNull(text), request: text, purpose: word('prepare', 'drive', 'ask'),
    repeat: maybe(flag),
  }),
  step,
  phase: record({ phase: word(...PHASES), edge: beginEnd }),
  'stage-opened': record({ runtime: text, isolation: text, addresses: mapOf(text) }),
  'system-started': record({ process: text, pid: orNull(number) }),
  'system-ready': record({ tookMs: number, process: maybe(text) }),
  'signal-sent': record({ process: text, signal: text, purpose: word('stop', 'fault', 'cleanup', 'dump') }),
  'process-exited': record({ process: text, code: orNull(number), signal: orNull(text) }),
  dump: record({ process: text, edge: beginEnd, by: text, detail: text }),
  'processes-left': record({ pids: orNull(listOf(number)) }),
  fault: record({ fault: text, edge: word('fired', 'failed'), detail: text }),
  'fault-held': record({ fault: text, edge: beginEnd }),
  'path-control': record({ leg: word('client', 'upstream'), how, seen: flag, tookMs: number }),
  'scheduling-lag': record({ process: text, lagMs: number }),
  clock: record({ offsetMs: number, errorMs: number }),
  'let-finish': record({ ...marked, count: number }),
  settled: record({ pending: listOf(text), tookMs: number }),
  watch: record({ forMs: number }),
  refund: record({
    account: text, attempt: number, status: orNull(number), answer: text, verdict: word('accepted', 'refused', 'unexpected'),
    tookMs: maybe(number),
  }),
  'ledger-rows': record({ reservations: listOf(text), account: text, aggregate: maybe(flag) }),
  'ledger-aggregate': record({ account: text, amount: number, reservedAtMs: orNull(number) }),
  'events-dropped': record({ process: text, count: number }),
  'actor-failed': record({ process: text, error: text }),
  precondition: record({ name: text, met: flag, detail: text }),
  'foreign-host': record({ name: text, answered: flag }),
  'scope-closed': record({ name: text, outcome: word('closed', 'failed', 'timed-out'), tookMs: number, error: maybe(text) }),
  sample,
} satisfies Readonly<Record<FactType, Kind>>;

const KINDS: ReadonlyMap<string, Kind> = new Map(Object.entries(BY_TYPE));

/** Stamped and typed it is, or the line would not have been read. @throws ProblemError `bundle-damaged` naming line and field */
export const checkObservations = (file: string, observations: readonly object[]): void => {
  for (const [index, observation] of observations.entries()) {
    const wrong = KINDS.get((observation as { readonly type: string }).type)?.(observation);
    if (typeof wrong !== 'string') continue;
    throw problem('scenario', 'bundle-damaged', `${file}, line ${index + 1}: ${wrong.slice(1)} is missing, or is not what it must be`, {
      hint: 'the bundle was changed after it was written; take it again from where it was made',
    });
  }
};
