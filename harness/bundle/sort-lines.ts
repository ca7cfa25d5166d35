// Puts a timeline's lines into their total order without holding them: an index of where each lies, and the lines copied
// in its order. They come nearly sorted, so the copying reads on from where it is.
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { Observation } from '../model/observation.ts';
import { createTimeline } from '../model/timeline.ts';
import type { Timeline } from '../model/timeline.ts';
import { replaceAtomically } from './atomic.ts';
import { parseBlocks } from './parse-lines.ts';

type Index = { readonly atMs: number[]; readonly actor: number[]; readonly seq: number[]; readonly offset: number[]; readonly bytes: number[] };
type Scanned = { readonly index: Index; readonly names: readonly string[]; readonly isInOrder: boolean; readonly mayRepeat: boolean; readonly edges: Timeline };

const WINDOW_BYTES = 1024 * 1024;
const WINDOWS = 8;
const LINE_END = Buffer.from('\n');
const WRITE_BYTES = 256 * 1024;

/** By time, actor, sequence; actors by their code units. */
const comparing = ({ atMs, actor, seq }: Index, names: readonly string[]): ((a: number, b: number) => number) => {
  const rank = new Int32Array(names.length);
  names.map((name, id) => ({ name, id })).sort((a, b) => (a.name < b.name ? -1 : 1)).forEach(({ id }, place) => (rank[id] = place));
  return (a, b) => atMs[a]! - atMs[b]! || rank[actor[a]!]! - rank[actor[b]!]! || seq[a]! - seq[b]!;
};

/** Looks at every line once. Phases and the last observation are what the manifest wants to know. */
const scan = async (path: string, file: string): Promise<Scanned> => {
  const index: Index = { atMs: [], actor: [], seq: [], offset: [], bytes: [] };
  const ids = new Map<string, number>();
  const lastSeq: number[] = [];
  const phases: Observation[] = [];
  let last: Observation | undefined;
  let mayRepeat = false;
  for await (const lines of parseBlocks(path, file, false)) {
    for (const { observation, offset, bytes } of lines) {
      const id = ids.get(observation.actor) ?? ids.size;
      ids.set(observation.actor, id);
      mayRepeat ||= observation.seq <= (lastSeq[id] ?? -Infinity);
      lastSeq[id] = observation.seq;
      index.atMs.push(observation.atMs);
      index.actor.push(id);
      index.seq.push(observation.seq);
      index.offset.push(offset);
      index.bytes.push(bytes);
      if (observation.type === 'phase') phases.push(observation);
      if (observation.atMs >= (last?.atMs ?? -Infinity)) last = observation;
    }
  }
  const names = [...ids.keys()];
  const compare = comparing(index, names);
  const isInOrder = index.atMs.every((_, place) => place === 0 || compare(place - 1, place) < 0);
  return { index, names, isInOrder, mayRepeat, edges: createTimeline(last ? [...phases, last] : phases) };
};

/** Of two lines with the same actor and sequence the first counts. */
const withoutRepeats = ({ actor, seq }: Index): readonly number[] => {
  const seen = new Set<string>();
  return actor.flatMap((id, place) => {
    const key = `${id}#${seq[place]}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [place];
  });
};

type Read = (offset: number, bytes: number) => Promise<Buffer>;

/** Reads through a few windows of the file; what lies across two of them is read by itself. */
const windowed = (file: FileHandle): Read => {
  const windows = new Map<number, Buffer>();
  const read = async (offset: number, bytes: number): Promise<Buffer> => {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, offset);
    return buffer.subarray(0, bytesRead);
  };
  return async (offset, bytes) => {
    const number = Math.floor(offset / WINDOW_BYTES);
    const from = offset - number * WINDOW_BYTES;
    if (from + bytes > WINDOW_BYTES) return read(offset, bytes);
    const window = windows.get(number) ?? (await read(number * WINDOW_BYTES, WINDOW_BYTES));
    // Taken out and put in again: the first is the one that was not used for longest.
    windows.delete(number);
    windows.set(number, window);
    if (windows.size > WINDOWS) windows.delete(windows.keys().next().value!);
    return window.subarray(from, from + bytes);
  };
};

async function* linesInOrder(file: FileHandle, index: Index, order: readonly number[]): AsyncGenerator<Buffer> {
  const read = windowed(file);
  let held: Buffer[] = [];
  let size = 0;
  for (const place of order) {
    // With its line end; the last one of the file may have none.
    const line = await read(index.offset[place]!, index.bytes[place]!);
    held.push(line, LINE_END);
    size += line.length + 1;
    if (size < WRITE_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    size = 0;
    await setImmediate();
  }
  yield Buffer.concat(held);
}

/**
 * Synced to the disk when this resolves. What is written already is redacted and stays as it is.
 * @param name of the file, for messages
 * @returns its phases and its last observation
 * @throws ProblemError `bundle-damaged`
 */
export const sortLines = async (path: string, name: string): Promise<Timeline> => {
  const { index, names, isInOrder, mayRepeat, edges } = await scan(path, name);
  const places = mayRepeat ? withoutRepeats(index) : index.atMs.map((_, place) => place);
  const order = isInOrder ? places : places.toSorted(comparing(index, names));
  await using file = await open(path, 'r');
  await replaceAtomically(path, linesInOrder(file, index, order), true);
  return edges;
};
