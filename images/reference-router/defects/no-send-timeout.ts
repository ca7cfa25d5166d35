// A write to the client is awaited without a limit of its own.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'no-send-timeout',
  about: 'a client that takes nothing is waited for as long as it likes',
  apply: (behaviour) => ({
    ...behaviour,
    deadlines: (facts, limits) => behaviour.deadlines(facts, limits).filter((deadline) => deadline.bound !== 'send'),
  }),
};
