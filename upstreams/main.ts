// The upstreams' process in a stage: commands as JSON lines in, replies and facts as JSON lines out.
import { runActor } from '../harness/model/actor.ts';
import type { Command, Handler } from '../harness/model/protocol.ts';
import { commandError } from './options.ts';
import type { Which } from './harm.ts';
import { createUpstreams } from './upstreams.ts';
import type { Listen, Named, Upstreams } from './upstreams.ts';

const text = (command: Command, key: string): string => {
  const value = command[key];
  if (typeof value !== 'string' || value === '') throw commandError('bad-command', `${command.do} needs a text ${key}`);
  return value;
};

const number = (command: Command, key: string): number => {
  const value = command[key];
  if (typeof value !== 'number') throw commandError('bad-command', `${command.do} needs a number ${key}`);
  return value;
};

const behaviour = (command: Command): Named => {
  const value = command.behaviour as Partial<Named> | undefined;
  if (typeof value?.kind !== 'string') throw commandError('bad-command', `${command.do} needs a behaviour`);
  return { kind: value.kind, options: value.options ?? {} };
};

const onFin = (command: Command): Listen['onFin'] => {
  const value = command.onFin ?? 'continue';
  if (value !== 'continue' && value !== 'close') throw commandError('bad-command', 'onFin is continue or close');
  return value;
};

/** All open exchanges where neither is named. */
const which = (command: Command): Which => ({
  ...(command.marker === undefined ? {} : { marker: text(command, 'marker') }),
  ...(command.client === undefined ? {} : { client: text(command, 'client') }),
});

const handlers = (upstreams: Upstreams): Readonly<Record<string, Handler>> => ({
  listen: (command) => upstreams.listen({
    upstream: text(command, 'upstream'),
    address: text(command, 'address'),
    port: number(command, 'port'),
    behaviour: behaviour(command),
    shape: command.shape === undefined ? undefined : text(command, 'shape'),
    onFin: onFin(command),
  }),
  expect: (command) => upstreams.expect(text(command, 'upstream'), text(command, 'marker'), behaviour(command)),
  finish: (command) => upstreams.finish(text(command, 'upstream'), which(command)),
  reset: (command) => upstreams.reset(text(command, 'upstream'), which(command)),
  refuse: (command) => upstreams.refuse(text(command, 'upstream')),
  admit: (command) => upstreams.admit(text(command, 'upstream')),
  stop: (command) => upstreams.stop(text(command, 'upstream')),
  close: (command) => upstreams.close(text(command, 'upstream')),
  'control-listen': async (command) => ({ port: await upstreams.control.listen(text(command, 'address')) }),
  'control-await': (command) => upstreams.control.await(number(command, 'port'), text(command, 'peer'), number(command, 'limitMs')),
});

runActor('upstreams', ({ emit }) => handlers(createUpstreams(emit)));
