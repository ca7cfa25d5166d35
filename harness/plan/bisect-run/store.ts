// A search while it goes on: what is known, and each run written down the moment it has ended. Writes follow each other, since two that
// end at once must both be in the file.
import { writeState } from './state.ts';
import type { Probe, SearchState } from './state.ts';

export type Place = readonly string[];

export type Store = {
  readonly state: () => SearchState;
  /** Resolves when it is on the disk. */
  readonly record: (probe: Omit<Probe, 'number'>) => Promise<void>;
  readonly settle: (part: Partial<Pick<SearchState, 'symptom' | 'background' | 'result'>>) => Promise<void>;
  readonly at: (place: Place) => readonly Probe[];
};

export const isAt = (place: Place, other: Place): boolean => place.length === other.length && place.every((value, index) => value === other[index]);

/** @param onChange is told after every change, before it is on the disk */
export const createStore = (file: string, begun: SearchState, onChange: (state: SearchState) => void): Store => {
  let state = begun;
  let written: Promise<void> = Promise.resolve();
  const change = (next: SearchState): Promise<void> => {
    state = next;
    onChange(next);
    // What cannot be written is told to whoever waits for it, and the next may be written all the same.
    written = written.catch(() => {}).then(() => writeState(file, state));
    return written;
  };
  return {
    state: () => state,
    record: (probe) => change({ ...state, probes: [...state.probes, { number: state.probes.length + 1, ...probe }] }),
    settle: (part) => change({ ...state, ...part }),
    at: (place) => state.probes.filter(({ at }) => isAt(at, place)),
  };
};
