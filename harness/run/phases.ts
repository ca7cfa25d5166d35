// Marks the begin and end of a phase in the timeline, and tells whoever shows progress.
import type { LiveTimeline } from '../model/live.ts';
import type { PhaseName } from '../model/observation.ts';

export type Phases = <T>(phase: PhaseName, work: () => Promise<T>) => Promise<T>;

export const createPhases = (timeline: LiveTimeline, onPhase: (phase: PhaseName) => void): Phases =>
  async (phase, work) => {
    timeline.note({ type: 'phase', phase, edge: 'begin' });
    onPhase(phase);
    try {
      return await work();
    } finally {
      timeline.note({ type: 'phase', phase, edge: 'end' });
    }
  };
