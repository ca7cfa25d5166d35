// A time-out that was meant for clients that are gone, and is much too short for those that pause.
import type { Defect } from './defect.ts';

const SHORT_MS = 500;

export const defect: Defect = {
  name: 'kills-slow-reader',
  about: 'a client that takes nothing for half a second is cut, however long it may pause',
  apply: (behaviour) => ({
    ...behaviour,
    deadlines: (facts, limits) => behaviour.deadlines(facts, { ...limits, send: Math.min(limits.send, SHORT_MS) }),
  }),
};
