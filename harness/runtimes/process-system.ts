// The system as a plain process of the stage, seen from the harness: its log is a file on our disk.
import { mkdirSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, problem } from '../model/problem.ts';
import type { Send } from '../model/protocol.ts';
import { marksOf, systemEnvironment } from './environment.ts';
import { createExitWatch } from './exit-watch.ts';
import type { ExitWatch } from './exit-watch.ts';
import type { RunningSystem, StagePlan, SystemPlan } from './runtime.ts';
import type { Ran } from './stage-beside.ts';

const LOG_BYTES = 1024 * 1024;
/** For the way there and back, beside what a command itself may take. */
const REPLY_ALLOWANCE_MS = 5_000;

/** The last `bytes` of a file; what is cut at the front is cut at a line. */
const readTail = async (path: string, bytes: number): Promise<string> => {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const length = Math.min(size, bytes);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const text = buffer.toString('utf8');
  return length < size ? text.slice(text.indexOf('\n') + 1) : text;
};

const notStarted = (plan: SystemPlan, error: unknown): Error => {
  const command = plan.process?.command[0] ?? '';
  const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return problem('environment', 'system-not-started', `${plan.name} cannot be started: ${messageOf(error)}`, {
    hint: missing ? `is ${command} installed, and does the folder ${plan.process?.cwd ?? ''} exist?` : 'see the command in the system card',
    cause: error,
  });
};

/**
 * Starts one entry of a card in the stage.
 * @param watches by name; the runtime settles them when the stage reports an end
 * @throws ProblemError `system-not-started`, `no-process`
 */
export const startProcessSystem = async (
  plan: SystemPlan,
  stage: Pick<StagePlan, 'runId' | 'stageId' | 'folder'>,
  send: Send,
  watches: Map<string, ExitWatch>,
): Promise<RunningSystem> => {
  if (!plan.process) throw problem('scenario', 'no-process', `${plan.name} has no process command`, { hint: 'use --runtime docker' });
  const log = join(stage.folder, 'logs', `${plan.name}.log`);
  mkdirSync(dirname(log), { recursive: true });
  const watch = createExitWatch();
  watches.set(plan.name, watch);
  const { command, env, cwd } = plan.process;
  const environment = (): Readonly<Record<string, string>> => ({ ...systemEnvironment(stage.folder), ...env, ...marksOf(stage.runId, stage.stageId) });
  const started = await send('stage', {
    do: 'start-system', name: plan.name, command, cwd, log, env: environment(),
  }).catch((error: unknown) => {
    watches.delete(plan.name);
    throw notStarted(plan, error);
  });
  const runBeside = async (words: readonly string[], limitMs: number): Promise<Ran> => {
    try {
      const command = { do: 'run-beside', command: words, cwd, limitMs, env: environment() };
      return (await send('stage', command, limitMs + REPLY_ALLOWANCE_MS)) as Ran;
    } catch (error) {
      return { code: null, output: `${messageOf(error)}\n` };
    }
  };
  return {
    name: plan.name,
    pid: (started as { readonly pid: number }).pid,
    signal: async (signal) =>
      !watch.hasExited() && ((await send('stage', { do: 'signal', name: plan.name, signal })) as { readonly delivered: boolean }).delivered,
    exited: watch.exited,
    hasExited: watch.hasExited,
    exec: {
      pid: (started as { readonly pid: number }).pid,
      run: runBeside,
    },
    readLog: (bytes = LOG_BYTES) => readTail(log, bytes),
    logBytes: async () => (await stat(log)).size,
  };
};
