// Our search on a trial, from its first run to the version it names.
import type { Recorded } from '../../plan/bisect/answer.ts';
import { conclude, next, record, resumeSearch } from '../../plan/bisect/search.ts';
import type { Trial } from './trial.ts';
import { showsSymptom } from './trial.ts';

export type Ours = { readonly culprit: number | null; readonly runs: number; readonly rounds: number };

/**
 * @param known what was recorded before, by others; it is not counted
 * @param count runs side by side
 */
export const search = (trial: Trial, confidence: number, { known = [], count = 1 }: { readonly known?: readonly Recorded[]; readonly count?: number } = {}): Ours => {
  let state = resumeSearch({ options: { versions: trial.versions, confidence }, results: known });
  const runsOf = new Map<number, number>();
  let rounds = 0;
  for (;;) {
    const probes = next(state, { count });
    if (probes.length === 0) break;
    rounds += 1;
    for (const { version } of probes) {
      const run = runsOf.get(version) ?? 0;
      runsOf.set(version, run + 1);
      state = record(state, { version, answer: showsSymptom(trial, version, run) ? 'bad' : 'good' });
    }
  }
  const conclusion = conclude(state);
  return { culprit: conclusion.kind === 'found' && conclusion.width === 1 ? conclusion.bad : null, runs: state.state.results.length - known.length, rounds };
};

/** A hundred runs of each end, as a history of nights has them. */
export const historyOf = ({ versions, rate }: Trial): readonly Recorded[] => [
  ...Array.from({ length: 100 }, (_, run): Recorded => ({ version: versions - 1, answer: run < Math.round(100 * rate) ? 'bad' : 'good' })),
  ...Array.from({ length: 100 }, (): Recorded => ({ version: 0, answer: 'good' })),
];
