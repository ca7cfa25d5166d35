// Sends the system a signal, in the middle of what it is doing.
import { textOption } from '../model/fields.ts';
import type { FaultDefinition } from './fault.ts';
import { INSTANCE, processOf } from './instance.ts';

const STOPPING: readonly unknown[] = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGKILL'];

export const definition: FaultDefinition = {
  kind: 'signal',
  about: "Signals the system. SIGTERM, SIGINT, SIGQUIT and SIGKILL to its main process (the first instance's) are the scenario's own stop.",
  fields: {
    $bare: 'signal',
    options: {
      signal: { type: 'signal', about: 'SIGTERM, SIGUSR1 and so on.' },
      process: { type: 'text', about: "Another process than the main one, by its name in the card's run.", optional: true },
      instance: INSTANCE,
    },
  },
  example: 'SIGTERM',
  stopsSystem: ({ process, instance = 1, signal }) => process === undefined && instance === 1 && STOPPING.includes(signal),
  fire: async ({ facts, signalSystem }, options) => {
    const signal = textOption(options, 'signal');
    const instance = options.instance === undefined || options.instance === 1 ? undefined : processOf(facts, options);
    if (instance !== undefined && options.process !== undefined) throw new Error('either a process or an instance is signalled');
    const name = options.process === undefined ? instance : textOption(options, 'process');
    // Otherwise the stop would be taken for a death, since it is decided before the run who stops the system.
    if (name === facts.system.main) throw new Error(`${name} is the main process: leave "process" out to signal it`);
    await signalSystem(signal, name);
    return `${signal} to ${name ?? facts.system.main}`;
  },
};
