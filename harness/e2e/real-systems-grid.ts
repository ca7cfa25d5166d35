// Published proxies whose faults their users reported, as a table of what is known of them, and the run
// that asks them again: the same nine cells for each, side by side, in one call of the command.
import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { RunEnd } from '../reports/reporter.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const LIMIT_MS = 240_000;
/** All nine as processes; of containers fewer, since their start alone keeps two processors from the watchers. */
const JOBS: Readonly<Record<string, string>> = { process: '9', docker: '4' };

export const BEHAVIOURS = ['header-wait', 'silent', 'endless'] as const;
export const WAYS = ['half-close', 'fin', 'rst'] as const;
type Behaviour = (typeof BEHAVIOURS)[number];
type Way = (typeof WAYS)[number];

/** `recorded`: one or the other, as long as it is said which. */
type Known = 'held' | 'violated' | 'recorded';

/** What `upstream-closed` must come to: by card, by what the upstream does, by how the client leaves. */
export const REAL_SYSTEMS: Readonly<Record<string, Readonly<Record<Behaviour, Readonly<Record<Way, Known>>>>>> = {
  // Its upstream outlives the client, since it waits for an event that Node no longer emits.
  'http-proxy': {
    'header-wait': { 'half-close': 'violated', fin: 'recorded', rst: 'violated' },
    silent: { 'half-close': 'violated', fin: 'recorded', rst: 'violated' },
    endless: { 'half-close': 'violated', fin: 'recorded', rst: 'violated' },
  },
  'http-proxy-3': {
    'header-wait': { 'half-close': 'held', fin: 'held', rst: 'held' },
    silent: { 'half-close': 'held', fin: 'held', rst: 'held' },
    endless: { 'half-close': 'held', fin: 'held', rst: 'held' },
  },
  // By default it takes a client's FIN for a half-close, and looks at nobody while it waits for the server.
  haproxy: {
    'header-wait': { 'half-close': 'violated', fin: 'violated', rst: 'violated' },
    silent: { 'half-close': 'violated', fin: 'violated', rst: 'violated' },
    endless: { 'half-close': 'violated', fin: 'held', rst: 'held' },
  },
  'haproxy-abortonclose': {
    'header-wait': { 'half-close': 'held', fin: 'held', rst: 'held' },
    silent: { 'half-close': 'held', fin: 'held', rst: 'held' },
    endless: { 'half-close': 'held', fin: 'held', rst: 'held' },
  },
};

/** Claims about money: a proxy has none. */
export const BILLING = [
  'accounting-valid', 'billing-terminal', 'charged-once', 'no-late-charge', 'nothing-reserved', 'refundable', 'renewal-stopped',
] as const;

export type Answer = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** The command with these words, to its end; whatever it says and however it exits is an answer. */
export const hangup = (words: readonly string[], cwd: string): Promise<Answer> =>
  new Promise((answer) => {
    const options = { cwd, timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(process.execPath, [join(ROOT, 'harness', 'hangup.mjs'), ...words], options, (_, stdout, stderr) =>
      answer({ code: child.exitCode, stdout, stderr }));
  });

export type Grid = { readonly end: RunEnd; readonly code: number | null; readonly folder: string };

/** @throws Error with all that the command said, where that is no report */
export const runGrid = async (card: string, runtime: string): Promise<Grid> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hangup-real-')));
  const paths = BEHAVIOURS.map((behaviour) => join(ROOT, 'scenarios', 'disconnect', `${behaviour}.yaml`));
  const words = ['run', ...paths, '--where', `how=${WAYS.join(',')}`, '--system', card, '--runtime', runtime, '--jobs', JOBS[runtime]!, '--output', folder, '--reporter', 'json'];
  const { code, stdout, stderr } = await hangup(words, folder);
  try {
    return { end: JSON.parse(stdout) as RunEnd, code, folder };
  } catch {
    throw new Error(`hangup ${words.join(' ')} ended with ${code} and no report:\n${stderr}\n${stdout}`);
  }
};

export const scenarioOf = (behaviour: Behaviour, way: Way): string => `disconnect/${behaviour}[how=${way}]`;

/** Every cell of the table with what is known of it. */
export const cellsOf = (card: string): readonly { readonly scenario: string; readonly known: Known }[] =>
  BEHAVIOURS.flatMap((behaviour) => WAYS.map((way) => ({ scenario: scenarioOf(behaviour, way), known: REAL_SYSTEMS[card]![behaviour][way] })));
