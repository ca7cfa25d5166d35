// Asks for the account's money back, in the middle of a script.
import { noteMark } from '../harness-marks.ts';
import type { StepDefinition } from '../step.ts';

export const definition: StepDefinition = {
  kind: 'refund',
  about: "Sends the card's refund request for this client's account. Its mark is set just before.",
  fields: { options: {} },
  example: null,
  perform: (context) => {
    noteMark(context);
    return context.refund();
  },
};
