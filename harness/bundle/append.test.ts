// A disk that does not keep up, as a pipe that nobody reads: recording goes on at once, memory stays where it is, and
// what could not be taken is told.
import { execFileSync } from 'node:child_process';
import { constants, mkdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { nowMs } from '../model/time.ts';
import type { Observation } from '../model/observation.ts';
import { createAppender } from './append.ts';
import { temporaryFolder } from './fixture.ts';
import { createRecorder } from './record.ts';
import { createRedactor } from './redact.ts';

const CHUNK = `${'x'.repeat(1023)}\n`;

const neverFails = (error: unknown): never => {
  throw error;
};

/** @param path made as a pipe, open for reading, of which nothing is read yet */
const stuckFile = (path: string): Promise<FileHandle> => {
  execFileSync('mkfifo', [path]);
  return open(path, constants.O_RDONLY | constants.O_NONBLOCK);
};

/** All that comes until that, and what the pipe still holds then. */
const readAll = async (file: FileHandle, isOver: () => boolean): Promise<string> => {
  let text = '';
  for (let isLast = false; !isLast; ) {
    isLast = isOver();
    const { bytesRead, buffer } = await file.read(Buffer.alloc(1 << 20), 0, 1 << 20, null).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EAGAIN') return { bytesRead: 0, buffer: Buffer.alloc(0) };
      throw error;
    });
    text += buffer.toString('latin1', 0, bytesRead);
    await setImmediate();
  }
  return text;
};

it('refuses what memory should not hold, and takes again when half of it is written', async () => {
  const path = join(temporaryFolder(), 'pipe');
  const reader = await stuckFile(path);
  const file = await createAppender(path, neverFails, 1024 * 1024);
  let taken = 0;
  const beganMs = nowMs();
  for (let count = 0; count < 4_096; count += 1) if (file.add(CHUNK)) taken += 1;
  expect(nowMs() - beganMs).toBeLessThan(2_000);
  expect(taken).toBe(1024);
  await setImmediate();
  expect(file.add(CHUNK)).toBe(false);
  let isFlushed = false;
  void file.flush().then(() => (isFlushed = true));
  expect(await readAll(reader, () => isFlushed)).toHaveLength(taken * CHUNK.length);
  expect(file.add(CHUNK)).toBe(true);
  await file.close();
  await reader.close();
});

it('writes all in order, and what comes while it writes in one go', async () => {
  const path = join(temporaryFolder(), 'file');
  const file = await createAppender(path, neverFails);
  for (let count = 0; count < 50_000; count += 1) {
    expect(file.add(`${count}\n`)).toBe(true);
    if (count % 1_000 === 0) await setImmediate();
  }
  await file.flush();
  expect(readFileSync(path, 'utf8').split('\n').slice(0, -1).map(Number)).toEqual(Array.from({ length: 50_000 }, (_, count) => count));
  await file.close();
  file.add('later\n');
  await file.flush();
  expect(readFileSync(path, 'utf8')).not.toContain('later');
});

it('tells as a fact, where the loss began, how many observations a slow disk has cost', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'sockets'));
  const reader = await stuckFile(join(folder, 'timeline.ndjson'));
  const recorder = await createRecorder(folder, createRedactor(), neverFails, async () => {});
  const COUNT = 30_000;
  for (let seq = 1; seq <= COUNT; seq += 1) {
    recorder.observe({ atMs: seq, actor: 'harness', seq, type: 'precondition', name: CHUNK, met: true, detail: '' });
    if (seq % 500 === 0) await setImmediate();
  }
  let isClosed = false;
  void recorder.close().then(() => (isClosed = true));
  const text = await readAll(reader, () => isClosed);
  const read = text.trimEnd().split('\n').map((line) => JSON.parse(line) as Observation);
  const kept = read.filter(({ actor }) => actor === 'harness');
  const dropped = read.filter((each) => each.type === 'events-dropped');
  expect(kept.length).toBeLessThan(COUNT / 2);
  expect(dropped).toEqual([{ atMs: kept.length + 1, actor: 'lag.evidence', seq: 1, type: 'events-dropped', process: 'evidence', count: COUNT - kept.length }]);
  await reader.close();
});
