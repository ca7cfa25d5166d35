// Makes a copy of a bundle smaller, step by step, what is missed least first: middles of logs and dumps, what can be drawn or read
// elsewhere in it, then observations that no verdict refers to. Each step says what it has left out.
import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Observation } from '../model/observation.ts';
import { refOf } from '../model/observation.ts';
import { SAMPLED } from '../model/sampled.ts';
import { FILES } from './format.ts';
import { readLines } from './read-lines.ts';
import type { LeftOut } from './reduced.ts';

/** @param refs observations that some verdict refers to */
export type ReduceStep = (folder: string, refs: ReadonlySet<string>) => Promise<readonly LeftOut[]>;

const sizeOf = async (path: string): Promise<number | null> => (await stat(path).catch(() => null))?.size ?? null;

const namesIn = async (folder: string): Promise<readonly string[]> => (await readdir(folder).catch(() => [])).sort();

/** Of the files in these folders of it. */
const pathsIn = async (folder: string, inner: readonly string[]): Promise<readonly string[]> =>
  (await Promise.all(inner.map(async (name) => (await namesIn(join(folder, name))).map((file) => `${name}/${file}`)))).flat();

/** Of a log or a dump that is longer, so much is kept of its begin and of its end. */
const LOG_END_BYTES = 32 * 1024;

const replace = async (path: string, chunks: AsyncIterable<string | Buffer> | Iterable<string | Buffer>): Promise<void> => {
  const temporary = `${path}.partial`;
  await pipeline(Readable.from(chunks), createWriteStream(temporary));
  await rename(temporary, path);
};

const isWithin = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The begin of the last character before the end, which may be cut in two there. */
const lastCharacter = (bytes: Buffer): number => {
  let at = bytes.length - 1;
  while (at > 0 && isWithin(bytes[at])) at -= 1;
  return at;
};

const firstCharacter = (bytes: Buffer): number => {
  let at = 0;
  while (isWithin(bytes[at])) at += 1;
  return at;
};

/** Whole lines, unless a long one would take half of it along: then whole characters. */
const beginOf = (bytes: Buffer): Buffer => {
  const line = bytes.lastIndexOf(10) + 1;
  return bytes.subarray(0, line >= bytes.length / 2 ? line : lastCharacter(bytes));
};

const endOf = (bytes: Buffer): Buffer => {
  const line = bytes.indexOf(10) + 1;
  return bytes.subarray(line > 0 && line <= bytes.length / 2 ? line : firstCharacter(bytes));
};

const endsOf = async (path: string, size: number): Promise<readonly [begin: Buffer, end: Buffer]> => {
  const file = await open(path, 'r');
  try {
    const [begin, end] = [Buffer.alloc(LOG_END_BYTES), Buffer.alloc(LOG_END_BYTES)];
    await file.read(begin, 0, LOG_END_BYTES, 0);
    await file.read(end, 0, LOG_END_BYTES, size - LOG_END_BYTES);
    return [beginOf(begin), endOf(end)];
  } finally {
    await file.close();
  }
};

const cutTexts: ReduceStep = async (folder) => {
  const left: LeftOut[] = [];
  for (const name of await pathsIn(folder, [FILES.logs, FILES.dumps])) {
    const path = join(folder, name);
    const size = (await sizeOf(path)) ?? 0;
    if (size <= 2 * LOG_END_BYTES) continue;
    const [begin, end] = await endsOf(path, size);
    const bytes = size - begin.length - end.length;
    const note = `${begin.at(-1) === 10 ? '' : '\n'}[${bytes} bytes left out of the archive]\n`;
    await replace(path, [begin, note, end]);
    left.push({ path: name, what: 'the middle', bytes });
  }
  return left;
};

const leaveOut = async (folder: string, names: readonly string[]): Promise<readonly LeftOut[]> => {
  const left: LeftOut[] = [];
  for (const name of names) {
    const bytes = await sizeOf(join(folder, name));
    if (bytes === null) continue;
    await rm(join(folder, name));
    left.push({ path: name, what: 'all', bytes });
  }
  return left;
};

const isPackets = (path: string): boolean => path.startsWith(`${dirname(FILES.capture)}/`) || /\.pcap(?:ng)?$/.test(path);

/** All files, by their path in the bundle. */
const filesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
};

/** Files of packets, by their path in the bundle. */
export const packetsIn = async (folder: string): Promise<readonly string[]> => (await filesIn(folder)).filter(isPackets);

/** Packets are bytes as they went over the wire: every key is in them, and nothing can take it out. */
export const leavePackets: ReduceStep = async (folder) =>
  (await leaveOut(folder, await packetsIn(folder))).map((left) => ({ ...left, what: 'all packets, since keys are in them' }));

const leaveRepeats: ReduceStep = (folder) => leaveOut(folder, [`${FILES.sockets}/changes.tsv`]);

/** It is drawn again by `hangup report`. */
const leavePage: ReduceStep = (folder) => leaveOut(folder, ['report.html']);

/** A line that cannot be read is kept: reading it is not ours here. */
const isKept = (line: string, refs: ReadonlySet<string>): boolean => {
  try {
    const observation = JSON.parse(line) as Observation;
    if (!SAMPLED.includes(observation.type) || refs.has(refOf(observation))) return true;
    return observation.type === 'sample' && observation.mark !== undefined;
  } catch {
    return true;
  }
};

const thin = async (folder: string, name: string, refs: ReadonlySet<string>): Promise<readonly LeftOut[]> => {
  const path = join(folder, name);
  const before = await sizeOf(path);
  if (before === null) return [];
  let count = 0;
  const kept = async function* (): AsyncGenerator<string> {
    for await (const lines of readLines(path)) {
      const those = lines.filter(({ text }) => isKept(text, refs));
      count += lines.length - those.length;
      // One that was cut off stays so: with an end it would be damage.
      if (those.length > 0) yield those.map(({ text, isWhole }) => `${text}${isWhole ? '\n' : ''}`).join('');
    }
  };
  await replace(path, kept());
  const bytes = before - ((await sizeOf(path)) ?? 0);
  return count === 0 ? [] : [{ path: name, what: `${count} sampled observations that no verdict refers to`, bytes }];
};

const NO_REFS: ReadonlySet<string> = new Set();
const thinControl: ReduceStep = (folder) => thin(folder, FILES.control, NO_REFS);
const thinTimeline: ReduceStep = (folder, refs) => thin(folder, FILES.timeline, refs);

const leaveFolders: ReduceStep = async (folder) => leaveOut(folder, await pathsIn(folder, [FILES.snapshots, FILES.logs]));

const leaveDumps: ReduceStep = async (folder) => leaveOut(folder, await pathsIn(folder, [FILES.dumps]));

const leaveControl: ReduceStep = (folder) => leaveOut(folder, [FILES.control]);

/** Without these it is no bundle, could not be run again or would not say what it lacks. */
const NEEDED: readonly string[] = [
  FILES.manifest, FILES.scenario, FILES.resolved, FILES.card, FILES.timeline, FILES.verdicts, FILES.seal, FILES.wholeSeal, FILES.reduced,
];

/** What a later version, or somebody else, has put there too. */
const leaveOthers: ReduceStep = async (folder) => leaveOut(folder, (await filesIn(folder)).filter((name) => !NEEDED.includes(name)));

/** In this order, until it fits. */
export const REDUCE_STEPS: readonly ReduceStep[] = [
  cutTexts,
  leavePackets,
  leaveRepeats,
  leavePage,
  thinControl,
  thinTimeline,
  leaveFolders,
  leaveDumps,
  leaveControl,
  leaveOthers,
];
