// Writes the evidence of one run while it happens. What is on the disk can be read at any moment, also
// when the harness is killed; what is sealed never changes. Every string passes the redactor first.
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createTimeline } from '../model/timeline.ts';
import type { Timeline } from '../model/timeline.ts';
import type { Observation, ObservationOf } from '../model/observation.ts';
import type { ProblemError } from '../model/problem.ts';
import { createAppender } from './append.ts';
import type { Appender } from './append.ts';
import { toJsonText, writeAtomically } from './atomic.ts';
import { FILES, FORMAT_VERSION } from './format.ts';
import type { Manifest, Resolved, Seal, Verdicts } from './format.ts';
import { phaseTimes } from './phase-times.ts';
import { parseLines } from './parse-lines.ts';
import type { Redactor } from './redact.ts';
import { writeSeal } from './seal.ts';
import { createLogFiles, safeName } from './write-logs.ts';
import type { LogFiles } from './write-logs.ts';
import { createSocketTable, SOCKET_COLUMNS } from './socket-table.ts';
import { toWriteProblem } from './write-problem.ts';

export type BundleStart = {
  readonly manifest: Omit<Manifest, 'format' | 'phases'>;
  readonly scenarioText: string;
  readonly resolved: Resolved;
  readonly redactor: Redactor;
  /** Told at once of the first write that failed (disk full), so that the run can stop. */
  readonly onFailure?: (failure: ProblemError) => void;
};

export type BundleWriter = {
  readonly folder: string;
  /** Adds to timeline.ndjson; a marked sample is a snapshot too, a socket sample goes into the table. Never throws. */
  readonly observe: (observation: Observation) => void;
  /** Adds to logs/<actor>.log, in chunks of any size. Never throws. */
  readonly log: (actor: string, chunk: string) => void;
  /** What becomes known later: addresses of the stage, versions. */
  readonly update: (changed: { readonly manifest?: Partial<Manifest>; readonly resolved?: Resolved }) => Promise<void>;
  /** The control's timeline, copied into each bundle that uses it. */
  readonly writeControl: (control: Timeline) => Promise<void>;
  /** All that was added is with the kernel. Rejects when something could not be written. */
  readonly flush: () => Promise<void>;
  /** Puts the timeline into its total order and the phase times into the manifest. Nothing can be added after it. */
  readonly closeTimeline: () => Promise<void>;
  readonly writeVerdicts: (verdicts: Verdicts) => Promise<void>;
  readonly writeReport: (markdown: string) => Promise<void>;
  /** Hashes everything and writes the seal; the last call. */
  readonly seal: () => Promise<Seal>;
  /** What could not be written, if anything; all but the timeline's end is then kept. */
  readonly failure: () => ProblemError | null;
};

/** The values of `--secret NAME=VALUE`, whether registered or not. */
const withoutSecrets = (argv: readonly string[]): readonly string[] =>
  argv.map((word, index) => {
    const given = word.startsWith('--secret=') || argv[index - 1] === '--secret';
    return given ? word.replace(/^((?:--secret=)?[^=]*=).*$/s, '$1[redacted]') : word;
  });

/** Runs writes so that one failure is one problem, however many writes it hits. */
const createGuard = (folder: string, onFailure: (failure: ProblemError) => void) => {
  let failed: ProblemError | null = null;
  const fail = (error: unknown): ProblemError => {
    if (failed) return failed;
    failed = toWriteProblem(error, folder);
    onFailure(failed);
    return failed;
  };
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (failed) throw failed;
    try {
      return await work();
    } catch (error) {
      throw fail(error);
    }
  };
  return { fail, guarded, failure: (): ProblemError | null => failed };
};

/** Names the snapshot files; a mark that is set again does not take the place of the first. */
const createSnapshotNames = (): ((sample: ObservationOf<'sample'>) => string) => {
  const taken = new Map<string, number>();
  return (sample) => {
    const base = `${safeName(sample.mark ?? '')}.${sample.probe}`;
    const count = (taken.get(base) ?? 0) + 1;
    taken.set(base, count);
    return join(FILES.snapshots, count === 1 ? `${base}.json` : `${base}.${count}.json`);
  };
};

const linesOf = (timeline: Timeline, toJson: (observation: Observation) => string): string =>
  timeline.all.map((observation) => `${toJson(observation)}\n`).join('');

