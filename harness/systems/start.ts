// From a card to a running, ready system: files written, processes started in order, each instance ready before
// the next one begins; and the same again for a process that has ended.
import { readFileSync } from 'node:fs';
import type { LiveTimeline } from '../model/live.ts';
import { problem } from '../model/problem.ts';
import { nowMs } from '../model/time.ts';
import { FAKE_TIME_FILE, findFakeTime } from '../runtimes/fake-time.ts';
import type { RunningSystem, Stage } from '../runtimes/runtime.ts';
import type { Cell } from './cell.ts';
import { noteClock } from './clock.ts';
import { numbersOf, processNameOf } from './instances.ts';
import { createProcess } from './process-lives.ts';
import type { SystemProcess } from './process-lives.ts';
import { awaitReady } from './ready.ts';
import { instanceValues, planOf } from './system-plan.ts';
import { fillText } from './template.ts';
import type { Values } from './template.ts';

/** One of several that serve clients. `own`: what templates find of it that is not the first one's. */
export type ServingInstance = { readonly process: RunningSystem; readonly baseUrl: string; readonly own: Values };

export type StartedSystem = {
  /** One for each entry of the card, and one more for each further instance. Each stays the same through restarts. */
  readonly processes: readonly RunningSystem[];
  /** The first instance's. */
  readonly main: RunningSystem;
  readonly baseUrl: string;
  readonly values: Values;
  /** The first one first. */
  readonly instances: readonly ServingInstance[];
  /**
   * Starts a process again that has ended, on the same data, and waits until it serves.
   * @throws ProblemError `unknown-process` and what the first start may throw; Error where it has not ended
   */
  readonly startAgain: (process: string) => Promise<void>;
  /** Who looks at processes is told, and waited for, when one has been started again. */
  readonly follow: (onStarted: () => Promise<void>) => void;
};

export type StartInput = {
  readonly cell: Cell;
  readonly stage: Stage;
  readonly timeline: LiveTimeline;
  /** Of the first instance; see `systemValues`. */
  readonly values: Values;
  readonly signal: AbortSignal;
  /** Given what a system printed that did not become ready. */
  readonly keepLog: (name: string, text: string) => void;
};

const writeFiles = async ({ cell: { card, scenario }, stage, values }: StartInput): Promise<void> => {
  for (const [name, text] of Object.entries(card.files)) {
    const filled = fillText(text, values, `${card.file}: files.${name}`);
    await stage.send('probes', { do: 'write', path: `${stage.probesFolder}/${name}`, text: filled });
  }
  const { library, why } = Object.keys(scenario.system.clocks).length > 0 ? findFakeTime() : { library: null, why: null };
  if (why !== null) throw problem('environment', 'no-fake-time', `a wrong clock is not possible here: ${why}`);
  if (library === null) return;
  // From the stage's folder, where a container finds it too.
  const text = readFileSync(library).toString('base64');
  await stage.send('probes', { do: 'write', path: `${stage.probesFolder}/${FAKE_TIME_FILE}`, text, encoding: 'base64' });
};

const createProcesses = ({ cell, stage, timeline, values }: StartInput): readonly SystemProcess[] => {
  const { card, scenario } = cell;
  const first = card.run.map((entry) => createProcess(planOf(cell, stage, entry, values), stage, timeline));
  const main = card.run.find(({ name }) => name === card.listen.on) ?? card.run.at(-1)!;
  const further = numbersOf(scenario)
    .slice(1)
    .map((number) => planOf(cell, stage, main, { ...values, ...instanceValues(cell, stage, number) }, number));
  return [...first, ...further.map((plan) => createProcess(plan, stage, timeline))];
};

const createSystem = (input: StartInput, processes: readonly SystemProcess[]) => {
  const { cell, stage, timeline, values, signal } = input;
  const { card } = cell;
  const followers: (() => Promise<void>)[] = [];
  const instances = numbersOf(cell.scenario).map((number): ServingInstance => {
    const own = instanceValues(cell, stage, number);
    const process = processes.find(({ name }) => name === processNameOf(card.listen.on, number)) ?? processes.at(-1)!;
    return { process, baseUrl: `http://${own['system.address']}:${own.port}`, own };
  });
  const becomeReady = async (instance: ServingInstance, needs: readonly RunningSystem[], beganMs: number): Promise<void> => {
    const { process: serves, baseUrl } = instance;
    const answer = await awaitReady({ card, stage, baseUrl, serves, needs, signal });
    noteClock(cell, timeline, instances.indexOf(instance) + 1, answer);
    timeline.note({ type: 'system-ready', process: serves.name, tookMs: Math.round(nowMs() - beganMs) });
  };
  const startAgain: StartedSystem['startAgain'] = async (name) => {
    const process = processes.find((one) => one.name === name);
    if (!process) throw problem('scenario', 'unknown-process', `the card runs no "${name}"`);
    if (!process.hasExited()) throw new Error(`${name} has not ended`);
    const beganMs = nowMs();
    await process.start(async () => void (await Promise.all(followers.map((follower) => follower()))));
    const instance = instances.find((one) => one.process === process);
    if (instance) await becomeReady(instance, [process], beganMs);
  };
  const main = instances[0]!.process;
  const follow: StartedSystem['follow'] = (onStarted) => void followers.push(onStarted);
  const started: StartedSystem = { processes, main, baseUrl: instances[0]!.baseUrl, values, instances, startAgain, follow };
  return { started, becomeReady };
};

/**
 * Starts every process of the card in order and waits until the system answers; then each further instance.
 * @throws ProblemError with what the system printed, which `keepLog` is given too
 */
export const startSystem = async (input: StartInput): Promise<StartedSystem> => {
  await writeFiles(input);
  const processes = createProcesses(input);
  const { started, becomeReady } = createSystem(input, processes);
  const begun: SystemProcess[] = [];
  const begin = async (process: SystemProcess): Promise<void> => {
    await process.start();
    begun.push(process);
  };
  let beganMs = nowMs();
  try {
    for (const process of processes.slice(0, input.cell.card.run.length)) await begin(process);
    await becomeReady(started.instances[0]!, [...begun], beganMs);
    for (const [index, process] of processes.slice(input.cell.card.run.length).entries()) {
      beganMs = nowMs();
      await begin(process);
      await becomeReady(started.instances[index + 1]!, [...begun], beganMs);
    }
    return started;
  } catch (error) {
    for (const process of begun) input.keepLog(process.name, await process.readLog().catch(() => ''));
    throw error;
  }
};
