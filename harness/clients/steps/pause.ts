// Stops reading and keeps the socket: the kernel's receive buffer fills, and then the system's.
import type { StepDefinition } from '../step.ts';

export const definition: StepDefinition = {
  kind: 'pause',
  about: 'Stops reading; the socket stays. Before the first request: its answer is never read.',
  fields: { options: {} },
  example: null,
  act: async (session, _options, mark) => {
    if (mark !== null) session.setMark(mark);
    session.pause();
    return { outcome: 'done' };
  },
};
