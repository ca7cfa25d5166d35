// The part of a bundle that grows while the run goes on: timeline, snapshots, socket changes, logs.
import { join } from 'node:path';
import type { Observation, ObservationOf } from '../model/observation.ts';
import { createAppender } from './append.ts';
import { FILES } from './format.ts';
import type { Redactor } from './redact.ts';
import { createSocketTable, SOCKET_COLUMNS } from './socket-table.ts';
import { createLogFiles, safeName } from './write-logs.ts';

export type Recorder = {
  /** Neither throws; what comes after `close` is dropped. */
  readonly observe: (observation: Observation) => void;
  readonly log: (actor: string, chunk: string) => void;
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Names the snapshot files; a mark that is set again does not take the place of the first. */
const createSnapshotNames = (redactor: Redactor): ((sample: ObservationOf<'sample'>) => string) => {
  const taken = new Map<string, number>();
  return (sample) => {
    const base = `${safeName(redactor.text(sample.mark ?? ''))}.${sample.probe}`;
    const count = (taken.get(base) ?? 0) + 1;
    taken.set(base, count);
    return join(FILES.snapshots, count === 1 ? `${base}.json` : `${base}.${count}.json`);
  };
};

/** What the disk was too slow for: counted, and told as a fact that stands where the loss began. */
const createLossReport = () => {
  let count = 0;
  let sinceMs = 0;
  let seq = 0;
  return {
    add: ({ atMs }: Observation): void => {
      sinceMs = count === 0 ? atMs : Math.min(sinceMs, atMs);
      count += 1;
    },
    report: (): Observation | null =>
      count === 0 ? null : { atMs: sinceMs, actor: 'lag.evidence', seq: seq + 1, type: 'events-dropped', process: 'evidence', count },
    told: (): void => {
      count = 0;
      seq += 1;
    },
  };
};

/**
 * @param fail told of each growing file that could not be written
 * @param writeWhole writes a whole file of JSON; it may reject
 */
export const createRecorder = async (
  folder: string,
  redactor: Redactor,
  fail: (error: unknown) => unknown,
  writeWhole: (path: string, value: unknown) => Promise<void>,
): Promise<Recorder> => {
  const timeline = await createAppender(join(folder, FILES.timeline), fail);
  const sockets = await createAppender(join(folder, FILES.sockets, 'changes.tsv'), fail);
  const logs = createLogFiles(join(folder, FILES.logs), redactor, fail);
  const socketLines = createSocketTable();
  const snapshotName = createSnapshotNames(redactor);
  const snapshots = new Set<Promise<void>>();
  const lost = createLossReport();
  let isClosed = false;
  sockets.add(`${SOCKET_COLUMNS.join('\t')}\n`);

  const lineOf = (observation: Observation): string => `${redactor.json(observation)}\n`;
  const flush = async (): Promise<void> => void (await Promise.all([timeline.flush(), sockets.flush(), logs.flush(), ...snapshots]));

  const observe = (observation: Observation): void => {
    if (isClosed) return;
    const line = lineOf(observation);
    const report = lost.report();
    // Of what was lost is told before anything else is taken.
    if (report === null || timeline.add(lineOf(report))) {
      if (report !== null) lost.told();
      if (!timeline.add(line)) lost.add(observation);
    } else lost.add(observation);
    if (observation.type === 'phase' && observation.edge === 'end') void flush();
    if (observation.type !== 'sample') return;
    sockets.add(redactor.text(socketLines(observation)));
    // A snapshot that cannot be written has been told to the guard of all writes.
    if (observation.mark !== undefined) {
      const written: Promise<void> = writeWhole(snapshotName(observation), observation).catch(() => {});
      snapshots.add(written);
      void written.then(() => snapshots.delete(written));
    }
  };

  return {
    observe, flush,
    log: (actor, chunk) => {
      if (!isClosed) logs.add(actor, chunk);
    },
    close: async () => {
      isClosed = true;
      await timeline.flush();
      const report = lost.report();
      if (report !== null) timeline.add(lineOf(report));
      await Promise.all([timeline.close(), sockets.close(), logs.close(), ...snapshots]);
    },
  };
};
