// Writes the evidence of one run while it happens. What is on the disk can be read at any moment, also
// when the harness is killed; what is sealed never changes. Every string passes the redactor first.
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Timeline } from '../model/timeline.ts';
import type { Observation } from '../model/observation.ts';
import type { ProblemError } from '../model/problem.ts';
import { inTurns } from '../model/turns.ts';
import { toJsonText, writeAtomically } from './atomic.ts';
import { beginFolder } from './begin.ts';
import { FILES, FORMAT_VERSION } from './format.ts';
import type { Manifest, Resolved, Seal, Verdicts } from './format.ts';
import { phaseTimes } from './phase-times.ts';
import { readBundle } from './read.ts';
import type { Bundle } from './read.ts';
import { timesFile, timesText } from './log-times.ts';
import type { LineTime } from './log-times.ts';
import { createRecorder } from './record.ts';
import type { Recorder } from './record.ts';
import type { Redactor } from './redact.ts';
import { redactingText } from './redact-stream.ts';
import { writeSeal } from './seal.ts';
import { sortLines } from './sort-lines.ts';
import { toWriteProblem } from './write-problem.ts';

export type BundleStart = {
  readonly manifest: Omit<Manifest, 'format' | 'phases'>;
  readonly scenarioText: string;
  /** The text of the system's card. */
  readonly cardText?: string;
  readonly resolved: Resolved;
  readonly redactor: Redactor;
  /** Told at once of the first write that failed (disk full), so that the run can stop. */
  readonly onFailure?: (failure: ProblemError) => void;
};

export type BundleWriter = {
  /** Null where no evidence is kept. */
  readonly folder: string | null;
  /** Adds to timeline.ndjson; a marked sample is a snapshot too, a socket sample goes into the table. Never throws. */
  readonly observe: (observation: Observation) => void;
  /** Adds to logs/<actor>.log, in chunks of any size. Never throws. */
  readonly log: (actor: string, chunk: string) => void;
  /** When the lines of a log that was given whole had come, ms of the run; for people. */
  readonly logTimes?: (actor: string, times: readonly LineTime[]) => Promise<void>;
  /** What becomes known later: addresses of the stage, versions. */
  readonly update: (changed: { readonly manifest?: Partial<Manifest>; readonly resolved?: Resolved }) => Promise<void>;
  /** The control's timeline, copied into each bundle that uses it. */
  readonly writeControl: (control: Timeline) => Promise<void>;
  /** All that was added is with the kernel. Rejects when something could not be written. */
  readonly flush: () => Promise<void>;
  /** Puts the timeline into its total order and the phase times into the manifest. Nothing can be added after it. */
  readonly closeTimeline: () => Promise<void>;
  /** What was written so far, as anybody will read it: what is judged. */
  readonly readBack: () => Promise<Pick<Bundle, 'timeline' | 'control' | 'resolved'>>;
  /** A text beside the others, below the bundle's folder. */
  readonly keepText: (path: string, text: string) => Promise<void>;
  readonly writeVerdicts: (verdicts: Verdicts) => Promise<void>;
  /** For people: report.md, and report.html where there is one. */
  readonly writeReport: (markdown: string, html?: string) => Promise<void>;
  /** Hashes everything and writes the seal; the last call. */
  readonly seal: () => Promise<Seal>;
  /** What could not be written, if anything; all but the timeline's end is then kept. */
  readonly failure: () => ProblemError | null;
};

/** One on the disk. */
export type FolderBundle = BundleWriter & { readonly folder: string };

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

const linesOf = (timeline: Timeline, toJson: (observation: Observation) => string): string =>
  timeline.all.map((observation) => `${toJson(observation)}\n`).join('');

/**
 * Creates the folder of a bundle and what is known at the start.
 * @throws ProblemError `bundle-exists`, `disk-full` or `bundle-not-written`
 */
export const createBundleWriter = async (folder: string, start: BundleStart): Promise<FolderBundle> => {
  const { redactor } = start;
  const { fail, guarded, failure } = createGuard(folder, (failed) => {
    start.onFailure?.(failed);
    void recorder?.close().catch(() => {});
  });
  const at = (...path: readonly string[]): string => join(folder, ...path);
  const writeJson = (path: string, value: unknown): Promise<void> => writeAtomically(at(path), toJsonText(redactor.value(value)));
  let manifest: Manifest = { ...start.manifest, argv: withoutSecrets(start.manifest.argv), format: FORMAT_VERSION, phases: {} };

  let recorder: Recorder | null = null;
  const { observe, log, flush, close } = await guarded(async () => {
    await beginFolder(folder, [FILES.snapshots, FILES.sockets, FILES.logs], {
      [FILES.manifest]: toJsonText(redactor.value(manifest)),
      [FILES.scenario]: redactor.text(start.scenarioText),
      ...(start.cardText === undefined ? {} : { [FILES.card]: redactor.text(start.cardText) }),
      [FILES.resolved]: toJsonText(redactor.value(start.resolved)),
      [FILES.timeline]: '',
    });
    recorder = await createRecorder(folder, redactor, fail, (path, value) => guarded(() => writeJson(path, value)));
    return recorder;
  });
  let closing: Promise<void> | undefined;
  const closeTimeline = async (): Promise<void> => {
    await close().catch(fail);
    await guarded(async () => {
      manifest = { ...manifest, phases: phaseTimes(await sortLines(at(FILES.timeline), FILES.timeline)) };
      await writeJson(FILES.manifest, manifest);
    });
  };

  return {
    folder, observe, log, failure,
    flush: async () => {
      await flush();
      const failed = failure();
      if (failed) throw failed;
    },
    closeTimeline: () => (closing ??= closeTimeline()),
    update: (changed) => guarded(async () => {
      manifest = { ...manifest, ...changed.manifest, argv: manifest.argv, format: FORMAT_VERSION };
      if (changed.manifest) await writeJson(FILES.manifest, manifest);
      if (changed.resolved) await writeJson(FILES.resolved, changed.resolved);
    }),
    readBack: () => readBundle(folder),
    writeControl: (control) => guarded(() => writeAtomically(at(FILES.control), linesOf(control, redactor.json))),
    keepText: (path, text) => guarded(async () => {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeAtomically(at(path), await inTurns(redactingText(redactor, text)));
    }),
    writeVerdicts: (verdicts) => guarded(() => writeJson(FILES.verdicts, verdicts)),
    logTimes: (actor, times) => guarded(async () => {
      if (times.length > 0) await writeAtomically(at(FILES.logs, timesFile(redactor.text(actor))), timesText(times));
    }),
    writeReport: (markdown, html) => guarded(async () => {
      await writeAtomically(at(FILES.report), redactor.text(markdown));
      if (html !== undefined) await writeAtomically(at(FILES.html), await inTurns(redactingText(redactor, html)));
    }),
    seal: () => guarded(() => writeSeal(folder)),
  };
};
