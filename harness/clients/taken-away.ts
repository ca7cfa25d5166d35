// The two ways of leaving that are done to a client from outside: its address is taken away, or its
// process is killed. The harness sets the mark, since the client cannot know.
import type { Options } from '../model/fields.ts';
import { noteMark } from './harness-marks.ts';
import { ofType } from './exchange-view.ts';
import type { SocketLook, StepContext, StepResult } from './step.ts';

/** How long a socket sample after the kill is waited for; without one the end is not on record. */
const SAMPLE_LIMIT_MS = 1_000;

const lookBefore = async (context: StepContext, options: Options): Promise<StepResult | SocketLook> => {
  const result = await context.act(options);
  if (result.outcome !== 'done') return result;
  if (!result.socket) return { outcome: 'failed', reason: 'the client did not say how its socket was' };
  if (result.socket.state !== 'gone') return result.socket;
  noteMark(context);
  return { outcome: 'not-seen', reason: `there was no connection left to leave by ${String(options.how)}: the socket was gone` };
};

/** Takes the address away. The client itself then says that it has left: its process lives on. */
export const vanish = async (context: StepContext, options: Options): Promise<StepResult> => {
  const before = await lookBefore(context, options);
  if ('outcome' in before) return before;
  noteMark(context);
  await context.removeAddress();
  return context.act({ ...options, before });
};

/** The kernel's state of the dead process's socket, from the first socket sample after the kill. */
const stateAfter = (context: StepContext, local: string, from: number): Promise<string | undefined> =>
  context.timeline.waitFor(
    (observations) => {
      const sample = ofType(observations.slice(from), 'sample').find(
        (each) => each.probe === 'sockets' && each.value !== undefined,
      );
      if (sample?.probe !== 'sockets') return undefined;
      return sample.value?.rows.find((row) => row.local === local)?.state ?? 'gone';
    },
    SAMPLE_LIMIT_MS,
    context.signal,
  );

/** Kills the client's process; the kernel closes its socket: FIN, or RST where data was unread. */
export const killClient = async (context: StepContext, options: Options): Promise<StepResult> => {
  const before = await lookBefore(context, options);
  if ('outcome' in before) return before;
  noteMark(context);
  await context.kill();
  const after = (await stateAfter(context, before.local, context.timeline.observations.length)) ?? 'not sampled';
  const wire = before.unreadBytes > 0 && !after.startsWith('fin-wait') ? 'rst' : 'fin';
  context.timeline.note({
    type: 'left',
    how: 'kill',
    wire,
    marker: context.marker(),
    unreadBytes: before.unreadBytes,
    socket: { before: before.state, after },
  });
  return { outcome: 'done' };
};
