// Which instance of the system served a client, and whether a fault kept that instance from its work.
import type { Exchange } from '../../model/exchanges.ts';
import { instancesOf } from '../../model/facts.ts';
import type { Instance } from '../../model/facts.ts';
import type { ObservationOf } from '../../model/observation.ts';
import { ENDING_SIGNALS } from './outage.ts';
import type { View } from './view.ts';

/** The one whose address the client connected to; the first where that is not known. */
export const instanceOf = ({ facts }: View, { connected }: Exchange): Instance => {
  const all = instancesOf(facts);
  // Without a system there is none: then nothing was done to it, and nothing excuses it.
  const { main: process, address, listen } = facts.system;
  return all.find((instance) => instance.listen === connected?.peer) ?? all[0] ?? { process, address, listen, clockAheadMs: 0 };
};

/** The first signal of a fault that ended or stopped it since that time. */
export const disturbanceOf = ({ timeline }: View, { process }: Instance, sinceMs: number): ObservationOf<'signal-sent'> | undefined =>
  timeline
    .of('signal-sent')
    .find(
      (sent) =>
        sent.process === process &&
        sent.purpose === 'fault' &&
        sent.atMs >= sinceMs &&
        (sent.signal === 'SIGSTOP' || ENDING_SIGNALS.has(sent.signal)),
    );
