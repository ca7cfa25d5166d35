// The background task is defined, tested, and not started.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'sweeper-never-runs',
  about: 'stale reservations are not released in the background',
  apply: (behaviour) => ({ ...behaviour, sweeps: false }),
};
