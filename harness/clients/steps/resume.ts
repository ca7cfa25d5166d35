// Reads on after a pause.
import type { StepDefinition } from '../step.ts';

export const definition: StepDefinition = {
  kind: 'resume',
  about: 'Reads on after a pause.',
  fields: { options: {} },
  example: null,
  act: async (session, _options, mark) => {
    if (mark !== null) session.setMark(mark);
    session.resume();
    return { outcome: 'done' };
  },
};
