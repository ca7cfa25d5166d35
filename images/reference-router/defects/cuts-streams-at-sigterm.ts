// A shutdown that asks nobody to finish.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'cuts-streams-at-sigterm',
  about: 'the stop signal cuts every open stream at once',
  apply: (behaviour) => ({ ...behaviour, shutdownStreamsMs: () => 0 }),
};
