// Makes one golden bundle by a real run: the command itself, in a process of its own, on the process runtime.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { FILES } from '../../bundle/format.ts';
import type { Golden } from './table.ts';

const HERE = import.meta.dirname;
const LOOK_EVERY_MS = 50;
const START_LIMIT_MS = 60_000;
/** Of a run that is ended from outside: so much of its watch is recorded. */
const WATCHED_MS = 400;

/** The bundle among what the command has left; a control lies beside some. */
const bundleIn = (output: string): string | undefined =>
  existsSync(output)
    ? readdirSync(output, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .flatMap((run) => readdirSync(join(output, run.name)).map((name) => join(output, run.name, name)))
        .find((folder) => existsSync(join(folder, FILES.manifest)) && !/[\\/]control-[0-9a-f]+/.test(folder))
    : undefined;

const isWatching = (output: string): boolean => {
  const folder = bundleIn(output);
  const timeline = folder && join(folder, FILES.timeline);
  return timeline !== undefined && existsSync(timeline) && /"phase":"watch","edge":"begin"/.test(readFileSync(timeline, 'utf8'));
};

const untilWatching = async (output: string, hasEnded: () => boolean): Promise<void> => {
  const untilMs = Date.now() + START_LIMIT_MS;
  while (!isWatching(output)) {
    if (hasEnded()) throw new Error('the run ended before it watched');
    if (Date.now() > untilMs) throw new Error(`the run did not come to its watch within ${START_LIMIT_MS} ms`);
    await pass(LOOK_EVERY_MS);
  }
  await pass(WATCHED_MS);
};

/**
 * Runs it, and keeps its bundle beside the golden ones: while others are made, the tree from which they are is as it was committed.
 * @param root of the repository, from which the command is given: its words are in the bundle
 * @param made folder that takes the bundle
 */
export const makeGolden = async ({ name, scenario, options, signal }: Golden, root: string, made: string): Promise<void> => {
  const output = join(root, 'evidence', `making-${name}`);
  rmSync(output, { recursive: true, force: true });
  const words = ['run', relative(root, join(HERE, scenario)), ...options, '--runtime', 'process', '--output', relative(root, output)];
  const child = spawn(process.execPath, [join('harness', 'hangup.mjs'), ...words], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    if (signal !== null) {
      await untilWatching(output, () => child.exitCode !== null);
      child.kill(signal);
    }
    await ended;
    const bundle = bundleIn(output);
    if (!bundle) throw new Error(`${name}: no bundle was left\n${said}`);
    cpSync(bundle, join(made, name), { recursive: true });
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL');
    rmSync(output, { recursive: true, force: true });
  }
};
