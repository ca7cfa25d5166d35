// A line is what stands between two line feeds, whatever else is in it, and wherever the bytes were cut on their way.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished, expect, test } from 'vitest';
import { linesOf, onLines } from './lines.ts';

const TEXTS = ['a\u2028b', '\u2029', 'c\u0085d', 'e\rf', '', 'ü€😀'];
const BYTES = Buffer.from(TEXTS.map((text) => `${JSON.stringify(text)}\n`).join(''));
/** As characters of JSON, which escapes CR and leaves the separators as they are. */
const LINES = TEXTS.map((text) => JSON.stringify(text));

const cutInto = (bytes: Buffer, length: number): readonly Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) => bytes.subarray(index * length, (index + 1) * length));

const all = async (pieces: readonly Buffer[]): Promise<readonly string[]> => {
  const lines: string[] = [];
  for await (const line of linesOf(Readable.from(pieces))) lines.push(line);
  return lines;
};

test.each([1, 2, 3, 7, 1_000])('in pieces of %i bytes the lines are the same', async (length) => {
  expect(await all(cutInto(BYTES, length))).toEqual(LINES);
  const seen: string[] = [];
  await new Promise<void>((resolve) => onLines(Readable.from(cutInto(BYTES, length)), (line) => void seen.push(line), resolve));
  expect(seen).toEqual(LINES);
});

test('an empty line is one, a last one without an end too, and nothing is none', async () => {
  const of = (text: string): Promise<readonly string[]> => all(text === '' ? [] : [Buffer.from(text)]);
  expect(await of('a\n\nb')).toEqual(['a', '', 'b']);
  expect(await of('a\n')).toEqual(['a']);
  expect(await of('')).toEqual([]);
});

test('an actor takes a command with a line separator in it, and answers with one', async () => {
  const code = `import { runActor } from ${JSON.stringify(join(import.meta.dirname, 'actor.ts'))};
    runActor('echo', () => ({ echo: ({ text }) => text }));`;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const replies: unknown[] = [];
  const ended = new Promise<void>((resolve) => onLines(child.stdout, (line) => void replies.push(JSON.parse(line)), resolve));
  TEXTS.forEach((text, id) => child.stdin.write(`${JSON.stringify({ id, to: 'echo', do: 'echo', text })}\n`));
  await expect.poll(() => replies.length, { timeout: 10_000, message: 'a reply to each command' }).toBe(TEXTS.length);
  expect(replies).toEqual(TEXTS.map((value, re) => ({ re, ok: true, value })));
  child.stdin.end();
  await ended;
});
