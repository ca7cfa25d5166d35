// The cancellation ends the task that relays, and with it the lines that would have settled.
import type { Defect } from './defect.ts';
import { leakWhen } from './leak.ts';

export const defect: Defect = {
  name: 'leaks-on-cancel-during',
  about: 'a client that leaves during the stream leaves its reservation active, and renewed',
  apply: (behaviour) =>
    leakWhen(behaviour, ({ facts }, reason) => reason === 'client-left' && facts.headAtMs !== null && !facts.upstreamEnded),
};
