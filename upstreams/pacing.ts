// Events with a pause after each: what several behaviours begin with.
import type { Field, Options } from '../harness/model/fields.ts';
import { numberOption } from '../harness/model/fields.ts';
import type { Instruction } from './behaviour.ts';

/** The options `events` and `every`. */
export const pacedFields = (events: number): Readonly<Record<'events' | 'every', Field>> => ({
  events: { type: 'integer', about: 'data events', default: events, minimum: 0 },
  every: { type: 'duration', about: 'pause after each event', default: '20ms', minimum: 0 },
});

export const pacedEvents = (options: Options): Instruction => ({
  do: 'repeat',
  times: numberOption(options, 'events'),
  body: [{ do: 'event' }, { do: 'wait', ms: numberOption(options, 'every') }],
});
