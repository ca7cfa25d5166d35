// The commands of the clients' process, apart from the process itself, so that they can be tested in place.
import type { Emit } from '../model/actor.ts';
import type { Options } from '../model/fields.ts';
import type { Command, Handler } from '../model/protocol.ts';
import { createSession } from './client-session.ts';
import { controlConnect } from './control.ts';
import type { ControlPlan } from './control.ts';
import { steps } from './registry.ts';
import type { Session } from './session.ts';

/** Handlers by command: `open`, `perform`, `state`, `control-connect`, `disconnect`, `close`. */
export const createCommands = (emit: Emit): Readonly<Record<string, Handler>> => {
  const sessions = new Map<string, Session>();
  const sessionOf = (command: Command): Session => {
    const session = sessions.get(String(command.client));
    if (!session) throw new Error(`client ${String(command.client)} is not open`);
    return session;
  };
  return {
    open: (command) => {
      const client = String(command.client);
      if (sessions.has(client)) throw new Error(`client ${client} is open already`);
      const system = command.system as Session['system'];
      sessions.set(client, createSession({ client, localAddress: String(command.address), system }, emit));
    },
    perform: (command) => {
      const act = steps.get(String(command.step))?.act;
      if (!act) throw new Error(`step ${String(command.step)} has nothing to do in the client's process`);
      const mark = typeof command.mark === 'string' ? command.mark : null;
      const options = command.options as Options;
      return act(sessionOf(command), command.request === undefined ? options : { ...options, outgoing: command.request }, mark);
    },
    state: (command) => sessionOf(command).received,
    'control-connect': (command) => controlConnect(command as unknown as ControlPlan),
    // The client stays open; its next request begins on a connection of its own.
    disconnect: (command) => sessionOf(command).destroy(),
    close: (command) => {
      sessionOf(command).destroy();
      sessions.delete(String(command.client));
    },
  };
};
