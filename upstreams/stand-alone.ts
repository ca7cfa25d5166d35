// One upstream without a harness, for poking by hand: settings from the environment, and every fact
// as a JSON line with the wall clock's time on standard output.
import type { Emit } from '../harness/model/actor.ts';
import { messageOf } from '../harness/model/problem.ts';
import { behaviours } from './behaviours/registry.ts';
import { shapes } from './shapes/registry.ts';
import { createUpstreams } from './upstreams.ts';

const USAGE = `A dummy provider with one behaviour.

  HOST       address to listen on        (127.0.0.1)
  PORT       port                        (9000)
  BEHAVIOUR  see below                   (finite)
  OPTIONS    its options as JSON         ({})   for example {"every":"50ms"}
  SHAPE      wire shape                  (that of the request's path; or ${shapes.kinds.join(', ')})
  ON_FIN     continue or close           (continue)

Behaviours:
${behaviours.all.map(({ kind, about, fields }) => {
  const options = Object.entries(fields.options).map(([key, field]) => `${key}=${String(field.default)}`);
  return `  ${kind.padEnd(14)} ${about}${options.length > 0 ? `\n${' '.repeat(17)}options: ${options.join(', ')}` : ''}`;
}).join('\n')}
`;

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const emit: Emit = (actor, fact) => say({ time: new Date().toISOString(), actor, ...fact });

const start = async (environment: NodeJS.ProcessEnv): Promise<void> => {
  const { HOST = '127.0.0.1', PORT = '9000', BEHAVIOUR = 'finite', OPTIONS = '{}', SHAPE, ON_FIN } = environment;
  if (!/^\d+$/.test(PORT) || Number(PORT) > 65_535) throw new Error(`PORT cannot be ${PORT}`);
  if (ON_FIN !== undefined && ON_FIN !== 'continue' && ON_FIN !== 'close') throw new Error('ON_FIN is continue or close');
  const upstreams = createUpstreams(emit);
  const { port } = await upstreams.listen({
    upstream: BEHAVIOUR, address: HOST, port: Number(PORT), shape: SHAPE, onFin: ON_FIN,
    behaviour: { kind: BEHAVIOUR, options: JSON.parse(OPTIONS) },
  });
  say({ time: new Date().toISOString(), type: 'ready', behaviour: BEHAVIOUR, address: HOST, port });
  // A behaviour without a listener would leave nothing to live for; and PID 1 of a container dies of no signal by default.
  const alive = setInterval(() => undefined, 60_000);
  const leave = (): void => void upstreams.closeAll().finally(() => clearInterval(alive));
  process.once('SIGTERM', leave).once('SIGINT', leave);
};

if (process.argv.includes('--help') || process.argv.includes('-h')) process.stdout.write(USAGE);
else {
  start(process.env).catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  });
}
