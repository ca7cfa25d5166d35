// The client leaves. Three ways are acts on its own socket; vanish and kill are done to it from outside.
import { textOption } from '../../model/fields.ts';
import type { LeaveHow, Session } from '../session.ts';
import { killClient, vanish } from '../taken-away.ts';
import type { SocketLook, StepDefinition, StepResult } from '../step.ts';

const leave = async (session: Session, how: LeaveHow, mark: string | null): Promise<StepResult> => {
  const left = await session.leave(how, mark);
  if (left.wire !== 'nothing') return { outcome: 'done' };
  const instead =
    session.peerClosed === null
      ? `the socket was ${left.socket.before}`
      : `the system had closed it by ${session.peerClosed.toUpperCase()}`;
  return { outcome: 'not-seen', reason: `there was no connection left to leave by ${how}: ${instead}` };
};

export const definition: StepDefinition = {
  kind: 'disconnect',
  about: 'The client leaves. What really went out (FIN, RST or nothing) is in the timeline, with the socket before and after.',
  fields: {
    $bare: 'how',
    options: {
      how: {
        type: 'choice',
        choices: ['fin', 'half-close', 'rst', 'vanish', 'kill'],
        about:
          'fin: close (RST where data is unread). half-close: FIN, and it reads on. rst: abort. vanish: its address goes. kill: SIGKILL.',
      },
    },
  },
  example: { how: 'fin' },
  needs: (options) => (options.how === 'vanish' ? ['namespace'] : options.how === 'kill' ? ['own-process'] : []),
  perform: (context, options) => {
    if (options.how === 'vanish') return vanish(context, options);
    return options.how === 'kill' ? killClient(context, options) : context.act(options);
  },
  act: async (session, options, mark) => {
    const how = textOption(options, 'how');
    if (how !== 'vanish' && how !== 'kill') return leave(session, how as LeaveHow, mark);
    if (options.before === undefined) return { outcome: 'done', socket: session.look() };
    session.noteVanished(options.before as SocketLook);
    return { outcome: 'done' };
  },
};
