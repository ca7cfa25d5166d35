// What the system is stopped and started again for before anything is judged: a set-up step that says so, and
// faults before the start, which it then finds in its data. All of it is over before the baseline.
import { problem } from '../model/problem.ts';
import { formatMs } from '../model/time.ts';
import type { RunningSystem } from '../runtimes/runtime.ts';
import { fireNow } from './fire.ts';
import type { Run } from './run-context.ts';
import { sendSignal } from './send-signal.ts';
import { exitedWithin, stopWordsOf } from './stop.ts';

/** Told as a fault is: the order to stop that is judged comes at the end. */
const end = async (run: Run, process: RunningSystem): Promise<void> => {
  if (process.hasExited()) return;
  const { signal, graceMs } = stopWordsOf(run, process);
  await sendSignal(run, process, signal, 'fault');
  if (await exitedWithin(process, graceMs)) return;
  throw problem('environment', 'system-not-stopped', `${process.name} was still running ${formatMs(graceMs)} after ${signal}`, {
    hint: 'a restart in the set-up and a fault before the start need a system that stops; signal and grace are in the card',
  });
};

/** Of the process that serves, every instance. @throws ProblemError `system-not-stopped`, and what a start may throw */
export const restartForSetup = async (run: Run, name: string): Promise<void> => {
  const { processes, instances, startAgain } = run.system;
  const serving = name === run.cell.card.listen.on ? instances.map(({ process }) => process) : [];
  for (const process of serving.length > 0 ? serving : processes.filter((one) => one.name === name)) {
    await end(run, process);
    await startAgain(process.name);
  }
};

/** @throws ProblemError `system-not-stopped`, and what a start may throw. A fault that could not be done is noted as failed */
export const doBeforeStart = async (run: Run): Promise<void> => {
  const faults = run.cell.faults.filter(({ after }) => after === null);
  if (faults.length === 0) return;
  const { processes, startAgain } = run.system;
  // As they depend on each other: who was started last goes first, and comes last.
  for (const process of processes.toReversed()) await end(run, process);
  for (const fault of faults) await fireNow(run, fault);
  for (const process of processes) await startAgain(process.name);
};
