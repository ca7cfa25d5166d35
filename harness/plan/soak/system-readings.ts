// What the system took in one run, from the samples of its timeline: how far it rose above its own baseline, and what of it was left at
// the end. Of a system that is driven again and again every sample counts, by the time of the night.
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES } from '../../bundle/format.ts';
import type { Resolved } from '../../bundle/format.ts';
import { instancesOf } from '../../model/facts.ts';
import type { Facts } from '../../model/facts.ts';
import { linesOf } from '../../model/lines.ts';
import type { ObservationOf } from '../../model/observation.ts';
import type { SocketRow } from '../../model/samples.ts';
import type { MeasureName } from '../../model/soak.ts';

export type SystemMeasure = Exclude<MeasureName, 'heap'>;
export type SystemReading = { readonly atMs: number; readonly measure: SystemMeasure; readonly value: number };

type Sample = ObservationOf<'sample'>;

const hostOf = (endpoint: string): string => endpoint.slice(0, endpoint.lastIndexOf(':'));
const portOf = (endpoint: string): number => Number(endpoint.slice(endpoint.lastIndexOf(':') + 1));

/** Connections that the system holds an end of: those it serves, and those it has made to upstreams, which come from their address. */
export const heldBySystem = (rows: readonly SocketRow[], facts: Pick<Facts, 'system' | 'upstreams'>): number => {
  const own = new Set(instancesOf(facts as Facts).map(({ address }) => address));
  const upstreams = new Set(Object.values(facts.upstreams).map(({ address }) => address));
  const isHeld = ({ local, remote, state, inode }: SocketRow): boolean =>
    inode !== 0 && state !== 'listen' && state !== 'time-wait'
    && (own.has(hostOf(local)) || (upstreams.has(hostOf(remote)) && portOf(local) > portOf(remote)));
  return rows.filter(isHeld).length;
};

/** Values of one sample; the wait for a processor is cumulative, and is taken as it stands. */
export const readingsOf = (sample: Sample, facts: Facts): readonly SystemReading[] => {
  const { atMs } = sample;
  if (sample.value === undefined) return [];
  if (sample.probe === 'process') {
    const { rssBytes, descriptors, runDelayMs, pids } = sample.value;
    // A system that has ended takes nothing, which is no reading of it.
    if (pids.length === 0) return [];
    return [
      { atMs, measure: 'memory', value: rssBytes }, { atMs, measure: 'lag', value: runDelayMs },
      ...(descriptors === undefined ? [] : [{ atMs, measure: 'fds', value: descriptors } as const]),
    ];
  }
  if (sample.probe === 'sockets') return [{ atMs, measure: 'sockets', value: heldBySystem(sample.value.rows, facts) }];
  if (sample.probe === 'ledger') return [{ atMs, measure: 'reserved', value: sample.value.accounts.reduce((sum, { reserved }) => sum + reserved, 0) }];
  return [];
};

type Edge = { readonly baseline: number; readonly end: number; readonly peak: number; readonly fromMs: number; readonly toMs: number };

/** From the baseline snapshot on, up to the stop. */
const edgesOf = (samples: readonly SystemReading[], fromMs: number): Edge | null => {
  const seen = samples.filter(({ atMs }) => atMs >= fromMs);
  const [first, last] = [seen[0], seen.at(-1)];
  if (!first || !last || first === last) return null;
  return { baseline: first.value, end: last.value, peak: Math.max(...seen.map(({ value }) => value)), fromMs: first.atMs, toMs: last.atMs };
};

/** One value for a run: memory by its peak, what should have been given back by what was left, waiting by ms a second. */
export const summaryOfRun = (readings: readonly SystemReading[], baselineMs: number): Readonly<Partial<Record<SystemMeasure, number>>> => {
  const byMeasure = Map.groupBy(readings, ({ measure }) => measure);
  return Object.fromEntries([...byMeasure].flatMap(([measure, samples]): readonly (readonly [SystemMeasure, number])[] => {
    const edge = edgesOf(samples, baselineMs);
    if (edge === null) return [];
    if (measure === 'memory') return [[measure, edge.peak - edge.baseline]];
    if (measure === 'lag') return edge.toMs > edge.fromMs ? [[measure, ((edge.end - edge.baseline) * 1_000) / (edge.toMs - edge.fromMs)]] : [];
    return [[measure, edge.end - edge.baseline]];
  }));
};

export type RunReadings = { readonly readings: readonly SystemReading[]; readonly baselineMs: number; readonly stopMs: number };

/** Only lines of samples and phases are parsed, and each is let go at once. */
const tellingLines = async function* (file: string): AsyncGenerator<string> {
  for await (const line of linesOf(createReadStream(file)))
    if (line.includes('"type":"sample"') || line.includes('"type":"phase"')) yield line;
};

/** @returns null where the run did not get as far as its baseline @throws Error for a bundle that cannot be read */
export const readRun = async (folder: string): Promise<RunReadings | null> => {
  const { judged } = JSON.parse(await readFile(join(folder, FILES.resolved), 'utf8')) as Resolved;
  const readings: SystemReading[] = [];
  let [baselineMs, stopMs] = [Number.NaN, Number.POSITIVE_INFINITY];
  for await (const line of tellingLines(join(folder, FILES.timeline))) {
    const seen = JSON.parse(line) as Sample | ObservationOf<'phase'>;
    if (seen.type === 'sample') readings.push(...readingsOf(seen, judged.facts));
    else if (seen.phase === 'baseline' && seen.edge === 'begin') baselineMs = seen.atMs;
    else if (seen.phase === 'stop' && seen.edge === 'begin') stopMs = seen.atMs;
  }
  return Number.isNaN(baselineMs) ? null : { readings: readings.filter(({ atMs }) => atMs < stopMs), baselineMs, stopMs };
};
