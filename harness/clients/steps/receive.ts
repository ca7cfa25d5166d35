// Reads on until enough of the answer has come. An answer that ends too early ends the wait too.
import type { Options } from '../../model/fields.ts';
import { numberOption } from '../../model/fields.ts';
import { formatMs } from '../../model/time.ts';
import type { Received, Session } from '../session.ts';
import type { StepDefinition, StepResult } from '../step.ts';

type Wanted = { readonly what: string; readonly isThere: (received: Received) => boolean };

const wantedOf = (options: Options): Wanted => {
  if (options.events !== undefined) {
    const events = numberOption(options, 'events');
    return { what: `${events} data events`, isThere: (received) => received.events >= events };
  }
  if (options.bytes !== undefined) {
    const bytes = numberOption(options, 'bytes');
    return { what: `${bytes} bytes`, isThere: (received) => received.bytes >= bytes };
  }
  if (options.until === 'head') return { what: 'the head', isThere: (received) => received.status !== null };
  if (options.until === 'first-chunk') return { what: 'the first chunk', isThere: (received) => received.bytes > 0 };
  return { what: 'the end of the answer', isThere: (received) => received.ended };
};

const insteadOf = (session: Session): string => {
  const { status, events, bytes, ended } = session.received;
  const head = status === null ? 'no head' : `status ${status}`;
  const then = ended ? 'and the answer had ended' : session.isPaused ? 'the client is paused' : 'the answer was open';
  return `${head}, ${events} data events, ${bytes} bytes, ${then}`;
};

const receive = async (session: Session, options: Options): Promise<StepResult> => {
  const wanted = wantedOf(options);
  const limitMs = numberOption(options, options['or-after'] === undefined ? 'within' : 'or-after');
  await session.until(({ received }) => wanted.isThere(received) || received.ended, limitMs);
  if (wanted.isThere(session.received)) return { outcome: 'done' };
  return { outcome: 'not-seen', reason: `${wanted.what} had not come within ${formatMs(limitMs)}: ${insteadOf(session)}` };
};

export const definition: StepDefinition = {
  kind: 'receive',
  about: 'Waits until that much of the answer has come, or it has ended. Its mark is set when the wait is over.',
  fields: {
    $one: ['events', 'bytes', 'until'],
    options: {
      events: {
        type: 'integer',
        about: 'Data events with content; of a document that is not streamed none before it is whole.',
        optional: true,
        minimum: 1,
      },
      bytes: { type: 'size', about: 'Bytes of the body.', optional: true },
      until: {
        type: 'choice',
        about: 'The head, the first byte of the body, or the end of the answer.',
        optional: true,
        choices: ['head', 'first-chunk', 'end'],
      },
      within: { type: 'duration', about: 'How long it may take.', default: '30s' },
      'or-after': {
        type: 'duration',
        about: 'Go on after this long: a system that withholds the first chunk is part of the picture.',
        optional: true,
      },
    },
  },
  example: { events: 3, 'or-after': '2s' },
  act: async (session, options, mark) => {
    const result = await receive(session, options);
    if (mark !== null) session.setMark(mark);
    return result;
  },
};
