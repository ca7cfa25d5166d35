// A work tree of one revision, built by the card's commands: made once and kept in the cache by commit, commands and this machine's Node
// and Python. It stays where it was built, since builds write their own paths into what they make; a file beside it says that it is whole.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messageOf, problem } from '../../model/problem.ts';
import { formatMs } from '../../model/time.ts';
import { beginPreparing, diesWithUs, notePrepared } from '../../runtimes/prepare-life.ts';
import { cacheFolder, contentKey } from '../cache-folder.ts';
import type { Card, CardAxis } from '../card.ts';
import { withoutRepository } from '../git-environment.ts';
import { buildFaultOf, installFaultOf, isKilledStep, KILLED_HINT, startFaultOf } from '../install-faults.ts';
import type { InstallFault } from '../install-faults.ts';
import { withPathsFromHere } from '../install-paths.ts';
import { withoutInstallSettings } from '../install-settings.ts';
import { buildToolsOf } from './build-tools.ts';
import { VERSION } from './card-at.ts';
import { commitOf, mirrorOf, repositoryOf } from './git.ts';
import { ask, longMsOf } from './source.ts';
import type { AxisContext, AxisInput } from './source.ts';

/** Holds the name of the folder in which the build was finished. */
const WHOLE = 'whole';
export const BUILD_LOG = 'build.log';

export type SourceTree = { readonly folder: string; readonly commit: string };

/** `fault`: of this machine, whatever the log says. */
type StepFailure = { readonly why: string; readonly fault: InstallFault | null };

/** A program that has a path may be the revision's own, and missing in this one. */
const notStarted = (program: string, error: NodeJS.ErrnoException): StepFailure => {
  const fault = startFaultOf(error);
  return { why: messageOf(error), fault: fault === 'tool-missing' && program.includes('/') ? null : fault };
};

/** Its words are read, in whatever language its user is spoken to. */
const environmentOf = (environment: NodeJS.ProcessEnv, cwd: string, marks: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  ({ ...withPathsFromHere(withoutInstallSettings(withoutRepository(environment)), cwd), ...marks, LANGUAGE: 'C' });

/** Runs one command with all that it prints in the log. @returns why it failed, or null */
const runStep = async (command: readonly string[], cwd: string, log: string, context: AxisContext): Promise<StepFailure | null> => {
  const { environment, signal } = context;
  const preparing = beginPreparing();
  const file = await open(log, 'a');
  try {
    await file.write(`$ ${command.join(' ')}\n`);
    const [program = ''] = command;
    const where = { cwd, env: environmentOf(environment, cwd, preparing.marks) };
    const [first, ...words] = [...diesWithUs('KILL', program, where), ...command];
    const child = spawn(first!, words, { ...where, stdio: ['ignore', file.fd, file.fd], detached: true });
    // What it has started is ended with it.
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // All of it has ended by itself, and it is not known here yet.
      }
    };
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, longMsOf(context));
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
    const ended = await new Promise<StepFailure | null>((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => resolve(notStarted(program, error)));
      child.once('close', (code, name) => {
        const why = isLate ? `it took longer than ${formatMs(longMsOf(context))} and was ended` : name === null ? `exit code ${code}` : `ended by ${name}`;
        resolve(code === 0 ? null : { why, fault: !isLate && isKilledStep({ code, signal: name }) ? 'tool-killed' : null });
      });
    });
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    end();
    return ended;
  } finally {
    preparing.end();
    await file.close();
  }
};

/** What this machine could not reach, or had no room for, says nothing of the revision. */
const codeOf = (fault: InstallFault): string => (fault === 'install-failed' ? 'source-not-built' : fault);

const HINTS: Partial<Record<InstallFault, string>> = { 'tool-missing': 'install it, or see `build` in the card', 'tool-killed': KILLED_HINT };

const failed = (card: Card, what: string, failure: StepFailure, log: string): Error => {
  const fault = failure.fault ?? buildFaultOf(log);
  return problem('environment', codeOf(fault), `${card.system}: ${what}`, {
    hint: HINTS[fault] ?? 'see the end of the log, and `build` in the card',
    cause: Object.assign(new Error(what), { stdout: log }),
  });
};

