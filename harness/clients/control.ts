// The client's half of the path control: a connection of no exchange is opened and closed, so that
// the other end can say whether a close is seen on this path at all.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { once } from 'node:events';
import type { CloseHow } from '../model/observation.ts';
import { readSocketTable } from '../model/proc-net.ts';
import { nowMs } from '../model/time.ts';
import { endpointOf } from './socket-proof.ts';

const CONNECT_LIMIT_MS = 5_000;
const TAKEN_LIMIT_MS = 2_000;
/** Where the other end's row cannot be seen from here: another namespace. */
const UNSEEN_LIMIT_MS = 200;
const POLL_MS = 5;

export type ControlPlan = { readonly from: string; readonly address: string; readonly port: number; readonly how: CloseHow };

const openSocket = async ({ from, address, port }: ControlPlan): Promise<Socket> => {
  const socket = connect({ host: address, port, localAddress: from });
  const limit = AbortSignal.timeout(CONNECT_LIMIT_MS);
  try {
    await once(socket, 'connect', { signal: limit });
    return socket;
  } catch (error) {
    socket.destroy();
    throw limit.aborted ? new Error(`no connection to ${endpointOf(address, port)} within ${CONNECT_LIMIT_MS} ms`) : error;
  }
};

/**
 * Waits until the program at the other end has the connection in its hands. A reset that comes before
 * its accept leaves it a socket without a peer's address, and the close could not be told whose it is.
 * One byte is sent; that it was read there shows in the socket table.
 */
const waitUntilTaken = async (socket: Socket, local: string, peer: string, from: string): Promise<void> => {
  const beganMs = nowMs();
  socket.write('\n');
  let limitMs = UNSEEN_LIMIT_MS;
  while (nowMs() - beganMs < limitMs) {
    const rows = readSocketTable((address) => address === from);
    const own = rows.find((row) => row.local === local && row.remote === peer);
    const far = rows.find((row) => row.local === peer && row.remote === local);
    if (far) limitMs = TAKEN_LIMIT_MS;
    if (own?.sendQueue === 0 && far !== undefined && far.inode !== 0 && far.receiveQueue === 0) return;
    await setTimeout(POLL_MS);
  }
};

/**
 * Connects, closes by FIN or RST once the other end has taken the connection, and says from which end
 * and when (absolute ms).
 * @throws Error when the connection cannot be made
 */
export const controlConnect = async (plan: ControlPlan): Promise<{ local: string; atMs: number }> => {
  const socket = await openSocket(plan);
  socket.on('error', () => {});
  const local = endpointOf(socket.localAddress!, socket.localPort!);
  await waitUntilTaken(socket, local, endpointOf(plan.address, plan.port), plan.from);
  const atMs = nowMs();
  if (plan.how === 'rst') socket.resetAndDestroy();
  else socket.destroy();
  return { local, atMs };
};
