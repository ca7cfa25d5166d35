// Sends one of the card's requests, marked, on the client's connection.
import { messageOf } from '../../model/problem.ts';
import { textOption } from '../../model/fields.ts';
import type { OutgoingRequest, StepDefinition } from '../step.ts';

export const definition: StepDefinition = {
  kind: 'request',
  about: 'Sends a request of the card. Done when the kernel has taken its last byte; its mark is set just before the first.',
  fields: {
    $bare: 'name',
    options: {
      name: { type: 'text', about: "One of the card's requests." },
      repeat: { type: 'boolean', about: "The client's latest request again, with the same marker: a retry, to be paid for once.", optional: true },
    },
  },
  example: 'chat',
  perform: async (context, options) => {
    await context.plan(textOption(options, 'name'), options.repeat === true);
    return context.act(options);
  },
  act: async (session, options, mark) => {
    if (mark !== null) session.setMark(mark);
    try {
      await session.send(options.outgoing as OutgoingRequest);
      return { outcome: 'done' };
    } catch (error) {
      return { outcome: 'failed', reason: `the request could not be sent: ${messageOf(error)}` };
    }
  },
};
