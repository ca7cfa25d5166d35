// A provider that takes the request and never answers: not a byte, not even a status.
import type { BehaviourDefinition } from '../behaviour.ts';

export const definition: BehaviourDefinition = {
  kind: 'header-wait',
  about: 'reads the request and never answers',
  fields: { options: {} },
  example: null,
  program: () => [{ do: 'wait-forever' }],
};
