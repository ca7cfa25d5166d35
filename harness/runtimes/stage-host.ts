// The actor `stage`: first process of the stage on both runtimes, and the only one that the harness
// speaks to. It sets the network up, starts the other actors (and, as plain processes, the
// system), and passes lines between them and the harness. When it ends, the stage ends.
import { runActor } from '../model/actor.ts';
import type { Actor } from '../model/actor.ts';
import type { Command, Handler } from '../model/protocol.ts';
import { killAll, livePids, pidsWithEnvironment } from './processes.ts';
import { createStageActors } from './stage-actors.ts';
import type { StageActors } from './stage-actors.ts';
import { openFolder, readBeside, runBeside } from './stage-beside.ts';
import { createStageCapture } from './stage-capture.ts';
import { createCuts } from './stage-cut.ts';
import { raiseNetwork, removeAddress } from './stage-network.ts';
import type { NetworkPlan } from './stage-network.ts';
import { refuseNames } from './stage-names.ts';
import { createStageSystems } from './stage-system.ts';
import type { StartSystem } from './stage-system.ts';

const text = (command: Command, key: string): string => {
  const value = command[key];
  if (typeof value !== 'string') throw new TypeError(`${command.do} needs ${key}`);
  return value;
};

/** As PID 1 every process of the namespace is ours; elsewhere those that carry the stage's mark are. */
const stagePids = (): readonly number[] => {
  const { HANGUP_RUN: run, HANGUP_STAGE: stage } = process.env;
  if (process.pid === 1) return livePids().filter((pid) => pid !== 1);
  if (run === undefined || stage === undefined) return [];
  return pidsWithEnvironment({ HANGUP_RUN: run, HANGUP_STAGE: stage }).filter((pid) => pid !== process.pid);
};

let host: { readonly actor: Actor; readonly actors: StageActors } | undefined;

const start = (actor: Actor): Readonly<Record<string, Handler>> => {
  const actors = createStageActors(actor);
  const systems = createStageSystems(actor);
  const cuts = createCuts();
  const capture = createStageCapture();
  host = { actor, actors };
  // In a pid namespace the kernel does this; under plain loopback nobody else would.
  process.on('exit', () => killAll(stagePids()));
  return {
    'raise-network': async (command) => {
      const notes = await raiseNetwork(command as unknown as NetworkPlan);
      cuts.allow(text(command, 'system'));
      const why = await refuseNames((name) => actor.emit('stage.names', { type: 'foreign-host', name, answered: false }));
      const detail = `who is asked for outside is not seen: ${why}`;
      if (why !== null) actor.emit('stage.names', { type: 'precondition', name: 'outside-names', met: false, detail });
      return { notes };
    },
    'start-actor': (command) => actors.start(text(command, 'process'), text(command, 'entry')),
    'kill-actor': (command) => actors.kill(text(command, 'process')),
    'address-remove': (command) => removeAddress(text(command, 'address')),
    'address-cut': (command) => cuts.cut(text(command, 'address')),
    'address-heal': (command) => cuts.heal(text(command, 'address')),
    'start-system': (command) => systems.start(command as unknown as StartSystem),
    signal: (command) => ({ delivered: systems.signal(text(command, 'name'), text(command, 'signal')) }),
    'run-beside': (command) =>
      runBeside(command.command as readonly string[], {
        env: command.env as NodeJS.ProcessEnv, cwd: text(command, 'cwd'), limitMs: Number(command.limitMs),
      }),
    'open-folder': (command) => openFolder(text(command, 'path')),
    'read-file': (command) => readBeside(text(command, 'path')),
    'capture-start': (command) => capture.start(text(command, 'file'), Number(command.limitBytes)),
    'capture-stop': () => capture.stop(),
    processes: () => stagePids().filter((pid) => ![...actors.pids(), ...capture.pids()].includes(pid)),
    stop: () => process.exit(0),
  };
};

const forward = (command: Command, line: string): boolean => {
  if (command.to === 'stage') return false;
  if (host?.actors.pass(command.to, line) !== true) {
    host?.actor.reply({ re: command.id, ok: false, code: 'no-actor', message: `no actor ${command.to} is running` });
  }
  return true;
};

runActor('stage', start, forward);
