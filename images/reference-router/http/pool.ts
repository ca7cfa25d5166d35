// Connections to the upstream: one per request, or, where POOL says so, kept for the next one. Only a
// connection whose last answer was read to its end is kept. One that was cut still has somebody's
// bytes on the way, and is closed; so is one on which anything comes that nobody has asked for.
import http from 'node:http';
import type { Socket } from 'node:net';

/** Shorter than what servers commonly allow, or a request would meet the FIN of a connection that is being closed. */
const IDLE_MS = 2_000;

/** @param size how many idle connections are kept; 0: none */
export const createPool = (size: number): http.Agent => {
  const agent = new http.Agent({ keepAlive: size > 0, maxFreeSockets: size, timeout: IDLE_MS, maxSockets: Number.POSITIVE_INFINITY });
  const spoil = function (this: Socket): void {
    this.destroy();
  };
  const keep = agent.keepSocketAlive.bind(agent);
  const reuse = agent.reuseSocket.bind(agent);
  agent.keepSocketAlive = (socket: Socket) => {
    socket.on('data', spoil);
    return keep(socket);
  };
  agent.reuseSocket = (socket: Socket, request: http.ClientRequest) => {
    socket.off('data', spoil);
    reuse(socket, request);
  };
  return agent;
};
