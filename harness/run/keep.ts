// Leaves the patient on the table: a run that was caught stays as it is, its system and its stage up, until somebody says that it is
// over. Then it is stopped, judged and sealed as any other. Whatever ends the harness meanwhile ends the stage with it.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nowMs } from '../model/time.ts';
import type { Timeline } from '../model/timeline.ts';
import type { Way } from '../runtimes/runtime.ts';
import { judgedSoFar } from './judged-so-far.ts';
import { ledgerPath } from './sample.ts';
import type { Sampling } from './sample.ts';
import type { Run } from './run-context.ts';

/** What somebody needs to look at it. */
export type Kept = {
  readonly cell: string;
  /** Claims that are violated so far. */
  readonly violated: readonly string[];
  /** `address:port` at which the system serves, in its stage. */
  readonly listen: string;
  readonly addresses: Readonly<Record<string, string>>;
  readonly ways: readonly Way[];
  /** The ledger's path as the probes see it; null: the card has none. */
  readonly ledger: string | null;
  /** The stage's folder on this machine. */
  readonly folder: string;
  /** The bundle, which is not sealed yet; null: no evidence is kept. */
  readonly evidence: string | null;
  /** Removed, it ends the keeping. */
  readonly file: string;
};

export type Keeping = {
  readonly when: 'violated' | 'always';
  /** Whether this run is the one: the first that asks. */
  readonly take: () => boolean;
  readonly show: (kept: Kept) => void;
  readonly isOver: () => void;
};

const LOOK_MS = 300;
const FILE = 'kept';

const keptOf = async (run: Run, folder: string, violated: readonly string[]): Promise<Kept> => ({
  cell: run.cell.id,
  violated,
  listen: run.facts.system.listen,
  addresses: Object.fromEntries([
    ['system', run.facts.system.address],
    ...Object.entries(run.facts.upstreams).map(([name, { address }]) => [`upstream.${name}`, address]),
    ...Object.entries(run.facts.clients).map(([name, { address }]) => [`client.${name}`, address]),
  ]),
  ways: (await run.stage.waysIn?.(run.system.processes)) ?? [],
  ledger: ledgerPath(run),
  folder,
  evidence: run.bundle.folder,
  file: join(folder, FILE),
});

/** Until the file has been removed, or the user has interrupted. */
const untilOver = async ({ timeline, signal }: Run, file: string): Promise<void> => {
  while (existsSync(file) && !signal.aborted) await timeline.waitFor(() => undefined, LOOK_MS, signal);
};

export type KeepInput = {
  readonly keeping: Keeping;
  readonly sampling: Pick<Sampling, 'end' | 'rest'>;
  readonly stageFolder: string;
  readonly control: () => Promise<Timeline | null>;
  /** Nothing is done any more but to stop it. Before that `always` is not yet asked. */
  readonly isEnd: boolean;
};

/** @returns how long this run was kept, ms; null: it was not this one */
export const keepUp = async (run: Run, { keeping, sampling, stageFolder, control, isEnd }: KeepInput): Promise<number | null> => {
  if (run.signal.aborted || run.cell.staysMs !== null) return null;
  const verdicts = await judgedSoFar(run, control);
  const violated = verdicts.filter(({ outcome }) => outcome === 'violated').map(({ id }) => id);
  const isWanted = violated.length > 0 || (isEnd && keeping.when === 'always');
  if (run.signal.aborted || !isWanted || !keeping.take()) return null;
  const beganMs = nowMs();
  try {
    if (isEnd) await sampling.end();
    const kept = await keptOf(run, stageFolder, violated);
    mkdirSync(stageFolder, { recursive: true });
    writeFileSync(kept.file, 'Remove this file when you have seen enough.\n');
    keeping.show(kept);
    // What is done to the system meanwhile is nothing that the scenario did.
    await sampling.rest(() => untilOver(run, kept.file));
  } finally {
    keeping.isOver();
  }
  return nowMs() - beganMs;
};
