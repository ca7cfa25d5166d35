// Revisions of a git repository: a bare clone in the cache, brought up to date once in a command, and what it knows of names,
// commits and their order. Git itself is asked, so that its own settings (proxies, passwords, mirrors) count.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { didYouMean } from '../../model/nearest.ts';
import { problem } from '../../model/problem.ts';
import { notePrepared } from '../../runtimes/prepare-life.ts';
import { cacheFolder, contentKey } from '../cache-folder.ts';
import type { Card, CardAxis } from '../card.ts';
import { isLate } from '../run-tool.ts';
import { releasesOf, sortVersions } from './compare.ts';
import { ask, everything, longMsOf, noValues, saidBy } from './source.ts';
import type { AxisContext, AxisInput, AxisSource } from './source.ts';

const HINT = 'is git here, and can the repository be reached? `git ls-remote` with its address says more';
const LATE_HINT = 'nothing of it is kept: clone it yourself, and write the path of that as `repository` in the card';
/** Long enough to be one commit's alone, short enough for an id. */
const SHOWN = 12;
/** What the repository itself stands at, whatever the clone's own HEAD says. */
const HEAD = 'refs/hangup/head';

const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text);

/** An address as it is; a path from the card's folder. */
export const repositoryOf = ({ folder }: Pick<Card, 'folder'>, { repository }: CardAxis): string =>
  isAddress(repository!) ? repository! : resolve(folder, repository!);

const git = (folder: string, words: readonly string[], context: AxisContext): Promise<string> => ask('git', ['-C', folder, ...words], context);

const clone = async (repository: string, folder: string, context: AxisContext): Promise<void> => {
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await mkdtemp(`${folder}.`);
  const noted = notePrepared(temporary);
  try {
    await ask('git', ['init', '--quiet', '--bare', temporary], context);
    await git(temporary, ['remote', 'add', 'origin', '--', repository], context);
    await git(temporary, ['config', 'remote.origin.fetch', '+refs/heads/*:refs/heads/*'], context);
    await rename(temporary, folder);
  } catch (cause) {
    await rm(temporary, { recursive: true, force: true });
    if (!existsSync(folder)) throw cause;
  } finally {
    noted.forget();
  }
};

const updated = new Map<string, Promise<void>>();

const bringUpToDate = async (input: AxisInput, folder: string): Promise<void> => {
  const { card, axis, context } = input;
  const repository = repositoryOf(card, axis);
  if (!existsSync(folder)) await clone(repository, folder, context);
  const words = ['fetch', '--quiet', '--prune', '--tags', '--force', 'origin', '+refs/heads/*:refs/heads/*', `+HEAD:${HEAD}`];
  await ask('git', ['-C', folder, ...words], context, { about: `fetching ${basename(repository)}`, limitMs: longMsOf(context) });
};

/**
 * The folder of a bare clone that knows what the repository knows now.
 * @throws ProblemError `axis-not-read`; the signal's reason
 */
export const mirrorOf = async (input: AxisInput): Promise<string> => {
  const { card, axis, context } = input;
  const folder = join(cacheFolder(context.environment), 'repositories', `${contentKey(repositoryOf(card, axis))}.git`);
  const known = updated.get(folder) ?? bringUpToDate(input, folder);
  updated.set(folder, known);
  await known.catch((cause: unknown) => {
    updated.delete(folder);
    context.signal?.throwIfAborted();
    throw noValues(input, saidBy(cause), isLate(cause) ? LATE_HINT : HINT, cause);
  });
  return folder;
};

const inMirror = (revision: string): string => revision.replace(/^HEAD(?![\w-])/, HEAD);

/**
 * The whole hash of a branch, tag or commit.
 * @throws ProblemError `unknown-revision` proposing the nearest name, and what `mirrorOf` throws
 */
