// The system's own lanes: its processes' lives with what was done to them, and what it weighed.
import type { Observation } from '../../model/observation.ts';
import { readingsOf } from '../../model/readings.ts';
import { formatMs } from '../../model/time.ts';
import { oneLine, plural } from '../text.ts';
import { createDraft } from './draft.ts';
import type { Draft, Run } from './draft.ts';
import { addUnseen } from './ledger-lane.ts';
import type { Lane } from './view.ts';

const exitWords = (process: string, code: number | null, signal: string | null): string =>
  `${process} ended ${signal === null ? `with ${code ?? 'an unknown code'}` : `by ${signal}`}`;

const addLife = (draft: Draft, process: string, row: number, { timeline, refOf, endMs }: Run): void => {
  const ends = timeline.of('process-exited').filter((each) => each.process === process);
  const starts = timeline.of('system-started').filter((each) => each.process === process);
  for (const [index, start] of starts.entries()) {
    const nextMs = starts[index + 1]?.atMs ?? Infinity;
    const end = ends.find(({ atMs }) => atMs >= start.atMs && atMs < nextMs);
    const toMs = end?.atMs ?? Math.min(endMs, nextMs);
    draft.bar({
      row,
      fromMs: start.atMs,
      toMs,
      tone: 'plain',
      label: `${process} runs`,
      ref: refOf(start),
      ...(end ? {} : { isOpen: true }),
    });
  }
  for (const end of ends) {
    draft.point({
      row,
      atMs: end.atMs,
      sign: 'exit',
      tone: end.code === 0 ? 'good' : 'warn',
      label: exitWords(process, end.code, end.signal),
      short: end.signal ?? `exit ${end.code ?? '?'}`,
      ref: refOf(end),
    });
  }
};

const rowsOf = ({ timeline, facts }: Run): readonly string[] => {
  const seen = [...timeline.of('system-started'), ...timeline.of('process-exited')].map(({ process }) => process);
  return [...new Set([facts.system.main, ...seen])];
};

/** A row for each process, from its start to its end, with the signals it was sent. */
export const systemLane = (run: Run): Lane => {
  const { timeline, refOf } = run;
  const draft = createDraft('system', 'system', 'system');
  const rows = rowsOf(run);
  const rowOf = (process: string): number => Math.max(0, rows.indexOf(process));
  for (const [row, process] of rows.entries()) addLife(draft, process, row, run);
  for (const each of timeline.of('system-ready')) {
    const label = `ready after ${formatMs(each.tookMs)}`;
    draft.point({ row: rowOf(each.process ?? rows[0]!), atMs: each.atMs, sign: 'ready', tone: 'good', label, ref: refOf(each) });
  }
  for (const each of timeline.of('signal-sent')) {
    const tone = each.purpose === 'cleanup' ? 'quiet' : 'accent';
    draft.point({
      row: rowOf(each.process),
      atMs: each.atMs,
      sign: 'signal',
      tone,
      label: `${each.signal} sent (${each.purpose})`,
      short: oneLine(each.signal, 16),
      ref: refOf(each),
    });
  }
  return draft.lane(rows);
};

/** What the process tree weighed, and whether its main processes were alive. Null where nobody looked. */
export const processLane = (run: Run): Lane | null => {
  const samples = run.timeline.of('sample').filter((each) => each.probe === 'process');
  if (samples.length === 0) return null;
  const draft = createDraft('process', 'process', 'process');
  const readings = readingsOf(run.timeline, 'process');
  const seen = samples.filter((each) => each.value !== undefined);
  const rss = { at: readings.map(({ atMs }) => atMs), values: readings.map(({ value }) => value.rssBytes) };
  draft.curve({ row: 0, label: 'resident memory', unit: 'bytes', ...rss });
  for (const [index, { atMs, value }] of readings.entries()) {
    const gone = Object.entries(value.alive).filter(([name, isAlive]) => !isAlive && readings[index - 1]?.value.alive[name] === true);
    for (const [name] of gone) {
      draft.point({
        row: 0,
        atMs,
        sign: 'exit',
        tone: 'quiet',
        label: `${oneLine(name, 40)} is seen to be gone`,
        ref: run.refOf(seen[index]),
      });
    }
  }
  addUnseen(draft, 'process', 0, run);
  return draft.lane(['memory']);
};

