// A provider that is not there: nobody listens on its port, so the kernel refuses the connection.
import type { BehaviourDefinition } from '../behaviour.ts';

export const definition: BehaviourDefinition = {
  kind: 'refused',
  about: 'no listener: connections are refused',
  fields: { options: {} },
  example: null,
  listens: false,
  program: () => [],
};
