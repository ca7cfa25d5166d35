// A pool that is kept warm: each request opens a second connection, for the next one, which never uses it.
import net from 'node:net';
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'opens-idle-connections',
  about: 'beside each request a connection to the upstream is opened that never carries one',
  apply: (behaviour) => ({
    ...behaviour,
    openUpstream: (exchange, request, events) => {
      const { hostname, port } = exchange.services.config.upstream;
      net.connect(Number(port || 80), hostname.replace(/^\[|\]$/g, '')).on('error', () => undefined).unref();
      return behaviour.openUpstream(exchange, request, events);
    },
  }),
};
