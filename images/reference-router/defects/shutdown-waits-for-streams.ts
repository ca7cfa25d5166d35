// A graceful shutdown whose grace has no end.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'shutdown-waits-for-streams',
  about: 'after the stop signal open streams are waited for without a bound',
  apply: (behaviour) => ({ ...behaviour, shutdownStreamsMs: () => Number.POSITIVE_INFINITY }),
};
