// From what a night remembers, and what earlier nights came to, the plain data that its pages are made from.
import { median } from '../../model/median.ts';
import type { SoakCell, SoakNight, SoakSymptom, Worth } from '../../model/soak.ts';
import { changesOf } from './change.ts';
import type { Disk } from './disk.ts';
import type { History, HistoryLine, Past } from './history.ts';
import { shortOf } from './keeping.ts';
import type { NightEnd } from './night.ts';
import { shareInterval } from './statistics.ts';
import type { Tally } from './tally.ts';
import { judgeTrends } from './trend.ts';

export type NightReportInput = Omit<SoakNight, 'format' | 'tookMs' | 'endedEarly' | 'rounds' | 'runs' | 'cells' | 'notReached' | 'trends' | 'noLife' | 'outages' | 'disk' | 'history'> & {
  readonly end: NightEnd;
  /** All cells that apply, by id. */
  readonly planned: readonly string[];
  readonly history: History;
  readonly disk: Disk;
};

const MAXIMUM_KEPT = 60;

const medianMsOf = ({ durations }: Tally): number | null => (durations.length === 0 ? null : Math.round(median(durations)));

const symptomsOf = (tally: Tally, past: Past | null, night: string, disk: Disk): readonly SoakSymptom[] =>
  [...tally.symptoms.values()]
    .map(({ words, fingerprint, outcome, count, folder }): SoakSymptom => {
      const since = past?.since.get(fingerprint) ?? night;
      // In the first night of a scenario everything is new, which tells nobody anything.
      const bundleBytes = folder === null ? null : disk.bytesOf(folder);
      return { words, fingerprint, outcome, count, since, isNew: past !== null && since === night, bundle: bundleBytes === null ? null : shortOf(folder!), bundleBytes };
    })
    .sort((a, b) => Number(b.isNew) - Number(a.isNew) || b.count - a.count);

const passWords = (which: 'first' | 'last', worth: Worth): string => `the ${which} that passed${worth === 'known' ? ' but for known violations' : ''}`;

const keptOf = (tally: Tally, disk: Disk): SoakCell['kept'] =>
  tally.kept.filter(({ folder }) => disk.has(folder)).slice(-MAXIMUM_KEPT).map(({ folder, outcome, worth }) => ({
    folder: shortOf(folder), outcome, worth,
    because: folder === tally.first ? passWords('first', worth) : folder === tally.last ? passWords('last', worth) : outcome,
  }));

const cellOf = (tally: Tally, past: Past | null, night: string, disk: Disk): Omit<SoakCell, 'change'> => {
  const { cell, runs, outcomes, judged, notPassed } = tally;
  const seen = new Set(tally.symptoms.keys());
  // Of runs that could not be concluded nobody knows what they would have shown.
  const concluded = (outcomes.get('passed') ?? 0) + (outcomes.get('failed') ?? 0);
  return {
    cell, runs, outcomes: Object.fromEntries(outcomes),
    notPassed: { count: notPassed, of: judged, ...shareInterval(notPassed, judged) },
    before: past === null ? null : { count: past.notPassed, of: past.judged, nights: past.nights, ...shareInterval(past.notPassed, past.judged) },
    known: tally.known, fixed: [...tally.fixed].filter(([, count]) => count === judged).map(([claim]) => claim), medianMs: medianMsOf(tally), medianBeforeMs: past?.medianMs ?? null,
    symptoms: symptomsOf(tally, past, night, disk),
    gone: past === null || concluded === 0 ? [] : past.latest.filter(({ fingerprint }) => !seen.has(fingerprint)).map(({ words }) => words),
    kept: keptOf(tally, disk),
  };
};

/** What needs a look first: new, then most often not passed; the others by name. */
const byConcern = (a: SoakCell, b: SoakCell): number => {
  const isNew = ({ symptoms }: SoakCell): number => Number(symptoms.some((each) => each.isNew));
  const share = ({ notPassed: { count, of } }: SoakCell): number => (of === 0 ? 0 : count / of);
  const errors = ({ outcomes }: SoakCell): number => outcomes.error ?? 0;
  return isNew(b) - isNew(a) || share(b) - share(a) || errors(b) - errors(a) || (a.cell < b.cell ? -1 : 1);
};

export const nightReport = ({ end, planned, history, disk, ...given }: NightReportInput): SoakNight => {
  const { tallies, readings, outages, rounds, tookMs, endedEarly } = end;
  const ran = new Set(tallies.filter(({ runs, outcomes }) => runs > (outcomes.get('interrupted') ?? 0)).map(({ cell }) => cell));
  const cells = tallies.map((tally) => cellOf(tally, history.of(tally.system, given.runtime, tally.cell), given.night, disk));
  const changes = changesOf(cells);
  return {
    format: 1, ...given, tookMs: Math.round(tookMs), endedEarly, rounds,
    runs: tallies.reduce((sum, each) => sum + each.runs, 0),
    cells: cells.map((cell, index): SoakCell => ({ ...cell, change: changes[index]! })).sort(byConcern),
    notReached: planned.filter((cell) => !ran.has(cell)),
    trends: judgeTrends(readings.questions()), noLife: end.lives ?? readings.notAsked(), outages,
    disk: { limitBytes: disk.limitBytes, keptBytes: disk.keptBytes(), largestBytes: Math.max(end.largestAtOnce, disk.keptBytes()), removed: disk.removed() },
    history: { nights: history.nights, note: history.note },
  };
};

/** What the next nights will know of this one. */
export const historyLines = (tallies: readonly Tally[], night: string, runtime: string): readonly HistoryLine[] =>
  tallies.filter(({ judged, symptoms }) => judged > 0 || symptoms.size > 0).map((tally) => ({
    format: 1, night, system: tally.system, runtime, cell: tally.cell, runs: tally.runs, judged: tally.judged, notPassed: tally.notPassed, medianMs: medianMsOf(tally),
    symptoms: [...tally.symptoms.values()].map(({ words, fingerprint, outcome }) => ({ words, fingerprint, outcome })),
  }));
