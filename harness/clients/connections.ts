// The connections of one client. The latest is the current one; an older one may still be owed an
// answer, and goes on being read.
import type { Fact } from '../model/observation.ts';
import { messageOf } from '../model/problem.ts';
import { createAnswer } from './answer.ts';
import { openConnection } from './connection.ts';
import type { Connection, ConnectionPlan } from './connection.ts';
import { renderRequest } from './render-request.ts';
import { endpointOf } from './socket-proof.ts';
import type { OutgoingRequest } from './step.ts';

export type Connections = {
  readonly current: () => Connection | undefined;
  /** Sends on the current connection if it is free, else on a new one. Rejects when it cannot connect. */
  readonly send: (request: OutgoingRequest, startsPaused: boolean) => Promise<void>;
  /** Tells the totals of every answer. */
  readonly flush: () => void;
  readonly close: () => void;
};

type Plan = Pick<ConnectionPlan, 'localAddress' | 'system' | 'onChange'> & { readonly tell: (fact: Fact) => void };

export const createConnections = (plan: Plan): Connections => {
  const all: Connection[] = [];
  const open = async (startsPaused: boolean): Promise<Connection> => {
    try {
      const connection = await openConnection({ ...plan, number: all.length + 1, startsPaused });
      all.push(connection);
      return connection;
    } catch (error) {
      plan.tell({ type: 'connect-failed', error: messageOf(error) });
      throw error;
    }
  };
  const current = (): Connection | undefined => all.at(-1);
  return {
    current,
    send: async (request, startsPaused) => {
      const free = current();
      const connection = free?.isFree() ? free : await open(startsPaused);
      const text = renderRequest(request, endpointOf(plan.system.address, plan.system.port));
      const { marker, method } = request;
      await connection.write(text, createAnswer(marker, method, plan.tell));
      plan.tell({ type: 'request-written', connection: connection.number, marker, bytes: Buffer.byteLength(text) });
    },
    flush: () => {
      for (const connection of all) connection.answer()?.flush();
    },
    close: () => {
      for (const connection of all) connection.close();
    },
  };
};
