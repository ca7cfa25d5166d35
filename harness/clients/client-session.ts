// Makes a client's session: which connection is the current one, who waits for what, and the facts
// that the client tells about itself.
import type { Emit } from '../model/actor.ts';
import type { Fact } from '../model/observation.ts';
import { messageOf } from '../model/problem.ts';
import { createAnswer } from './answer.ts';
import { openConnection } from './connection.ts';
import type { Connection } from './connection.ts';
import { leave } from './leaving.ts';
import type { Session } from './session.ts';
import { endpointOf } from './socket-proof.ts';
import type { OutgoingRequest } from './step.ts';

export type SessionPlan = Pick<Session, 'client' | 'localAddress' | 'system'>;

/** The request's bytes. A host and a length are added where the card names none. */
const renderRequest = (request: OutgoingRequest, host: string): string => {
  const names = new Set(Object.keys(request.headers).map((name) => name.toLowerCase()));
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (!names.has('host')) headers.unshift(`host: ${host}\r\n`);
  const hasBody = request.body !== '' || request.method === 'POST';
  if (hasBody && !names.has('content-length')) headers.push(`content-length: ${Buffer.byteLength(request.body)}\r\n`);
  return `${request.method} ${request.path} HTTP/1.1\r\n${headers.join('')}\r\n${request.body}`;
};

/** A client that has not connected yet. */
export const createSession = (plan: SessionPlan, emit: Emit): Session => {
  const connections: Connection[] = [];
  const waiters = new Set<() => void>();
  let isPaused = false;
  let marker: string | null = null;
  const host = endpointOf(plan.system.address, plan.system.port);
  const tell = (fact: Fact, atMs?: number): void => emit(`client.${plan.client}`, fact, atMs);
  const current = (): Connection | undefined => connections.at(-1);
  const onChange = (): void => {
    for (const wake of waiters) wake();
  };
  const connectionFor = async (): Promise<Connection> => {
    const free = current();
    if (free?.isFree()) return free;
    try {
      const connection = await openConnection({
        number: connections.length + 1, localAddress: plan.localAddress, system: plan.system, startsPaused: isPaused,
        tell: (fact) => tell(fact), onChange,
      });
      connections.push(connection);
      return connection;
    } catch (error) {
      tell({ type: 'connect-failed', error: messageOf(error) });
      throw error;
    }
  };
  const send: Session['send'] = async (request) => {
    const connection = await connectionFor();
    const text = renderRequest(request, host);
    marker = request.marker;
    await connection.write(text, createAnswer(request.marker, request.method, (fact) => tell(fact)));
    tell({ type: 'request-written', connection: connection.number, marker, bytes: Buffer.byteLength(text) });
    if (isPaused) tell({ type: 'paused', marker, unreadBytes: 0 });
  };
  const until: Session['until'] = (condition, limitMs) =>
    new Promise((resolve) => {
      const finish = (holds: boolean): void => {
        clearTimeout(timer);
        waiters.delete(wake);
        resolve(holds);
      };
      const wake = (): void => {
        if (condition(session)) finish(true);
      };
      const timer = setTimeout(() => finish(false), limitMs);
      waiters.add(wake);
      wake();
    });
  const latest = (): Connection => {
    const connection = current();
    if (!connection) throw new Error(`client ${plan.client} has no connection`);
    return connection;
  };
  const flush = (): void => {
    for (const connection of connections) connection.answer()?.flush();
  };
  const setMark: Session['setMark'] = (mark) => {
    flush();
    tell({ type: 'mark', mark, client: plan.client });
  };
  const session: Session = {
    ...plan, emit, send, until, setMark,
    get marker() { return marker; },
    get received() { return current()?.answer()?.totals() ?? { bytes: 0, events: 0, status: null, ended: false }; },
    get isPaused() { return isPaused; },
    get peerClosed() { return current()?.peerClosed() ?? null; },
    pause: () => {
      isPaused = true;
      current()?.pause();
      flush();
      if (marker !== null) tell({ type: 'paused', marker, unreadBytes: current()?.look().unreadBytes ?? 0 });
    },
    resume: () => {
      isPaused = false;
      if (marker !== null) tell({ type: 'resumed', marker });
      current()?.resume();
    },
    leave: async (how, mark) => {
      const { fact, atMs } = await leave(latest(), how, () => mark !== null && setMark(mark));
      tell(fact, atMs);
      return fact;
    },
    look: () => {
      flush();
      return latest().look();
    },
    noteVanished: (before) => {
      const connection = latest();
      connection.abandon();
      tell({
        type: 'left', how: 'vanish', wire: 'nothing', marker, unreadBytes: before.unreadBytes,
        socket: { before: before.state, after: connection.look().state },
      });
    },
    destroy: () => {
      for (const connection of connections) connection.close();
    },
  };
  return session;
};
