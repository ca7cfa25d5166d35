// Everything that trends are judged by: what hangup takes, what a long-lived system takes, and by how much systems of single runs rise
// above themselves, compared across the night.
import { median } from '../../model/median.ts';
import type { MeasureName } from '../../model/soak.ts';
import { formatMs } from '../../model/time.ts';
import type { Cell } from '../../systems/cell.ts';
import { watchOwn } from './own-readings.ts';
import { createSeries } from './series.ts';
import type { Point } from './statistics.ts';
import { readRun, summaryOfRun } from './system-readings.ts';
import type { RunReadings, SystemMeasure, SystemReading } from './system-readings.ts';
import type { Question } from './trend.ts';

export type Readings = {
  /**
   * From the bundle of a run that is over; one that cannot be read is left out, and a life of which nothing is known is told.
   * @param startedMs of the night, when it was begun
   * @param doubt why it says nothing that a life did not grow; null: nothing
   */
  readonly readRun: (cell: Cell, folder: string, startedMs: number, doubt: string | null) => Promise<void>;
  readonly questions: () => readonly Question[];
  /** Which lives were too many to be asked about, or could not be, in one line; null: none. */
  readonly notAsked: () => string | null;
  readonly stop: () => void;
};

type OfRun = { readonly at: number; readonly cell: string; readonly value: number };

/** Of one system and measure. More are thinned: every second one goes. */
const MAXIMUM_RUNS = 2_000;
/** Of a scenario, before it is known what is usual for it. */
const FEWEST_RUNS = 3;
const MAXIMUM_LIVES = 40;
const MAXIMUM_NAMED = 20;

/** What is cumulative as what was added since the sample before, for each second. */
const perSecond = (samples: readonly SystemReading[]): readonly SystemReading[] =>
  samples.slice(1).flatMap((sample, index) => {
    const before = samples[index]!;
    const apart = sample.atMs - before.atMs;
    // A process that has ended takes its count along.
    return apart > 0 && sample.value >= before.value ? [{ ...sample, value: ((sample.value - before.value) * 1_000) / apart }] : [];
  });

const lifeQuestions = (cell: Cell, { readings, baselineMs }: RunReadings, startedMs: number, doubt: string | null): readonly Question[] => {
  const seen = readings.filter(({ atMs }) => atMs >= baselineMs);
  const lastMs = seen.at(-1)?.atMs ?? baselineMs;
  return [...Map.groupBy(seen, ({ measure }) => measure)].map(([measure, samples]): Question => {
    const series = createSeries(measure === 'lag' ? 'mean' : measure === 'reserved' ? 'smallest' : 'mean', 1_000);
    for (const { atMs, value } of measure === 'lag' ? perSecond(samples) : samples) series.add(startedMs + atMs, value);
    return {
      of: cell.card.system, measure, warmsUp: true, points: series.points(), readings: samples.length,
      how: `one system for ${formatMs(lastMs - baselineMs)}: ${cell.id.replace('long-life/', '')}, again and again`, doubt,
    };
  });
};

/** What a scenario always takes is not what grows: of each the median is taken away. One that was run less often is its own median, and says nothing. */
export const aboveTheUsual = (runs: readonly OfRun[]): readonly Point[] => {
  const usual = new Map([...Map.groupBy(runs, ({ cell }) => cell)].flatMap(([cell, all]) => (all.length < FEWEST_RUNS ? [] : [[cell, median(all.map(({ value }) => value))]])));
  return runs.toSorted((a, b) => a.at - b.at).flatMap(({ at, cell, value }) => (usual.has(cell) ? [{ at, value: value - usual.get(cell)! }] : []));
};

const HOW: Readonly<Record<SystemMeasure, string>> = {
  memory: 'a fresh system each run: its peak above its own baseline, less what is usual for the scenario',
  fds: 'a fresh system each run: left at the end above its own baseline, less what is usual for the scenario',
  sockets: 'a fresh system each run: left at the end above its own baseline, less what is usual for the scenario',
  reserved: 'a fresh system each run: left at the end above its own baseline, less what is usual for the scenario',
  lag: 'a fresh system each run: its wait for a processor, ms a second, less what is usual for the scenario',
};

const OWN: readonly Exclude<MeasureName, 'reserved'>[] = ['memory', 'heap', 'fds', 'sockets', 'lag'];

type Named = { readonly add: (name: string) => void; readonly count: () => number; readonly words: () => string };

/** So many names, and how many more. */
const createNamed = (): Named => {
  const names: string[] = [];
  let count = 0;
  return {
    add: (name) => {
      if ((count += 1) <= MAXIMUM_NAMED) names.push(name);
    },
    count: () => count,
    words: () => `${names.join(', ')}${count > names.length ? ` and ${count - names.length} more` : ''}`,
  };
};

export const createReadings = (elapsedMs: () => number, everyMs: number): Readings => {
  const own = watchOwn(elapsedMs, everyMs);
  const runs = new Map<string, { readonly of: string; readonly measure: SystemMeasure; count: number; kept: OfRun[] }>();
  const lives: (readonly Question[])[] = [];
  const [late, unread] = [createNamed(), createNamed()];
  const add = (of: string, measure: SystemMeasure, one: OfRun): void => {
    const key = `${of}\n${measure}`;
    const known = runs.get(key) ?? { of, measure, count: 0, kept: [] };
    runs.set(key, known);
    known.count += 1;
    if (known.kept.push(one) > MAXIMUM_RUNS) known.kept = known.kept.filter((_, index) => index % 2 === 0);
  };
  return {
    readRun: async (cell, folder, startedMs, doubt) => {
      const name = `${cell.id} after ${formatMs(startedMs)}`;
      const read = await readRun(folder).catch(() => null);
      if (read === null) {
        if (cell.drivenAgain !== undefined) unread.add(name);
        return;
      }
      if (cell.drivenAgain !== undefined) {
        if (lives.length < MAXIMUM_LIVES) lives.push(lifeQuestions(cell, read, startedMs, doubt));
        else late.add(name);
        return;
      }
      const found = Object.entries(summaryOfRun(read.readings, read.baselineMs)) as readonly [SystemMeasure, number][];
      for (const [measure, value] of found) add(cell.card.system, measure, { at: elapsedMs(), cell: cell.id, value });
    },
    questions: () => [
      ...OWN.map((measure): Question => ({
        of: 'hangup', how: 'its own process, all night', measure, warmsUp: true, points: own.series[measure].points(), readings: own.series[measure].count(),
      })),
      ...lives.flat(),
      ...[...runs.values()].map(({ of, measure, count, kept }): Question => ({
        of, how: HOW[measure], measure, warmsUp: false, points: aboveTheUsual(kept), readings: count,
      })),
    ],
    notAsked: () => {
      const told = [
        ...(late.count() === 0 ? [] : [`of ${MAXIMUM_LIVES + late.count()} systems that lived long only the first ${MAXIMUM_LIVES} were asked whether they grow (a longer --live makes fewer); not asked: ${late.words()}`]),
        ...(unread.count() === 0 ? [] : [`of ${unread.count() === 1 ? 'a system that was' : `${unread.count()} systems that were`} to live long nothing was read, whose bundle broke off before its baseline: ${unread.words()}`]),
      ];
      return told.length === 0 ? null : told.join('; ');
    },
    stop: own.stop,
  };
};
