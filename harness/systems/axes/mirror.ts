// A bare clone of a card's repository in the cache, brought up to date once in a command.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { notePrepared } from '../../runtimes/prepare-life.ts';
import { cacheFolder, contentKey } from '../cache-folder.ts';
import type { Card, CardAxis } from '../card.ts';
import { isLate } from '../run-tool.ts';
import { ask, longMsOf, noValues, saidBy } from './source.ts';
import type { AxisContext, AxisInput } from './source.ts';

const HINT = 'is git here, and can the repository be reached? `git ls-remote` with its address says more';
const LATE_HINT = 'nothing of it is kept: clone it yourself, and write the path of that as `repository` in the card';
/** What the repository itself stands at, whatever the clone's own HEAD says. Not there where that names no branch. */
export const HEAD = 'refs/hangup/head';

const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text);

/** An address as it is; a path from the card's folder. */
export const repositoryOf = ({ folder }: Pick<Card, 'folder'>, { repository }: CardAxis): string =>
  isAddress(repository!) ? repository! : resolve(folder, repository!);

/** What git says in that clone. */
export const git = (folder: string, words: readonly string[], context: AxisContext): Promise<string> => ask('git', ['-C', folder, ...words], context);

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

/** Tags too: one that was withdrawn there is none here. */
const NAMES = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];

/** Another hangup may bring the same clone up to date, and what has changed under git's hands it refuses: then most of it is there already. */
const ATTEMPTS = 3;

const bringUpToDate = async (input: AxisInput, folder: string): Promise<void> => {
  const { card, axis, context } = input;
  const repository = repositoryOf(card, axis);
  if (!existsSync(folder)) await clone(repository, folder, context);
  const options = { about: `fetching ${basename(repository)}`, limitMs: longMsOf(context) };
  const fetch = (names: readonly string[]): Promise<unknown> =>
    ask('git', ['-C', folder, 'fetch', '--quiet', '--prune', '--no-tags', '--force', 'origin', ...names], context, options);
  let names = [...NAMES, `+HEAD:${HEAD}`];
  for (let attempt = 1; ; attempt += 1) {
    const failure = await fetch(names).then(() => null, (cause: unknown) => ({ cause }));
    if (failure === null) return;
    context.signal?.throwIfAborted();
    const there = attempt === ATTEMPTS || isLate(failure.cause) ? null : await git(folder, ['ls-remote', 'origin', 'HEAD'], context).catch(() => null);
    if (there === null) throw failure.cause;
    if (/\tHEAD$/m.test(there)) continue;
    // The branch that it names was never pushed. All else may be asked for.
    names = NAMES;
    await git(folder, ['update-ref', '-d', HEAD], context);
  }
};

const updated = new Map<string, Promise<void>>();

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
