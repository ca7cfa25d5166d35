// A time-out that was meant for clients that are gone, and is much too short for those that pause.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'kills-slow-reader',
  about: 'a client that takes nothing is cut after a sixth of the time that it should have',
  apply: (behaviour) => ({
    ...behaviour,
    deadlines: (facts, limits) => behaviour.deadlines(facts, { ...limits, send: limits.send / 6 }),
  }),
};
