// An archive as a bundle: unpacked into a temporary folder, whoever made it. It can put nothing outside of that folder, no link
// into it, and not more than bounds allow, whatever sizes it claims.
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Entry, ZipFile } from 'yauzl';
import { messageOf, problem, ProblemError } from '../model/problem.ts';
import type { Scope } from '../model/scope.ts';
import { bundlesIn, isBundle, noBundleAt } from './bundles-in.ts';
import { FILES } from './format.ts';
import { makeScratchFolder } from './scratch-folder.ts';

export type ArchiveBounds = { readonly entries: number; readonly bytes: number };

/** Far more than a run of an hour leaves. */
const BOUNDS: ArchiveBounds = { entries: 10_000, bytes: 1024 ** 3 };

/** The kind of file in the upper half of a zip's external attributes, as Unix has it. */
const KIND_MASK = 0o170000;
const PLAIN_KINDS = [0, 0o100000];

/** Far more than a bundle has; each name could else be hundreds of folders, which no bound on bytes counts. */
const DEPTH = 10;

const isFolder = (entry: Entry): boolean => entry.fileName.endsWith('/');

const refused = (path: string, why: string): ProblemError =>
  problem('scenario', 'archive-refused', `${basename(path)} is not unpacked: ${why}`, {
    hint: 'take the archive again from whoever made it',
  });

/** What says nothing about the archive: there was no room for what is in it. */
const OF_THE_DISK = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO', 'EMFILE'];

const unwritten = (path: string, cause: unknown): ProblemError =>
  problem('environment', 'output-not-writable', `${basename(path)} cannot be unpacked into the temporary folder: ${messageOf(cause)}`, {
    hint: 'make room there, or name another by TMPDIR',
    cause,
  });

const damaged = (path: string, error: unknown): ProblemError =>
  problem('scenario', 'bundle-damaged', `${basename(path)} cannot be unpacked: ${messageOf(error)}`, {
    hint: 'it may have come incomplete; take it again from where it was made',
    cause: error,
  });

const whyNotEntry = (entry: Entry): string | null => {
  if (entry.isEncrypted()) return `${entry.fileName} is encrypted`;
  if (entry.fileName.split('/').length > DEPTH) return 'its folders are too deep';
  const kind = (entry.externalFileAttributes >>> 16) & KIND_MASK;
  return isFolder(entry) || PLAIN_KINDS.includes(kind) ? null : `${entry.fileName} is no plain file`;
};

/** Counts what really comes out, whatever the archive said beforehand. */
const counted = (take: (bytes: number) => void): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        take(chunk.length);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });

const unpackEntries = async (zip: ZipFile, path: string, into: string, bounds: ArchiveBounds): Promise<void> => {
  let bytes = 0;
  const take = (more: number): void => {
    bytes += more;
    if (bytes > bounds.bytes) throw refused(path, `it holds more than ${bounds.bytes} bytes`);
  };
  if (zip.entryCount > bounds.entries) throw refused(path, `it holds more than ${bounds.entries} files`);
  for await (const entry of zip.eachEntry()) {
    const why = whyNotEntry(entry);
    if (why !== null) throw refused(path, why);
    if (isFolder(entry)) continue;
    // The reader of archives refuses names that lead out: absolute ones, `..` and backslashes.
    const target = join(into, entry.fileName);
    await mkdir(dirname(target), { recursive: true });
    await pipeline(await zip.openReadStreamPromise(entry), counted(take), createWriteStream(target, { flags: 'wx' }));
  }
};

/** @throws ProblemError `archive-refused` for what a bundle never has, `bundle-damaged` for what cannot be read */
export const unpack = async (path: string, into: string, bounds = BOUNDS): Promise<void> => {
  const { openPromise } = await import('yauzl');
  try {
    const zip = await openPromise(path, { lazyEntries: true, strictFileNames: true, autoClose: false });
    try {
      await unpackEntries(zip, path, into, bounds);
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw OF_THE_DISK.includes((error as NodeJS.ErrnoException).code ?? '') ? unwritten(path, error) : damaged(path, error);
  }
};

const isZip = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.readUInt32BE(0) === 0x504b0304;
  } finally {
    await file.close();
  }
};

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null;

/** The folder in which manifest.json lies: the archive's own, or the only one in it. */
const bundleIn = async (folder: string, path: string): Promise<string> => {
  if (await exists(join(folder, FILES.manifest))) return folder;
  const inner = await readdir(folder);
  if (inner.length === 1 && (await exists(join(folder, inner[0]!, FILES.manifest)))) return join(folder, inner[0]!);
  throw problem('scenario', 'not-a-bundle', `${basename(path)} holds no bundle`, {
    hint: `an archive of a bundle has one folder, in which ${FILES.manifest} lies`,
  });
};

/**
 * The folder of a bundle that is named by its folder or by its archive (`hangup issue` makes one). What is unpacked
 * goes when the scope is closed. Where there is no bundle, those that lie there are named.
 * @throws ProblemError `not-a-bundle`, `archive-refused`, `bundle-damaged`
 */
export const bundleFolderOf = async (path: string, scope: Scope, bounds = BOUNDS): Promise<string> => {
  const found = await stat(path).catch(() => null);
  if (found === null) throw await noBundleAt(path, false);
  if (found.isDirectory() && !(await isBundle(path)) && (await bundlesIn(path)).length > 0) throw await noBundleAt(path, true);
  if (!found.isFile()) return path;
  if (!(await isZip(path)))
    throw problem('scenario', 'not-a-bundle', `${basename(path)} is neither a folder nor a zip archive`, {
      hint: 'name the folder of one scenario, in which manifest.json lies, or the .zip that `hangup issue` made of it',
    });
  const folder = await makeScratchFolder('hangup-archive-');
  scope.own(`unpacked ${basename(path)}`, () => rm(folder, { recursive: true, force: true }));
  await unpack(path, folder, bounds);
  return bundleIn(folder, path);
};
