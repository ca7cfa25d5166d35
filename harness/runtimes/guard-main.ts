// The guard's process: reads what the run owns from its standard input, and sweeps when that ends.
// It has no other output than the absence of what it removed.
import { createInterface } from 'node:readline';
import type { Remains } from './run-files.ts';
import { sweepRun } from './sweep.ts';

let remains: Remains = { runId: process.argv[2]!, folders: [], engine: false };

// A terminal's Ctrl-C or a closing session is meant for the harness; the guard still has its work to do.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

createInterface({ input: process.stdin })
  .on('line', (line) => {
    remains = JSON.parse(line) as Remains;
  })
  .on('close', () => void sweepRun(remains).finally(() => process.exit(0)));