/** Submodules come along; where the repository has none, nobody is asked. A filter of the checkout may fetch, too (Git LFS). */
const checkOut = async (input: AxisInput, commit: string, tree: string): Promise<void> => {
  const { card, axis, context } = input;
  const git = (about: string, ...words: readonly string[]): Promise<string> => ask('git', words, context, { about: `${card.system}: ${about}`, limitMs: longMsOf(context) });
  await git('cloning from the cache', 'clone', '--quiet', '--shared', '--no-checkout', '--', await mirrorOf(input), tree);
  await git(`checking out ${commit.slice(0, 12)}`, '-C', tree, 'checkout', '--quiet', '--detach', commit);
  await ask('git', ['-C', tree, 'remote', 'set-url', 'origin', repositoryOf(card, axis)], context);
  if (existsSync(join(tree, '.gitmodules'))) await git('fetching submodules', '-C', tree, 'submodule', 'update', '--quiet', '--init', '--recursive');
};

/** As somebody asked for it, with its commit where that is another word. */
const revisionOf = ({ use }: CardAxis, commit: string): string => {
  const short = commit.slice(0, 12);
  return commit.startsWith(use ?? '') ? short : `${use} (${short})`;
};

const build = async (input: AxisInput, commit: string, place: string): Promise<void> => {
  const { card, axis, context } = input;
  const log = join(place, BUILD_LOG);
  await writeFile(log, '');
  const tree = join(place, 'tree');
  await checkOut(input, commit, tree).catch((cause: unknown) => {
    context.signal?.throwIfAborted();
    throw problem('environment', codeOf(installFaultOf(cause)), `${card.system}: no work tree of ${commit}: ${messageOf(cause)}`, { cause });
  });
  for (const command of axis.build) {
    const failure = await runStep(command, tree, log, context);
    context.signal?.throwIfAborted();
    if (failure !== null) throw failed(card, `${command.join(' ')} failed at ${revisionOf(axis, commit)}: ${failure.why}`, failure, await readFile(log, 'utf8'));
  }
};

const makeTree = async (input: AxisInput, commit: string, folder: string): Promise<string> => {
  const { axis, context, card } = input;
  await mkdir(folder, { recursive: true });
  const place = await mkdtemp(join(folder, 'built-'));
  const noted = notePrepared(place);
  const steps = axis.build.length === 0 ? '' : `, building it: ${axis.build.map((command) => command.join(' ')).join(' && ')}`;
  context.progress(`${card.system}: work tree of ${revisionOf(axis, commit)}${steps} (once; kept in the cache)`);
  try {
    await build(input, commit, place);
    await writeFile(join(place, WHOLE), basename(place));
    // Whoever is last wins; both are whole.
    await rename(join(place, WHOLE), join(folder, WHOLE));
    return place;
  } catch (cause) {
    await rm(place, { recursive: true, force: true });
    throw cause;
  } finally {
    noted.forget();
  }
};

/** The axis that says which revision, where the card is of a repository. */
const gitAxis = ({ versions }: Card): CardAxis | null => (versions?.from === 'git' ? versions : null);

/**
 * @returns null where the card is of no repository, or names no revision
 * @throws ProblemError `unknown-revision`, `source-not-built`, `axis-not-read`, and what is the machine's fault: `registry-unreachable`, `cache-not-writable`, `tool-missing`,
 * `tool-killed`; the signal's reason
 */
export const ensureSource = async (card: Card, context: AxisContext): Promise<SourceTree | null> => {
  const axis = gitAxis(card);
  if (axis === null || axis.use === null) return null;
  const input: AxisInput = { card, name: VERSION, axis, context };
  const commit = await commitOf(input, axis.use);
  const tools = axis.build.length === 0 ? [] : [await buildToolsOf(context)];
  const folder = join(cacheFolder(context.environment), 'sources', contentKey([repositoryOf(card, axis), commit, axis.build, ...tools]));
  const whole = await readFile(join(folder, WHOLE), 'utf8').catch(() => null);
  const place = whole !== null && existsSync(join(folder, whole)) ? join(folder, whole) : await makeTree(input, commit, folder);
  return { folder: join(place, 'tree'), commit };
};
