// Lets time pass. Only where elapsed time is the point: what can be awaited is awaited by `await`.
import { numberOption } from '../../model/fields.ts';
import { noteMark } from '../harness-marks.ts';
import type { StepDefinition } from '../step.ts';

export const definition: StepDefinition = {
  kind: 'wait',
  about: 'Lets time pass, where elapsed time is the point. Its mark is set at the end of it.',
  fields: { $bare: 'for', options: { for: { type: 'duration', ranged: true, about: 'How long, or a multiple of a period of the system.' } } },
  example: '2 sweeps',
  perform: async (context, options) => {
    await context.timeline.waitFor(() => undefined, numberOption(options, 'for'), context.signal);
    noteMark(context);
    return { outcome: 'done' };
  },
};
