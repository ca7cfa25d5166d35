// Lines of bytes that come in pieces. They end at a line feed and nowhere else: a text in JSON may hold U+2028 and U+2029 as they
// are, at which `node:readline` ends lines too, and what was one fact would be two halves of none.
import type { Readable } from 'node:stream';

const NEWLINE = 10;

/** Takes a piece; gives the lines that are complete by it, without their ends. */
type Splitter = { readonly push: (piece: Buffer) => readonly string[]; readonly rest: () => string };

const createSplitter = (): Splitter => {
  // Kept in pieces: a line of many megabytes would be copied anew with each of them.
  let open: Buffer[] = [];
  return {
    push: (piece) => {
      const lines: string[] = [];
      let used = 0;
      for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, used)) {
        const line = open.length === 0 ? piece.subarray(used, end) : Buffer.concat([...open, piece.subarray(used, end)]);
        lines.push(line.toString('utf8'));
        open = [];
        used = end + 1;
      }
      if (used < piece.length) open.push(piece.subarray(used));
      return lines;
    },
    rest: () => Buffer.concat(open).toString('utf8'),
  };
};

/** A last line without an end is one too. @param pieces of bytes, such as `createReadStream` gives */
export async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const { push, rest } = createSplitter();
  for await (const piece of pieces) yield* push(piece);
  const last = rest();
  if (last !== '') yield last;
}

/** The same where a process is spoken to: each line as it comes, and then that there are no more. */
export const onLines = (stream: Readable, receive: (line: string) => void, onEnd: () => void = () => {}): void => {
  const { push, rest } = createSplitter();
  stream.on('data', (piece: Buffer) => {
    for (const line of push(piece)) receive(line);
  });
  stream.on('end', () => {
    const last = rest();
    if (last !== '') receive(last);
    onEnd();
  });
};
