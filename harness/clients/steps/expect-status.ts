// Waits for the answer's head and compares its status.
import { numberOption } from '../../model/fields.ts';
import { formatMs } from '../../model/time.ts';
import type { StepDefinition } from '../step.ts';

export const definition: StepDefinition = {
  kind: 'expect-status',
  about: 'Waits for the head of the answer; another status, or none, is not seen. Its mark is set when the wait is over.',
  fields: {
    $bare: 'status',
    options: {
      status: { type: 'status', about: 'The status.' },
      within: { type: 'duration', about: 'How long the head may take.', default: '30s' },
    },
  },
  example: 200,
  act: async (session, options, mark) => {
    const limitMs = numberOption(options, 'within');
    await session.until(({ received }) => received.status !== null || received.ended, limitMs);
    if (mark !== null) session.setMark(mark);
    const { status, ended } = session.received;
    if (status === options.status) return { outcome: 'done' };
    const instead =
      status !== null
        ? `status ${status} came`
        : ended
          ? 'the connection ended without a head'
          : `no head came within ${formatMs(limitMs)}`;
    return { outcome: 'not-seen', reason: `status ${String(options.status)} was awaited: ${instead}` };
  },
};
