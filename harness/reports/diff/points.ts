// The moments of a run that can be compared, and what each probe saw at them. A snapshot is what was taken for a mark; of a
// mark without one the last looks before it are taken, since that is what was true when it was set.
import type { ObservationOf } from '../../model/observation.ts';
import type { ProbeName } from '../../model/samples.ts';
import type { Timeline } from '../../model/timeline.ts';

export type Sample = ObservationOf<'sample'>;
export type SampleOf<P extends ProbeName> = Extract<Sample, { probe: P }>;

/** `snapshot`: taken for it. `mark`: set by a script or a fault, without one. `last`: the record's last looks, for `end` where none was taken. */
export type PointKind = 'snapshot' | 'mark' | 'last';

export type Point = {
  readonly mark: string;
  readonly kind: PointKind;
  readonly atMs: number;
  /** By probe; absent where it had not looked by then. */
  readonly looks: { readonly [P in ProbeName]?: SampleOf<P> };
};

export const PROBES: readonly ProbeName[] = ['ledger', 'sockets', 'process', 'http'];
const END = 'end';

const looksOf = (samples: readonly Sample[]): Point['looks'] => Object.fromEntries(samples.map((sample) => [sample.probe, sample]));

/** Of a mark that was set again the first: it is one moment. */
const snapshotsOf = (timeline: Timeline): readonly Point[] => {
  const marked = timeline.of('sample').filter(({ mark }) => mark !== undefined);
  return [...Map.groupBy(marked, ({ mark }) => mark!)].map(([mark, samples]) => {
    const first = PROBES.flatMap((probe) => samples.find((sample) => sample.probe === probe) ?? []);
    return { mark, kind: 'snapshot', atMs: Math.min(...first.map(({ atMs, tookMs }) => atMs - tookMs)), looks: looksOf(first) };
  });
};

const lastLooks = (timeline: Timeline, untilMs: number): Point['looks'] =>
  looksOf(PROBES.flatMap((probe) => timeline.of('sample').findLast((sample) => sample.probe === probe && sample.atMs <= untilMs) ?? []));

/** Every moment that can be named, in the order in which they came. */
export const pointsOf = (timeline: Timeline): readonly Point[] => {
  const snapshots = snapshotsOf(timeline);
  const taken = new Set(snapshots.map(({ mark }) => mark));
  const marks = new Set(timeline.of('mark').map(({ mark }) => mark).filter((mark) => !taken.has(mark)));
  const bare = [...marks].map((mark): Point => {
    const { atMs } = timeline.mark(mark)!;
    return { mark, kind: 'mark', atMs, looks: lastLooks(timeline, atMs) };
  });
  const last = timeline.all.at(-1);
  const end: readonly Point[] =
    last === undefined || taken.has(END) || marks.has(END) ? [] : [{ mark: END, kind: 'last', atMs: last.atMs, looks: lastLooks(timeline, Infinity) }];
  return [...snapshots, ...bare, ...end].toSorted((a, b) => a.atMs - b.atMs);
};
