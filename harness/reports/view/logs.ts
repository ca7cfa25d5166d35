// Logs beside the axis: their lines with the moment at which they were written, as far as that is known. What a line says
// of its own time is wall clock and is set against the ledger's clock or the run's begin; a line without one
// belongs to the last that had one (a stack trace).
import type { ReadLog } from '../../bundle/read-logs.ts';
import type { Manifest } from '../../bundle/format.ts';
import type { Facts } from '../../model/facts.ts';
import { instancesOf } from '../../model/facts.ts';
import type { Timeline } from '../../model/timeline.ts';
import type { ViewLog } from './view.ts';

/** The end of a log, and when its lines came where that was recorded. */
export type Log = Pick<ReadLog, 'name' | 'text'> & Partial<ReadLog>;

const MAXIMUM_LINES = 4_000;
const MAXIMUM_CHARACTERS = 400_000;
const MAXIMUM_LINE = 2_000;

/** `2026-01-02T03:04:05.678Z`, `2026-01-02 03:04:05,678`, `2026/01/02 03:04:05`; a zone may follow. */
const STAMP = /(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?\s?(Z|[+-]\d\d:?\d\d)?/;
/** Seconds or milliseconds since the epoch, by a name that says so. */
const EPOCH = /"(?:ts|time|timestamp|at)":\s*"?(\d{10}(?:\.\d+)?|\d{13})\b/;
const SEARCHED = 300;

const zoneMs = (zone: string | undefined): number | null => {
  if (zone === undefined) return null;
  if (zone === 'Z') return 0;
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)/.exec(zone)!;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
};

/** The wall time that a line names, ms since the epoch; without a zone that one is taken which is nearest. */
export const wallTimeOf = (line: string, nearMs: number): number | null => {
  const head = line.slice(0, SEARCHED);
  const epoch = EPOCH.exec(head);
  if (epoch) return Number(epoch[1]) * (Number(epoch[1]) > 1e11 ? 1 : 1000);
  const stamp = STAMP.exec(head);
  if (!stamp) return null;
  const [year, month, day, hour, minute, second] = stamp.slice(1, 7).map(Number) as [number, number, number, number, number, number];
  const utc = Date.UTC(year, month - 1, day, hour, minute, second) + Number(`0.${stamp[7] ?? '0'}`) * 1000;
  const zone = zoneMs(stamp[8]);
  if (zone !== null) return utc - zone;
  // Zones are whole quarters of an hour.
  return utc - Math.round((utc - nearMs) / 900_000) * 900_000;
};

/** What to take from a wall time to get ms of the run. */
export const wallOffset = (timeline: Timeline, manifest: Pick<Manifest, 'startedAt'>): number => {
  const offsets = timeline.of('sample').flatMap((each) => (each.probe === 'ledger' && each.value ? [each.value.wallMs - each.atMs] : []));
  offsets.sort((a, b) => a - b);
  const median = offsets[Math.floor(offsets.length / 2)];
  return median ?? Date.parse(manifest.startedAt);
};

const cut = (line: string): string => (line.length > MAXIMUM_LINE ? `${line.slice(0, MAXIMUM_LINE)}…` : line);

type Kept = { readonly from: number; readonly lines: readonly string[]; readonly leftOut: string | null };

/** The last lines: how it ended is asked for more often than how it began. */
const keep = ({ text, firstLine = 0 }: Log): Kept => {
  const all = text.replace(/\n$/, '').split('\n');
  let from = Math.max(0, all.length - MAXIMUM_LINES);
  let characters = 0;
  for (let index = all.length - 1; index >= from; index -= 1) {
    characters += Math.min(all[index]!.length, MAXIMUM_LINE) + 1;
    if (characters > MAXIMUM_CHARACTERS) from = index + 1;
  }
  const before = firstLine + from;
  const leftOut = before === 0 ? null : `the first ${before} of ${firstLine + all.length} lines are left out; all are in logs/`;
  return { from: before, lines: all.slice(from).map(cut), leftOut };
};

const recordedTimes = (times: NonNullable<Log['times']>, from: number, count: number): readonly (number | null)[] => {
  let index = -1;
  return Array.from({ length: count }, (_, offset) => {
    while (times[index + 1] !== undefined && times[index + 1]!.line <= from + offset) index += 1;
    return times[index]?.atMs ?? null;
  });
};

/** @param endMs of the run: nothing was printed before nought, and what came after was printed at the end */
export const viewLog = (log: Log, timeline: Timeline, manifest: Pick<Manifest, 'startedAt'>, facts: Facts, endMs: number): ViewLog => {
  const { from, lines, leftOut } = keep(log);
  const offset = wallOffset(timeline, manifest) + (instancesOf(facts).find(({ process }) => process === log.name)?.clockAheadMs ?? 0);
  let last: number | null = null;
  const own = lines.map((line) => {
    const wall = wallTimeOf(line, offset);
    // A line may speak of some other day.
    if (wall !== null && wall - offset > -60_000 && wall - offset < endMs + 60_000)
      last = Math.min(endMs, Math.max(0, Math.round(wall - offset)));
    return last;
  });
  if (own.some((atMs) => atMs !== null)) return { name: log.name, at: own, text: lines, times: 'lines', leftOut };
  if (log.times && log.times.length > 0)
    return { name: log.name, at: recordedTimes(log.times, from, lines.length), text: lines, times: 'recorded', leftOut };
  return { name: log.name, at: own, text: lines, times: 'none', leftOut };
};
