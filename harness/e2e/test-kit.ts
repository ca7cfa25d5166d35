// For the tests beside it: the real command as a child process with a temporary folder of its own, its
// bundles read back, and what is left of it on the machine.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Verdicts } from '../bundle/format.ts';
import { readBundle } from '../bundle/read.ts';
import type { Bundle } from '../bundle/read.ts';
import { eventually } from '../runtimes/fixtures/wait.ts';
import { livePids, pidsWithEnvironment } from '../runtimes/processes.ts';

export { eventually };

export const ROOT = resolve(import.meta.dirname, '..', '..');
export const FIXTURES = join(import.meta.dirname, 'fixtures');
const ENTRY = join(ROOT, 'harness', 'hangup.mjs');

/** Removed when the test is over, when a guard that outlives its command may still be at work in it. @param keep for what `beforeAll` makes: the caller removes it */
export const temporaryFolder = (keep = false): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hangup-e2e-')));
  if (!keep) onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return folder;
};

export type Options = {
  /** Temporary files go here, bundles into `evidence` below it. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Words before the command: `unshare -m`, `sh -c`, another Node. Default: the Node of this test. */
  readonly prefix?: readonly string[];
  readonly node?: string;
};

export type Finished = { readonly code: number | null; readonly signal: string | null; readonly output: string; readonly folder: string };

export type Started = {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly output: () => string;
  readonly finished: Promise<Finished>;
};

/** Starts `hangup` with these words. What it was asked for is in `output` when something fails. */
export const startCli = (words: readonly string[], { folder, env = {}, prefix = [], node = process.execPath }: Options): Started => {
  const [program, ...rest] = [...prefix, node, ENTRY, ...words];
  let output = `$ hangup ${words.join(' ')}\n`;
  const child = spawn(program!, rest, { cwd: folder, env: { ...process.env, TMPDIR: folder, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const finished = once(child, 'close').then(([code, signal]): Finished => ({
    code: code as number | null,
    signal: signal as string | null,
    output,
    folder,
  }));
  return { child, folder, output: () => output, finished };
};

/** `run` on the process runtime, to its end. */
export const runCli = (paths: readonly string[], options: Options, words: readonly string[] = []): Promise<Finished> =>
  startCli(runWords(paths, options.folder, words), options).finished;

export const runWords = (
  paths: readonly string[],
  folder: string,
  words: readonly string[] = [],
  runtime = 'process',
): readonly string[] => ['run', ...paths, '--runtime', runtime, '--output', join(folder, 'evidence'), ...words];

/** The folder of the only command that wrote there, and its run's id. */
export const runOf = (folder: string): { readonly path: string; readonly runId: string } | undefined => {
  const output = join(folder, 'evidence');
  const entries = existsSync(output) ? readdirSync(output, { withFileTypes: true }) : [];
  const name = entries.find((entry) => entry.isDirectory())?.name;
  return name === undefined ? undefined : { path: join(folder, 'evidence', name), runId: name.replace(/^.*-/, '') };
};

/** Folders of bundles, controls too. */
export const bundleFolders = (folder: string): readonly string[] => {
  const run = runOf(folder);
  const entries = run ? readdirSync(run.path, { withFileTypes: true }) : [];
  // Beside them lie reports, and what begins with a dot has only been begun.
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => join(run!.path, name));
};

/** Bundles by scenario id, each read with its seal checked; controls by theirs. */
export const bundlesOf = async (folder: string): Promise<ReadonlyMap<string, Bundle>> => {
  const bundles = await Promise.all(bundleFolders(folder).map((each) => readBundle(each)));
  return new Map(bundles.map((bundle) => [bundle.manifest.scenario, bundle]));
};

/** Resolves with the run's id when a cell's timeline holds that text. @param cell its folder's name, without defects */
export const recorded = ({ folder, output }: Started, cell: string, text: string, limitMs = 60_000): Promise<string> =>
  eventually(
    `${text} in the timeline of ${cell}`,
    () => {
      const bundle = bundleFolders(folder).find((path) => basename(path).replace(/-with-.*$/, '') === cell);
      const path = bundle === undefined ? undefined : join(bundle, 'timeline.ndjson');
      return path !== undefined && existsSync(path) && readFileSync(path, 'utf8').includes(text) ? runOf(folder)!.runId : undefined;
    },
    limitMs,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${output()}`, { cause: error });
  });

export type Judged = Readonly<Record<string, { readonly outcome: string; readonly reason: string }>>;

/** Claims of a scenario by id. */
export const claimsOf = (verdicts: Verdicts): Judged =>
  Object.fromEntries(verdicts.verdicts.map(({ id, outcome, reason }) => [id, { outcome, reason }]));

/** What a run has left: processes by its mark or folder, its stages and notes in the temporary folder. */
export const leftOf = (folder: string): readonly string[] => {
  const run = runOf(folder);
  const marked = run ? pidsWithEnvironment({ HANGUP_RUN: run.runId }) : [];
  const below = livePids().filter((pid) => commandOf(pid).includes(folder));
  const files = readdirSync(folder)
    .filter((name) => name.startsWith('hangup-'))
    .flatMap((name) =>
      /^hangup-\d+$/.test(name)
        ? readdirSync(join(folder, name), { recursive: true })
            .map(String)
            .filter((path) => path !== 'runs')
        : [name],
    );
  return [...new Set([...marked, ...below])].map((pid) => `process ${pid}: ${commandOf(pid)}`).concat(files);
};

/** Resolves when nothing of the run is left. */
export const nothingLeft = (folder: string, limitMs = 10_000): Promise<unknown> =>
  eventually('the run to leave nothing', () => leftOf(folder).length === 0, limitMs).catch((error: unknown) => {
    throw new Error(`left: ${leftOf(folder).join('; ')}`, { cause: error });
  });

export const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

/** Live processes of one stage of a run whose command line matches. */
export const stageProcesses = (runId: string, stage: string | null, pattern: RegExp): readonly number[] =>
  pidsWithEnvironment({ HANGUP_RUN: runId, ...(stage === null ? {} : { HANGUP_STAGE: stage }) }).filter((pid) =>
    pattern.test(commandOf(pid)),
  );

/** The reference router's card with some of its text replaced; written as `name` below the folder. */
export const routerCard = (changes: readonly (readonly [string | RegExp, string])[] = []): string => {
  const home = join(ROOT, 'images', 'reference-router');
  const text = readFileSync(join(home, 'system.yaml'), 'utf8').replaceAll('${card}', home);
  return changes.reduce((changed, [from, to]) => {
    const next = changed.replace(from, () => to);
    if (next === changed) throw new Error(`the card has no ${String(from)} to replace`);
    return next;
  }, text);
};
