// The path control's own listener: it does nothing but record how and when each peer closed, to show
// that a close can be seen on this path at all.
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import type { CloseHow } from '../harness/model/observation.ts';
import { nowMs, toMicroseconds } from '../harness/model/time.ts';
import { commandError } from './options.ts';

/** `atMs` is absolute. */
export type Seen = { readonly seen: boolean; readonly how: CloseHow | null; readonly atMs: number | null };

export type Control = {
  /** @returns the port it got */
  readonly listen: (address: string) => Promise<number>;
  /** Waits for the close of the connection from `peer` (`address:port`), which may be yet to come. */
  readonly await: (port: number, peer: string, limitMs: number) => Promise<Seen>;
  readonly close: () => void;
};

type Listener = { readonly server: Server; readonly seen: Map<string, Seen>; readonly waiting: Map<string, (seen: Seen) => void> };

const MOST_REMEMBERED = 1_000;

const createListener = (): Listener => {
  const seen: Listener['seen'] = new Map();
  const waiting: Listener['waiting'] = new Map();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    const record = (how: CloseHow): void => {
      if (seen.has(peer)) return;
      const value = { seen: true, how, atMs: toMicroseconds(nowMs()) };
      seen.set(peer, value);
      if (seen.size > MOST_REMEMBERED) seen.delete(seen.keys().next().value!);
      waiting.get(peer)?.(value);
    };
    socket.on('end', () => {
      record('fin');
      socket.end();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') record('rst');
    });
    socket.resume();
  });
  return { server, seen, waiting };
};

export const createControl = (): Control => {
  const listeners = new Map<number, Listener>();
  return {
    listen: (address) =>
      new Promise((resolve, reject) => {
        const listener = createListener();
        listener.server.once('error', reject).listen(0, address, () => {
          const bound = listener.server.address();
          const port = bound && typeof bound === 'object' ? bound.port : 0;
          listeners.set(port, listener);
          resolve(port);
        });
      }),
    await: async (port, peer, limitMs) => {
      const listener = listeners.get(port);
      if (!listener) throw commandError('unknown-control', `no control listens on port ${port}`);
      const before = listener.seen.get(peer);
      if (before) return before;
      return new Promise((resolve) => {
        const settle = (seen: Seen): void => {
          clearTimeout(timer);
          listener.waiting.delete(peer);
          resolve(seen);
        };
        const timer = setTimeout(() => settle({ seen: false, how: null, atMs: null }), limitMs);
        listener.waiting.set(peer, settle);
      });
    },
    close: () => {
      for (const { server } of listeners.values()) server.close();
      listeners.clear();
    },
  };
};
