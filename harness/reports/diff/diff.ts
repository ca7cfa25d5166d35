// What changed between two moments of one run, probe by probe, and of which probe that cannot be said.
import type { ProbeName } from '../../model/samples.ts';
import type { Timeline } from '../../model/timeline.ts';
import { diffLedger } from './ledger.ts';
import type { LedgerDiff } from './ledger.ts';
import { PROBES } from './points.ts';
import type { Point, SampleOf } from './points.ts';
import { diffHttp, diffProcess, diffSockets } from './system.ts';
import type { HttpDiff, ProcessDiff, SocketsDiff } from './system.ts';

export type Moment = Pick<Point, 'mark' | 'kind' | 'atMs'>;

export type SnapshotDiff = {
  readonly from: Moment;
  readonly to: Moment;
  /** Null where one of the two looks is not there. */
  readonly ledger: LedgerDiff | null;
  readonly sockets: SocketsDiff | null;
  readonly process: ProcessDiff | null;
  readonly http: HttpDiff | null;
  /** Probes of this run of which one look is missing or failed, with why. A probe that never looked is not named. */
  readonly unseen: readonly { readonly probe: ProbeName; readonly mark: string; readonly why: string }[];
};

const momentOf = ({ mark, kind, atMs }: Point): Moment => ({ mark, kind, atMs });

/** @param timeline the whole run, for what happened in between */
export const diffPoints = (from: Point, to: Point, timeline: Timeline): SnapshotDiff => {
  const both = <P extends ProbeName, D>(probe: P, diff: (a: Value<P>, b: Value<P>) => D): D | null => {
    const [a, b] = [from, to].map(({ looks }) => (looks as Partial<Record<ProbeName, SampleOf<P>>>)[probe]?.value);
    return a === undefined || b === undefined ? null : diff(a as Value<P>, b as Value<P>);
  };
  const window = { fromMs: from.looks.ledger?.atMs ?? from.atMs, toMs: to.looks.ledger?.atMs ?? to.atMs };
  const looked = new Set(timeline.of('sample').map(({ probe }) => probe));
  const unseen = PROBES.filter((probe) => looked.has(probe)).flatMap((probe) =>
    [from, to].flatMap(({ mark, looks }) => {
      const look = looks[probe];
      if (look?.value !== undefined) return [];
      return [{ probe, mark, why: look?.error ?? 'it was not looked at' }];
    }),
  );
  return {
    from: momentOf(from),
    to: momentOf(to),
    ledger: both('ledger', (a, b) => diffLedger(a, b, timeline, window)),
    sockets: both('sockets', diffSockets),
    process: both('process', diffProcess),
    http: both('http', diffHttp),
    unseen,
  };
};

type Value<P extends ProbeName> = NonNullable<SampleOf<P>['value']>;
