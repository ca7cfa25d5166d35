// Meets the other clients that name the same barrier.
import { textOption } from '../../model/fields.ts';
import { noteMark } from '../harness-marks.ts';
import type { StepDefinition } from '../step.ts';

export const definition: StepDefinition = {
  kind: 'barrier',
  about: 'Waits until every client whose script names this barrier has come to it. Its mark is set when all have.',
  fields: { $bare: 'name', options: { name: { type: 'barrier', about: "The barrier's name." } } },
  example: 'all-streaming',
  perform: async (context, options) => {
    const name = textOption(options, 'name');
    const haveMet = await context.meet(name);
    noteMark(context);
    return haveMet === false
      ? { outcome: 'not-seen', reason: `not every client came to the barrier ${name}` }
      : { outcome: 'done' };
  },
};