type Told = {
  readonly sign: 'fault' | 'lost' | 'note';
  readonly tone: 'accent' | 'bad' | 'warn' | 'quiet';
  readonly label: string;
  readonly short?: string;
};

/** What the harness did or met, where it matters to a reader. */
const toldOf = (seen: Observation): Told | null => {
  switch (seen.type) {
    case 'fault':
      return {
        sign: 'fault',
        tone: seen.edge === 'fired' ? 'accent' : 'bad',
        label: `${seen.fault} ${seen.edge}: ${oneLine(seen.detail, 120)}`,
        short: oneLine(seen.fault, 24),
      };
    case 'events-dropped':
      return { sign: 'lost', tone: 'bad', label: `${seen.count} events of ${seen.process} were dropped`, short: 'events dropped' };
    case 'actor-failed':
      return { sign: 'lost', tone: 'bad', label: `${seen.process} failed: ${oneLine(seen.error, 120)}`, short: 'actor failed' };
    case 'foreign-host':
      return { sign: 'note', tone: 'warn', label: `it wanted to reach ${oneLine(seen.name, 80)}` };
    case 'let-finish':
      return { sign: 'note', tone: 'quiet', label: `${plural(seen.count, 'open exchange')} let come to an end` };
    case 'ledger-rows':
      return { sign: 'fault', tone: 'accent', label: `${seen.reservations.length} rows were written into the ledger` };
    case 'ledger-aggregate':
      return { sign: 'fault', tone: 'accent', label: `${seen.amount} reserved without a row` };
    case 'settled': {
      const label =
        seen.pending.length === 0 ? `settled after ${formatMs(seen.tookMs)}` : `not settled: ${oneLine(seen.pending.join('; '), 120)}`;
      return { sign: 'note', tone: 'quiet', label };
    }
    case 'precondition':
      return seen.met ? null : { sign: 'lost', tone: 'bad', label: `${seen.name} was not met: ${oneLine(seen.detail, 120)}` };
    case 'path-control':
      return seen.seen ? null : { sign: 'lost', tone: 'bad', label: `path control: a ${seen.how} on the ${seen.leg} leg was not seen` };
    case 'scope-closed':
      return seen.outcome === 'closed' ? null : { sign: 'lost', tone: 'bad', label: `${seen.name} ${seen.outcome} at clean-up` };
    default:
      return null;
  }
};

/** Oversleeping by less is every machine's daily bread. */
const LAG_SHOWN_MS = 50;

/** Faults with how long they held, the watch, what got lost, and where the machine was slow. */
export const harnessLane = (run: Run): Lane => {
  const { timeline, refOf, endMs } = run;
  const draft = createDraft('harness', 'harness', 'harness');
  for (const seen of timeline.all) {
    const told = toldOf(seen);
    if (told) draft.point({ row: 0, atMs: seen.atMs, ref: refOf(seen), ...told });
    if (seen.type === 'scheduling-lag' && seen.lagMs >= LAG_SHOWN_MS) {
      draft.tick(1, 'lag', 'a process of the harness was kept waiting', seen.atMs, refOf(seen));
    }
    if (seen.type === 'watch') {
      const toMs = Math.min(endMs, seen.atMs + seen.forMs);
      draft.bar({ row: 0, fromMs: seen.atMs, toMs, tone: 'quiet', label: `watching for ${formatMs(seen.forMs)}`, ref: refOf(seen) });
    }
  }
  const held = timeline.of('fault-held');
  for (const [index, begin] of held.entries()) {
    if (begin.edge !== 'begin') continue;
    const end = held.slice(index + 1).find((each) => each.edge === 'end' && each.fault === begin.fault);
    const toMs = end?.atMs ?? endMs;
    draft.bar({
      row: 0,
      fromMs: begin.atMs,
      toMs,
      tone: 'bad',
      label: `${begin.fault} held`,
      ref: refOf(begin),
      ...(end ? {} : { isOpen: true }),
    });
  }
  return draft.lane(['faults', 'slowness']);
};
