// Ends an instance of the system in the middle of what it is doing: nothing of it can tidy up.
import type { FaultDefinition } from './fault.ts';
import { INSTANCE, processOf } from './instance.ts';

/** The kernel's work alone. */
const GONE_LIMIT_MS = 10_000;

export const definition: FaultDefinition = {
  kind: 'kill',
  about: 'SIGKILL to an instance of the system, waited for. It stays away; what is claimed of the system is claimed of the others.',
  fields: { $bare: 'instance', options: { instance: INSTANCE } },
  example: { instance: 2 },
  fire: async ({ facts, endSystem }, options) => {
    const process = processOf(facts, options);
    await endSystem('SIGKILL', process, GONE_LIMIT_MS);
    return `${process} was killed`;
  },
};
