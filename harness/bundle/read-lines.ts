// Lines of a file that may be larger than memory should hold twice: block by block, so that others have their turn between.
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { problem } from '../model/problem.ts';

const BLOCK_BYTES = 1024 * 1024;
/** A sample of thousands of sockets has one; what is longer is no line that was ever written, and would be held whole. */
const MAXIMUM_LINE_BYTES = 32 * BLOCK_BYTES;
const NEWLINE = 10;

/** `offset` and `bytes` without the line end; `isWhole`: it has one. */
export type Line = { readonly text: string; readonly offset: number; readonly bytes: number; readonly isWhole: boolean };

const linesIn = (block: Buffer, offset: number): { readonly lines: readonly Line[]; readonly used: number } => {
  const lines: Line[] = [];
  let used = 0;
  for (let end = block.indexOf(NEWLINE); end >= 0; end = block.indexOf(NEWLINE, used)) {
    lines.push({ text: block.toString('utf8', used, end), offset: offset + used, bytes: end - used, isWhole: true });
    used = end + 1;
  }
  return { lines, used };
};

/** Each block's lines; a last one without an end by itself. @throws ProblemError `bundle-damaged` for a line that is none */
export async function* readLines(path: string): AsyncGenerator<readonly Line[]> {
  await using file = await open(path, 'r');
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  let count = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(BLOCK_BYTES), 0, BLOCK_BYTES, offset + rest.length);
    if (bytesRead === 0) break;
    const block = rest.length === 0 ? buffer.subarray(0, bytesRead) : Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const { lines, used } = linesIn(block, offset);
    yield lines;
    offset += used;
    rest = block.subarray(used);
    count += lines.length;
    if (rest.length > MAXIMUM_LINE_BYTES)
      throw problem('scenario', 'bundle-damaged', `${basename(path)}, line ${count + 1} is longer than ${MAXIMUM_LINE_BYTES} bytes`, {
        hint: 'it was not written by hangup as it stands; take the bundle again from where it was made',
      });
  }
  if (rest.length > 0) yield [{ text: rest.toString('utf8'), offset, bytes: rest.length, isWhole: false }];
}
