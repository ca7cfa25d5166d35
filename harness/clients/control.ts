// The client's half of the path control: a connection of no exchange is opened and closed at once, so
// that the other end can say whether a close is seen on this path at all.
import { connect } from 'node:net';
import type { CloseHow } from '../model/observation.ts';
import { nowMs } from '../model/time.ts';
import { endpointOf } from './socket-proof.ts';

const CONNECT_LIMIT_MS = 5_000;

export type ControlPlan = { readonly from: string; readonly address: string; readonly port: number; readonly how: CloseHow };

/**
 * Connects, closes by FIN or RST, and says from which end and when (absolute ms).
 * @throws Error when the connection cannot be made
 */
export const controlConnect = ({ from, address, port, how }: ControlPlan): Promise<{ local: string; atMs: number }> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, localAddress: from });
    const timer = setTimeout(
      () => socket.destroy(new Error(`no connection to ${endpointOf(address, port)} within ${CONNECT_LIMIT_MS} ms`)),
      CONNECT_LIMIT_MS,
    );
    socket.on('connect', () => {
      clearTimeout(timer);
      const local = endpointOf(socket.localAddress!, socket.localPort!);
      const atMs = nowMs();
      if (how === 'rst') socket.resetAndDestroy();
      else socket.destroy();
      resolve({ local, atMs });
    });
    socket.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
