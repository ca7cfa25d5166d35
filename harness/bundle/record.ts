// The part of a bundle that grows while the run goes on: timeline, snapshots, socket changes, logs.
import { mkdir } from 'node:fs/promises';
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
  for (const name of [FILES.snapshots, FILES.sockets, FILES.logs]) await mkdir(join(folder, name));
  const timeline = await createAppender(join(folder, FILES.timeline), fail);
  const sockets = await createAppender(join(folder, FILES.sockets, 'changes.tsv'), fail);
  const logs = createLogFiles(join(folder, FILES.logs), redactor, fail);
  const socketLines = createSocketTable();
  const snapshotName = createSnapshotNames(redactor);
  const snapshots: Promise<void>[] = [];
  let isClosed = false;
  sockets.add(`${SOCKET_COLUMNS.join('\t')}\n`);

  const flush = async (): Promise<void> => void (await Promise.all([timeline.flush(), sockets.flush(), logs.flush(), ...snapshots]));

  const observe = (observation: Observation): void => {
    if (isClosed) return;
    timeline.add(`${redactor.json(observation)}\n`);
    if (observation.type === 'phase' && observation.edge === 'end') void flush();
    if (observation.type !== 'sample') return;
    sockets.add(redactor.text(socketLines(observation)));
    // A snapshot that cannot be written has been told to the guard of all writes.
    if (observation.mark !== undefined) snapshots.push(writeWhole(snapshotName(observation), observation).catch(() => {}));
  };

  return {
    observe, flush,
    log: (actor, chunk) => {
      if (!isClosed) logs.add(actor, chunk);
    },
    close: async () => {
      isClosed = true;
      await Promise.all([timeline.close(), sockets.close(), logs.close(), ...snapshots]);
    },
  };
};
