// A provider that writes as fast as its socket takes it, with honest backpressure: what a proxy
// buffers for a client that does not read can be seen in how much it takes from here.
import { numberOption } from '../../harness/model/fields.ts';
import type { BehaviourDefinition } from '../behaviour.ts';

export const definition: BehaviourDefinition = {
  kind: 'flood',
  about: 'events as fast as the socket takes them, up to a size, then usage and the end',
  fields: {
    $bare: 'at-most',
    options: {
      'at-most': { type: 'size', about: 'bytes of events after which it ends', default: '1GiB', minimum: 1 },
      'event-size': { type: 'size', about: 'bytes of one event, about; 0: no filling', default: 0, minimum: 0 },
    },
  },
  example: { 'at-most': '1GiB' },
  program: (options) => [
    { do: 'head', status: 200 },
    {
      do: 'repeat',
      times: 'forever',
      atMostBytes: numberOption(options, 'at-most'),
      body: [{ do: 'event', bytes: numberOption(options, 'event-size') }],
    },
    { do: 'usage' },
    { do: 'end-mark' },
    { do: 'finish' },
  ],
};
