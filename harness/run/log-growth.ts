// When a system printed what: the length of each log is looked at now and then, and at the end the lengths are told as
// lines. Many systems print no times; beside the axis their lines would stand nowhere.
import type { LineTime } from '../bundle/log-times.ts';
import type { RunningSystem } from '../runtimes/runtime.ts';
import type { Run } from './run-context.ts';

const PERIOD_MS = 200;
/** Of one log; what comes later belongs to the last. */
const MAXIMUM_TIMES = 20_000;

type Grown = { readonly bytes: number; readonly atMs: number };
type Printing = Pick<RunningSystem, 'name' | 'logBytes'>;

export type LogGrowth = {
  /** @param text the end of that log, as it is kept: its lines are what is counted */
  readonly timesOf: (system: Printing, text: string) => Promise<readonly LineTime[]>;
  readonly halt: () => void;
};

const NEWLINE = 10;

/** From lengths of the whole log to lines of its end. */
export const linesAt = (grown: readonly Grown[], totalBytes: number, text: string): readonly LineTime[] => {
  const bytes = Buffer.from(text);
  const cutBytes = Math.max(0, totalBytes - bytes.length);
  const times: LineTime[] = [];
  let [place, line, before] = [0, 0, cutBytes];
  for (const { bytes: length, atMs } of grown) {
    if (length <= before) continue;
    // The first line that was not whole before then.
    const end = Math.min(bytes.length, before - cutBytes);
    for (; place < end; place += 1) if (bytes[place] === NEWLINE) line += 1;
    if (times.at(-1)?.line !== line) times.push({ line, atMs });
    before = length;
  }
  return times;
};

/** Looks from now on until it is halted. */
export const watchLogs = ({ system: { processes }, timeline }: Pick<Run, 'system' | 'timeline'>): LogGrowth => {
  const grown = new Map<string, Grown[]>();
  const look = async (system: Printing): Promise<number> => {
    const bytes = await system.logBytes?.().catch(() => 0) ?? 0;
    const known = grown.get(system.name) ?? [];
    grown.set(system.name, known);
    if (bytes > (known.at(-1)?.bytes ?? 0) && known.length < MAXIMUM_TIMES) known.push({ bytes, atMs: Math.round(timeline.elapsedMs()) });
    return bytes;
  };
  const timer = setInterval(() => {
    for (const system of processes) void look(system);
  }, PERIOD_MS);
  timer.unref();
  for (const system of processes) void look(system);
  return {
    timesOf: async (system, text) => linesAt(grown.get(system.name) ?? [], await look(system), text),
    halt: () => clearInterval(timer),
  };
};
