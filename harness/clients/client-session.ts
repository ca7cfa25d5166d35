// Makes a client's session: what the steps may do with its connections, and the facts that the client
// tells about itself.
import type { Emit } from '../model/actor.ts';
import type { Fact } from '../model/observation.ts';
import type { Connection } from './connection.ts';
import { createConnections } from './connections.ts';
import { leave } from './leaving.ts';
import type { Session } from './session.ts';
import { createWaits } from './waits.ts';

export type SessionPlan = Pick<Session, 'client' | 'localAddress' | 'system'>;

type Reading = Pick<Session, 'pause' | 'resume'> & { readonly isPaused: () => boolean; readonly tellPaused: () => void };

/** Whether the client reads. It may stop before it has a connection. */
const createReading = (current: () => Connection | undefined, tell: (fact: Fact) => void): Reading => {
  let isPaused = false;
  const marker = (): string | undefined => current()?.answer()?.marker;
  const tellPaused = (): void => {
    const paused = marker();
    if (paused !== undefined) tell({ type: 'paused', marker: paused, unreadBytes: current()!.look().unreadBytes });
  };
  return {
    isPaused: () => isPaused,
    tellPaused,
    pause: () => {
      isPaused = true;
      current()?.pause();
      current()?.answer()?.flush();
      tellPaused();
    },
    resume: () => {
      isPaused = false;
      const resumed = marker();
      if (resumed !== undefined) tell({ type: 'resumed', marker: resumed });
      current()?.resume();
    },
  };
};

/** A client that has not connected yet. */
export const createSession = (plan: SessionPlan, emit: Emit): Session => {
  const tell = (fact: Fact, atMs?: number): void => emit(`client.${plan.client}`, fact, atMs);
  const waits = createWaits();
  const connections = createConnections({ ...plan, tell: (fact) => tell(fact), onChange: waits.wake });
  const { current } = connections;
  const reading = createReading(current, (fact) => tell(fact));
  const latest = (): Connection => {
    const connection = current();
    if (!connection) throw new Error(`client ${plan.client} has no connection`);
    return connection;
  };
  const setMark: Session['setMark'] = (mark) => {
    connections.flush();
    tell({ type: 'mark', mark, client: plan.client });
  };
  const session: Session = {
    ...plan,
    emit,
    setMark,
    pause: reading.pause,
    resume: reading.resume,
    get isPaused() {
      return reading.isPaused();
    },
    get marker() {
      return current()?.answer()?.marker ?? null;
    },
    get received() {
      return current()?.answer()?.totals() ?? { bytes: 0, events: 0, status: null, ended: false };
    },
    get peerClosed() {
      return current()?.peerClosed() ?? null;
    },
    send: async (request) => {
      await connections.send(request, reading.isPaused());
      if (reading.isPaused()) reading.tellPaused();
    },
    until: (condition, limitMs) => waits.until(() => condition(session), limitMs),
    leave: async (how, mark) => {
      const { fact, atMs } = await leave(latest(), how, () => mark !== null && setMark(mark));
      tell(fact, atMs);
      return fact;
    },
    look: () => {
      connections.flush();
      return latest().look();
    },
    noteVanished: ({ state, unreadBytes }) => {
      latest().abandon();
      const socket = { before: state, after: latest().look().state };
      tell({ type: 'left', how: 'vanish', wire: 'nothing', marker: session.marker, unreadBytes, socket });
    },
    destroy: connections.close,
  };
  return session;
};
