// Lets an instance go on that a pause had stopped: it believes that no time has passed.
import type { FaultDefinition } from './fault.ts';
import { INSTANCE, processOf } from './instance.ts';

export const definition: FaultDefinition = {
  kind: 'resume',
  about: 'SIGCONT to an instance of the system that was paused.',
  fields: { $bare: 'instance', options: { instance: INSTANCE } },
  example: { instance: 2 },
  fire: async ({ facts, signalSystem }, options) => {
    const process = processOf(facts, options);
    await signalSystem('SIGCONT', process);
    return `${process} was resumed`;
  },
};
