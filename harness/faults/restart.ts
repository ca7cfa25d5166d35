// Ends an instance of the system and starts it again on the same data, as a supervisor does.
import { numberOption, textOption } from '../model/fields.ts';
import { formatMs } from '../model/time.ts';
import type { FaultContext, FaultDefinition } from './fault.ts';
import { INSTANCE, processOf } from './instance.ts';

/** The kernel's work alone. */
const GONE_LIMIT_MS = 10_000;

/** By the card's own signal, and by SIGKILL when its grace is over. */
const stop = async ({ facts, endSystem }: FaultContext, process: string): Promise<string> => {
  const { signal, graceMs } = facts.stop;
  const why = await endSystem(signal, process, graceMs).then(
    () => null,
    (error: unknown) => error,
  );
  if (why === null) return `stopped by ${signal}`;
  // What could not be sent at all is no grace that ran out: this says so.
  await endSystem('SIGKILL', process, GONE_LIMIT_MS);
  return `killed ${formatMs(graceMs)} after ${signal}`;
};

export const definition: FaultDefinition = {
  kind: 'restart',
  about: 'Ends an instance of the system, starts it again on the same data, and waits until it is ready.',
  fields: {
    options: {
      instance: INSTANCE,
      how: {
        type: 'choice',
        choices: ['stop', 'SIGKILL'],
        default: 'stop',
        about: "stop: by the card's signal, and SIGKILL when its grace is over. SIGKILL: at once.",
      },
      'down-for': { type: 'duration', ranged: true, about: 'How long it stays away.', default: '0s' },
    },
  },
  example: { instance: 1, how: 'SIGKILL', 'down-for': '500ms' },
  fire: async (context, options) => {
    const { facts, timeline, signal, endSystem, startSystem } = context;
    const process = processOf(facts, options);
    const downMs = numberOption(options, 'down-for');
    let how = 'killed';
    if (textOption(options, 'how') === 'SIGKILL') await endSystem('SIGKILL', process, GONE_LIMIT_MS);
    else how = await stop(context, process);
    await timeline.waitFor(() => undefined, downMs, signal);
    signal.throwIfAborted();
    await startSystem(process);
    return `${process} was ${how}${downMs > 0 ? `, stayed away for ${formatMs(downMs)}` : ''} and was started again`;
  },
};