export const commitOf = async (input: AxisInput, revision: string): Promise<string> => {
  const folder = await mirrorOf(input);
  const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${inMirror(revision)}^{commit}`];
  const found = (await git(folder, words, input.context).catch(() => '')).trim();
  if (found !== '') return found;
  const names = (await git(folder, ['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/tags'], input.context)).split('\n').filter(Boolean);
  throw problem('environment', 'unknown-revision', `${repositoryOf(input.card, input.axis)} has no revision ${revision}`, {
    hint: didYouMean(revision, names, 'there are'),
  });
};

const listed = (output: string): readonly string[] => output.split('\n').filter(Boolean);

/** Tags in the order of their versions, of which those that lead to a release may only be named; or the commits of the first parents, oldest first. */
export const gitValues: AxisSource = async (input) => {
  const { axis, context } = input;
  const folder = await mirrorOf(input);
  if (axis.tags !== null) {
    // Git's own order of versions depends on the settings of whoever asks.
    const all = sortVersions('git', listed(await git(folder, ['tag', '--list', '--sort=refname', '--', axis.tags], context)));
    return { all, offered: releasesOf('git', all) };
  }
  return everything(listed(await git(folder, ['rev-list', '--first-parent', '--reverse', `--abbrev=${SHOWN}`, '--abbrev-commit', HEAD], context)));
};

/** So much of a subject is shown. */
const SUBJECT = 72;

/** The first line of each commit's message. @param commits hashes, whole or as they are shown @returns in their order */
export const subjectsOfCommits = async (input: AxisInput, commits: readonly string[]): Promise<readonly string[]> => {
  if (commits.length === 0) return [];
  const folder = await mirrorOf(input);
  const lines = listed(await git(folder, ['log', '--no-walk=unsorted', '--format=%H %s', '--end-of-options', ...commits], input.context));
  const subjects = new Map(lines.map((line) => [line.slice(0, SHOWN), line.slice(line.indexOf(' ') + 1)]));
  return commits.map((commit) => {
    const subject = subjects.get(commit.slice(0, SHOWN)) ?? '';
    return subject.length > SUBJECT ? `${subject.slice(0, SUBJECT - 1)}…` : subject;
  });
};

type Clone = { readonly folder: string; readonly context: AxisContext };

/** The commits that lead to one by first parents, oldest first. @param from an earlier one, which is left out; @param words of `git rev-list` */
const lineTo = async ({ folder, context }: Clone, last: string, from: string | null = null, ...words: readonly string[]): Promise<readonly string[]> =>
  listed(await git(folder, ['rev-list', '--first-parent', '--reverse', ...words, from === null ? last : `${from}..${last}`], context));

/** A revision as it was written, and its commit. */
type End = { readonly text: string; readonly commit: string };

/** What to write where `from` is not on the line that leads to `to`: where both part, on the line of the one that is the newer. */
const otherRange = async (name: string, clone: Clone, from: End, to: End): Promise<string> => {
  const isAfter = await git(clone.folder, ['merge-base', '--is-ancestor', to.commit, from.commit], clone.context).then(() => true, () => false);
  const [side, trunk] = isAfter ? [to, from] : [from, to];
  const line = await lineTo(clone, trunk.commit);
  if (line.includes(side.commit)) return 'the older revision stands first';
  const left = line.length - 1 - (await lineTo(clone, trunk.commit, side.commit)).length;
  return left < 0 ? 'they have no commit in common' : `write ${name}=${line[left]!.slice(0, SHOWN)}..${trunk.text}: there both lines part`;
};

/**
 * The commits between two revisions, both included, oldest first; for an axis without `tags`.
 * @param from '' for the first one there is; @param to '' for what the repository stands at
 * @throws ProblemError `bad-range` where the first is not on the line of first parents that leads to the second, `unknown-revision`
 */
export const commitsBetween = async (input: AxisInput, from: string, to: string): Promise<readonly string[]> => {
  const { name, context } = input;
  const clone: Clone = { folder: await mirrorOf(input), context };
  const last = await commitOf(input, to === '' ? 'HEAD' : to);
  const short = [`--abbrev=${SHOWN}`, '--abbrev-commit'];
  if (from === '') return lineTo(clone, last, null, ...short);
  const first = await commitOf(input, from);
  if ((await lineTo(clone, last)).includes(first)) return [first.slice(0, SHOWN), ...(await lineTo(clone, last, first, ...short))];
  throw problem('scenario', 'bad-range', `${name}=${from}..${to}: ${from} is not on the line of first parents that leads to ${to || 'HEAD'}`, {
    hint: await otherRange(name, clone, { text: from, commit: first }, { text: to, commit: last }),
  });
};
