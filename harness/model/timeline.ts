// The ordered observations of one run, and the queries that everybody needs. Total order: time,
// actor, sequence. A sealed timeline never changes; the live one is the same list, still growing.
import type { FactType, Observation, ObservationOf } from './observation.ts';

/** Negative when `a` comes first. */
export const compareObservations = (a: Observation, b: Observation): number =>
  a.atMs - b.atMs || (a.actor < b.actor ? -1 : a.actor > b.actor ? 1 : a.seq - b.seq);

export type Timeline = {
  /** Sorted; duplicates (same actor and sequence) removed. */
  readonly all: readonly Observation[];
  readonly of: <T extends FactType>(type: T) => readonly ObservationOf<T>[];
  readonly by: (actor: string) => readonly Observation[];
  /** The first mark of that name, if it was set. */
  readonly mark: (name: string) => ObservationOf<'mark'> | undefined;
  /** Begin and end of a phase, where they happened. */
  readonly phase: (name: string) => { readonly beginMs?: number; readonly endMs?: number };
};

/** Seals a copy of the observations, whatever order they came in. */
export const createTimeline = (observations: Iterable<Observation>): Timeline => {
  const unique = new Map<string, Observation>();
  for (const observation of observations) {
    const key = `${observation.actor}#${observation.seq}`;
    if (!unique.has(key)) unique.set(key, observation);
  }
  const all = [...unique.values()].sort(compareObservations);
  const byType = Map.groupBy(all, (observation) => observation.type);
  const of = <T extends FactType>(type: T): readonly ObservationOf<T>[] =>
    (byType.get(type) ?? []) as unknown as readonly ObservationOf<T>[];
  return {
    all,
    of,
    by: (actor) => all.filter((observation) => observation.actor === actor),
    mark: (name) => of('mark').find((mark) => mark.mark === name),
    phase: (name) => {
      const edge = (which: 'begin' | 'end'): number | undefined =>
        of('phase').find((phase) => phase.phase === name && phase.edge === which)?.atMs;
      return { beginMs: edge('begin'), endMs: edge('end') };
    },
  };
};
