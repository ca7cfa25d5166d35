// A client to whom not even a connection was to be had.
import type { Exchange } from '../../model/exchanges.ts';
import type { ObservationOf } from '../../model/observation.ts';
import type { View } from './view.ts';

/** Where it was to make one, and could not. */
export const refusedTo = ({ timeline }: View, { client, planned, written }: Exchange): ObservationOf<'connect-failed'> | undefined =>
  written ? undefined : timeline.of('connect-failed').find(({ actor, atMs }) => actor === `client.${client}` && atMs >= planned.atMs);
