// What stands where there is no system, or not even a stage: nobody who could be started, asked or stopped.
import type { RunningSystem, Stage } from '../runtimes/runtime.ts';
import type { ServingInstance, StartedSystem } from '../systems/start.ts';
import type { Values } from '../systems/template.ts';

const refuse = (what: string) => (): Promise<never> => Promise.reject(new Error(what));

const NOBODY: RunningSystem = {
  name: 'none',
  pid: null,
  signal: refuse('there is no system'),
  exited: new Promise(() => {}),
  hasExited: () => false,
  readLog: async () => '',
};

/** For whoever asks which instance a client connects to. */
export const NO_INSTANCE: ServingInstance = { process: NOBODY, baseUrl: '', own: {} };

export const absentSystem = (values: Values): StartedSystem => ({
  processes: [],
  main: NOBODY,
  baseUrl: '',
  values,
  instances: [],
  startAgain: refuse('there is no system'),
  follow: () => {},
});

const noStage = refuse('there is no stage: nobody in this scenario opens a connection');

/** Clients that only wait need no address, no actor and no process. */
export const NO_STAGE: Stage = {
  isolation: 'namespace',
  addressOf: () => '',
  portFor: (wanted) => wanted,
  systemFolder: '',
  probesFolder: '',
  send: noStage,
  startSystem: noStage,
  removeAddress: noStage,
  cutAddress: noStage,
  healAddress: noStage,
  killActor: noStage,
  capture: noStage,
  systemProcesses: async () => [],
  processView: 'none',
};
