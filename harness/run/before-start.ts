// Faults before the start: the system was set up, is told to stop as its card says, and is started again on what
// the faults have made of its data. All of it is over before the baseline.
import { problem } from '../model/problem.ts';
import { formatMs } from '../model/time.ts';
import type { RunningSystem } from '../runtimes/runtime.ts';
import { fireNow, signalProcess } from './fire.ts';
import type { Run } from './run-context.ts';
import { exitedWithin, stopWordsOf } from './stop.ts';

/** Told as a fault is: the order to stop that is judged comes at the end. */
const end = async (run: Run, process: RunningSystem): Promise<void> => {
  if (process.hasExited()) return;
  const { signal, graceMs } = stopWordsOf(run, process);
  await signalProcess(run, process, signal);
  if (await exitedWithin(process, graceMs)) return;
  throw problem('environment', 'system-not-stopped', `${process.name} was still running ${formatMs(graceMs)} after ${signal}`, {
    hint: 'a fault before the start needs a system that stops; the stop signal and its grace are in the card',
  });
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
