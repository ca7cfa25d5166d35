// One bundle of a shard: proved by its seal, file by file, and taken along in the same pass. Files are read one after the other
// into the same memory, so that a bundle of any size costs no more than a small one.
import { createHash, hash } from 'node:crypto';
import { closeSync, constants, copyFileSync, fstatSync, linkSync, mkdirSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { FILES } from '../../bundle/format.ts';
import type { Seal } from '../../bundle/format.ts';

export type TakenBundle = {
  /** One line for each file that is not as it was sealed; nothing else is to be believed then. */
  readonly breaks: readonly string[];
  /** By path in the bundle: those that were asked for. */
  readonly texts: ReadonlyMap<string, string>;
  /** Paths of all files. */
  readonly files: ReadonlySet<string>;
};

const CHUNK_BYTES = 256 * 1024;
const chunk = Buffer.alloc(CHUNK_BYTES);
/** Manifests, verdicts and seals are far smaller. */
const TEXT_BYTES = 64 * 1024 * 1024;

type ReadFile = { readonly digest: string; readonly text: string | null };

/** Without following a link, and without waiting for a pipe. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const readWhole = (path: string, wantsText: boolean): ReadFile => {
  const file = openSync(path, FLAGS);
  try {
    const first = readSync(file, chunk, 0, CHUNK_BYTES, null);
    if (first < CHUNK_BYTES) {
      const bytes = chunk.subarray(0, first);
      return { digest: hash('sha256', bytes, 'hex'), text: wantsText ? bytes.toString('utf8') : null };
    }
    if (wantsText && fstatSync(file).size > TEXT_BYTES) throw new Error(`${path} is too large`);
    const sum = createHash('sha256');
    const parts: Buffer[] = [];
    for (let read = first; read > 0; read = readSync(file, chunk, 0, CHUNK_BYTES, null)) {
      sum.update(chunk.subarray(0, read));
      if (wantsText) parts.push(Buffer.from(chunk.subarray(0, read)));
    }
    return { digest: sum.digest('hex'), text: wantsText ? Buffer.concat(parts).toString('utf8') : null };
  } finally {
    closeSync(file);
  }
};

/** The same file under another name where that can be; else a copy. Neither is ever written to again. */
const takeFile = (from: string, to: string): void => {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
};

const isSeal = (value: unknown): value is Seal => typeof (value as Partial<Seal> | null)?.files === 'object' && (value as Partial<Seal>).files !== null;

const sealIn = (text: string): Seal | null => {
  try {
    const value: unknown = JSON.parse(text);
    return isSeal(value) ? value : null;
  } catch {
    return null;
  }
};

type Way = { readonly from: string; readonly to: string | null; readonly path: string };

/**
 * @param to where it is taken; null: it is only looked at
 * @param seal SHA-256 of its seal.json, as the shard wrote it down
 * @param wanted paths whose text is given back
 * @throws Error of the system where `to` cannot be written
 */
export const takeBundle = (from: string, to: string | null, seal: string, wanted: readonly string[]): TakenBundle => {
  const files = new Set<string>();
  const texts = new Map<string, string>();
  const nothing = (why: string): TakenBundle => ({ breaks: [why], texts, files });
  let own: ReadFile;
  try {
    own = readWhole(join(from, FILES.seal), true);
  } catch {
    return nothing(`${FILES.seal} cannot be read`);
  }
  if (own.digest !== seal) return nothing(`${FILES.seal} is not the one that the shard wrote down`);
  const sealed = sealIn(own.text!);
  if (sealed === null) return nothing(`${FILES.seal} is not whole`);
  const breaks: string[] = [];
  const one = ({ from: source, to: target, path }: Way): void => {
    const expected = Object.hasOwn(sealed.files, path) ? sealed.files[path] : undefined;
    if (expected === undefined) return void breaks.push(`${path} was added`);
    files.add(path);
    let read: ReadFile;
    try {
      read = readWhole(source, wanted.includes(path));
    } catch {
      return void breaks.push(`${path} cannot be read`);
    }
    if (read.digest !== expected) return void breaks.push(`${path} was changed`);
    if (read.text !== null) texts.set(path, read.text);
    if (target !== null) takeFile(source, target);
  };
  const walk = ({ from: source, to: target, path }: Way): void => {
    if (target !== null) mkdirSync(target);
    for (const entry of readdirSync(source, { withFileTypes: true })) {
      const below: Way = { from: `${source}/${entry.name}`, to: target === null ? null : `${target}/${entry.name}`, path: path === '' ? entry.name : `${path}/${entry.name}` };
      if (entry.isDirectory()) walk(below);
      else if (!entry.isFile()) breaks.push(`${below.path} is no plain file`);
      else if (below.path !== FILES.seal) one(below);
      else if (below.to !== null) takeFile(below.from, below.to);
    }
  };
  walk({ from, to, path: '' });
  for (const path of Object.keys(sealed.files)) if (!files.has(path)) breaks.push(`${path} is missing`);
  return { breaks, texts, files };
};