/** Puts the lines into their total order; what is written already is redacted and stays as it is. */
const sortTimeline = async (path: string): Promise<Timeline> => {
  const { observations } = parseLines(await readFile(path, 'utf8'), FILES.timeline, false);
  const timeline = createTimeline(observations);
  await writeAtomically(path, linesOf(timeline, JSON.stringify), true);
  return timeline;
};

type Opened = { readonly timeline: Appender; readonly sockets: Appender; readonly logs: LogFiles };

/** The folder, made exclusively, and the files that grow. */
const openFiles = async (folder: string, redactor: Redactor, fail: (error: unknown) => unknown): Promise<Opened> => {
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder);
  for (const name of [FILES.snapshots, FILES.sockets, FILES.logs]) await mkdir(join(folder, name));
  const sockets = await createAppender(join(folder, FILES.sockets, 'changes.tsv'), fail);
  sockets.add(`${SOCKET_COLUMNS.join('\t')}\n`);
  const timeline = await createAppender(join(folder, FILES.timeline), fail);
  return { timeline, sockets, logs: createLogFiles(join(folder, FILES.logs), redactor, fail) };
};

/**
 * Creates the folder of a bundle and what is known at the start.
 * @throws ProblemError `bundle-exists`, `disk-full` or `bundle-not-written`
 */
export const createBundleWriter = async (folder: string, start: BundleStart): Promise<BundleWriter> => {
  const { redactor } = start;
  const { fail, guarded, failure } = createGuard(folder, (failed) => {
    start.onFailure?.(failed);
    void close().catch(() => {});
  });
  const at = (...path: readonly string[]): string => join(folder, ...path);
  const writeJson = (path: string, value: unknown): Promise<void> => writeAtomically(at(path), toJsonText(redactor.value(value)));
  let manifest: Manifest = { ...start.manifest, argv: withoutSecrets(start.manifest.argv), format: FORMAT_VERSION, phases: {} };

  let files: Opened | null = null;
  const close = async (): Promise<void> => void (await Promise.all([files?.logs.close(), files?.timeline.close(), files?.sockets.close()]));
  const { timeline, sockets, logs } = await guarded(async () => {
    files = await openFiles(folder, redactor, fail);
    await writeJson(FILES.manifest, manifest);
    await writeAtomically(at(FILES.scenario), redactor.text(start.scenarioText));
    await writeJson(FILES.resolved, start.resolved);
    return files;
  });
  const socketLines = createSocketTable();
  const snapshotName = createSnapshotNames();
  const snapshots: Promise<void>[] = [];
  let isClosed = false;

  const flush = async (): Promise<void> => {
    await Promise.all([timeline.flush(), sockets.flush(), logs.flush(), ...snapshots]);
    const failed = failure();
    if (failed) throw failed;
  };

  const observe = (observation: Observation): void => {
    if (isClosed) return;
    timeline.add(`${redactor.json(observation)}\n`);
    if (observation.type === 'sample') {
      sockets.add(socketLines(observation));
      const write = (): Promise<void> => writeJson(snapshotName(observation), observation);
      if (observation.mark !== undefined) snapshots.push(guarded(write).catch(() => {}));
    }
    if (observation.type === 'phase' && observation.edge === 'end') void flush().catch(() => {});
  };

  const closeTimeline = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await Promise.all([close(), ...snapshots]).catch(fail);
    await guarded(async () => {
      manifest = { ...manifest, phases: phaseTimes(await sortTimeline(at(FILES.timeline))) };
      await writeJson(FILES.manifest, manifest);
    });
  };

  return {
    folder, observe, flush, closeTimeline, failure,
    log: (actor, chunk) => {
      if (!isClosed) logs.add(actor, chunk);
    },
    update: (changed) => guarded(async () => {
      manifest = { ...manifest, ...changed.manifest, argv: manifest.argv, format: FORMAT_VERSION };
      if (changed.manifest) await writeJson(FILES.manifest, manifest);
      if (changed.resolved) await writeJson(FILES.resolved, changed.resolved);
    }),
    writeControl: (control) => guarded(() => writeAtomically(at(FILES.control), linesOf(control, redactor.json))),
    writeVerdicts: (verdicts) => guarded(() => writeJson(FILES.verdicts, verdicts)),
    writeReport: (markdown) => guarded(() => writeAtomically(at(FILES.report), redactor.text(markdown))),
    seal: () => guarded(() => writeSeal(folder)),
  };
};
