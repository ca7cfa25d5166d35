// The guard's process: reads what the run owns from its standard input, and sweeps when that ends.
// It has no other output than the absence of what it removed.
import { onLines } from '../model/lines.ts';
import type { Remains } from './run-files.ts';
import { sweepRun } from './sweep.ts';

let remains: Remains = { runId: process.argv[2]!, folders: [], engine: false };

// A terminal's Ctrl-C or a closing session is meant for the harness; the guard still has its work to do.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const learn = (line: string): void => {
  remains = JSON.parse(line) as Remains;
};
onLines(process.stdin, learn, () => void sweepRun(remains).finally(() => process.exit(0)));
