// The sockets view: both legs of every exchange as the kernel has them, in this process's own network
// namespace, which is the stage's. It needs nothing in the system's image, and it sees what no
// peer can: an end that is orphaned, or still owned long after the FIN.
import type { Options } from '../model/fields.ts';
import { readSocketTable } from '../model/proc-net.ts';
import type { SocketsValue } from '../model/samples.ts';
import type { ProbeDefinition, ProbeView } from './probe.ts';

const open = (config: Options): ProbeView => {
  const addresses = new Set(config.addresses as readonly string[]);
  const isWanted = (address: string): boolean => addresses.has(address);
  return { sample: (): SocketsValue => ({ rows: readSocketTable(isWanted) }) };
};

export const definition: ProbeDefinition = {
  kind: 'sockets',
  about: 'state, queues and owner of every TCP socket that involves one of the addresses',
  fields: {
    options: { addresses: { type: 'text', list: true, about: 'addresses of the stage; rows with none of them are left out' } },
  },
  example: { addresses: ['127.0.0.2', '127.0.0.3'] },
  open,
};
