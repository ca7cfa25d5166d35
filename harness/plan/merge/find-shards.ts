// Where shards lie: in the folders that were named or some way below, since artifacts of CI keep the folders they were taken from;
// or in an archive of one. What is wrong with any of them is collected, so that all of it can be told at once.
import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { unpack } from '../../bundle/archive-read.ts';
import { makeScratchFolder } from '../../bundle/scratch-folder.ts';
import type { Problem } from '../../model/problem.ts';
import { problemsOf } from '../../model/problem.ts';
import type { Scope } from '../../model/scope.ts';
import { readShard, SHARD_FILE } from '../shard/shard-file.ts';
import type { Shard } from '../shard/shard-file.ts';

export type FoundShard = {
  /** As the user knows it: in what was named, where it lies. */
  readonly name: string;
  readonly folder: string;
  readonly shard: Shard;
};

export type FoundShards = { readonly shards: readonly FoundShard[]; readonly problems: readonly Problem[] };

/** `artifacts/<job>/<output>/<stamp>`, and one more. */
const DEPTH = 5;
/** Of a whole shard; that of one bundle is far less. */
const BOUNDS = { entries: 1_000_000, bytes: 64 * 1024 ** 3 };

const isThere = async (path: string): Promise<boolean> => (await lstat(path).catch(() => null))?.isFile() ?? false;

/** A link to what is found anyway; where artifacts were made of what it leads to, a folder. */
const LATEST = 'latest';

const isFolder = async (folder: string, entry: Dirent): Promise<boolean> =>
  entry.isDirectory() || (entry.isSymbolicLink() && ((await stat(join(folder, entry.name)).catch(() => null))?.isDirectory() ?? false));

/** Links to folders are followed, each place once: whoever puts links to shards into a folder wants them. Nothing else is followed, in a bundle least of all. */
const foldersBelow = async (folder: string, seen = new Set<string>(), depth = DEPTH): Promise<readonly string[]> => {
  const place = await realpath(folder).catch(() => folder);
  if (seen.has(place)) return [];
  seen.add(place);
  if (await isThere(join(folder, SHARD_FILE))) return [folder];
  if (depth === 0) return [];
  const names: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => []))
    if (!entry.name.startsWith('.') && (await isFolder(folder, entry))) names.push(entry.name);
  const found: string[] = [];
  for (const name of names.sort().filter((each) => each !== LATEST)) found.push(...(await foldersBelow(join(folder, name), seen, depth - 1)));
  return found.length === 0 && names.includes(LATEST) ? foldersBelow(join(folder, LATEST), seen, depth - 1) : found;
};

const unpacked = async (path: string, scope: Scope): Promise<string> => {
  const folder = await makeScratchFolder('hangup-merge-');
  scope.own(`unpacked ${basename(path)}`, () => rm(folder, { recursive: true, force: true }), 60_000);
  await unpack(path, folder, BOUNDS);
  return folder;
};

const bad = (code: string, message: string, hint: string): Problem => ({ family: 'scenario', code, message, hint });

const shardsAt = async (path: string, cwd: string, scope: Scope): Promise<FoundShards> => {
  const full = resolve(cwd, path);
  const found = await stat(full).catch(() => null);
  if (found === null) return { shards: [], problems: [bad('path-not-found', `${path} does not exist`, 'name the folders that `hangup run --shard` has left')] };
  const root = found.isDirectory() ? full : await unpacked(full, scope);
  const folders = await foldersBelow(root);
  if (folders.length === 0)
    return { shards: [], problems: [bad('not-a-shard', `${path} holds no ${SHARD_FILE}`, 'name the folders that `hangup run --shard` has left, or one that they lie in')] };
  const shards: FoundShard[] = [];
  const problems: Problem[] = [];
  for (const folder of folders) {
    const name = folder === root ? path : join(path, folder.slice(root.length + 1));
    const shard = await readShard(folder);
    if (typeof shard === 'string') problems.push(bad('shard-damaged', `${name}: ${SHARD_FILE} cannot be relied on: ${shard}`, 'take it again from where it was made'));
    else shards.push({ name, folder, shard });
  }
  return { shards, problems };
};

/** In the order in which they were named; one that is named twice, or by a link too, is found once. */
export const findShards = async (paths: readonly string[], cwd: string, scope: Scope): Promise<FoundShards> => {
  const shards = new Map<string, FoundShard>();
  const problems: Problem[] = [];
  for (const path of paths) {
    const found = await shardsAt(path, cwd, scope).catch((error: unknown): FoundShards => ({ shards: [], problems: problemsOf(error) }));
    problems.push(...found.problems);
    for (const each of found.shards) shards.set(await realpath(each.folder), each);
  }
  return { shards: [...shards.values()], problems };
};
