// Stops an instance of the system where it stands: its sockets and its leases stay, nobody looks after them.
import type { FaultDefinition } from './fault.ts';
import { INSTANCE, processOf } from './instance.ts';

export const definition: FaultDefinition = {
  kind: 'pause',
  about: 'SIGSTOP to an instance of the system: it does nothing more until it is resumed. Nobody is accused of what that kept it from.',
  fields: { $bare: 'instance', options: { instance: INSTANCE } },
  example: { instance: 2 },
  fire: async ({ facts, signalSystem }, options) => {
    const process = processOf(facts, options);
    await signalSystem('SIGSTOP', process);
    return `${process} was paused`;
  },
};
