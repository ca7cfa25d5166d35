// Waits until the system has closed the client's connection.
import { numberOption } from '../../model/fields.ts';
import { formatMs } from '../../model/time.ts';
import type { StepDefinition } from '../step.ts';

export const definition: StepDefinition = {
  kind: 'expect-close',
  about:
    'Waits until the system has closed the connection, which a paused client cannot see. Its mark is set when the wait is over.',
  fields: { $bare: 'within', options: { within: { type: 'duration', about: 'How long it may take.', default: '30s' } } },
  example: '5s',
  act: async (session, options, mark) => {
    const limitMs = numberOption(options, 'within');
    const isClosed = await session.until(({ peerClosed }) => peerClosed !== null, limitMs);
    if (mark !== null) session.setMark(mark);
    if (isClosed) return { outcome: 'done' };
    const { state, unreadBytes } = session.look();
    const paused = session.isPaused ? `, the client is paused with ${unreadBytes} unread bytes` : '';
    return {
      outcome: 'not-seen',
      reason: `the system had not closed the connection within ${formatMs(limitMs)}: the socket was ${state}${paused}`,
    };
  },
};
