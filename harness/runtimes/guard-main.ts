// The guard's process: reads what the run owns from its standard input, and sweeps when that ends. What it says is why
// something could not be removed; nobody hears that of a guard, but a start that has this done for a dead run does.
import { onLines } from '../model/lines.ts';
import { messageOf } from '../model/problem.ts';
import { readRunFile, touchRunFile } from './run-files.ts';
import type { Remains } from './run-files.ts';
import { BEAT_MS } from './run-life.ts';
import { sweepRun } from './sweep.ts';

const runId = process.argv[2]!;
const isAwaited = process.argv[3] === 'awaited';
let remains: Remains = { runId, folders: [], engine: false };

// A terminal's Ctrl-C or a closing session is meant for the harness; the guard still has its work to do.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
if (!isAwaited) setInterval(() => touchRunFile(runId), BEAT_MS);

const learn = (line: string): void => {
  try {
    remains = JSON.parse(line) as Remains;
  } catch {
    // The harness was killed in the middle of the line: the note has been written before.
  }
};

const sweep = async (): Promise<void> => {
  const all = readRunFile(runId) ?? remains;
  // The engine that the run found, whatever is found in this environment by now.
  Object.assign(process.env, all.engineAt);
  const why = await sweepRun(all, isAwaited);
  if (why !== null) process.stdout.write(why);
};
/** A sweep that breaks off is none: the note stays, and who asked for it hears of it. */
const breakOff = (error: unknown): void => {
  process.stdout.write(messageOf(error));
  process.exitCode = 1;
};
onLines(process.stdin, learn, () => void sweep().catch(breakOff).finally(() => process.exit()));
