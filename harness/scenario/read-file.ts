// A file's bytes as text, or the reason why not, before any parser sees them: bounded size, UTF-8,
// no control characters.
import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { messageOf } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { scenarioProblem } from './codes.ts';
import { createSource, locationAt } from './source.ts';
import type { Source } from './source.ts';

/** A scenario or a card is a page of text; more is a mistake and would only be slow. */
export const MAXIMUM_FILE_BYTES = 1024 * 1024;

export type ReadResult = { readonly source: Source; readonly problems: readonly Problem[] };

const NEWLINE = 0x0a;
// Tab, line feed and carriage return are the only ones that have a meaning in YAML.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

const sequenceLength = (lead: number): number => (lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1);

/** Line and column (both from 1, in characters) of the first byte that is not UTF-8. */
const firstBadByte = (bytes: Buffer): { readonly line: number; readonly column: number } => {
  let line = 1;
  let start = 0;
  for (;;) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    if (newline === -1 || !isUtf8(bytes.subarray(start, end))) break;
    start = end + 1;
    line += 1;
  }
  let column = 1;
  for (let at = start; at < bytes.length; column += 1) {
    const length = sequenceLength(bytes[at]!);
    if (!isUtf8(bytes.subarray(at, at + length))) break;
    at += length;
  }
  return { line, column };
};

const readBounded = async (path: string): Promise<Buffer | 'too-large' | 'not-a-file'> => {
  await using handle = await open(path, 'r');
  const stat = await handle.stat();
  if (!stat.isFile()) return 'not-a-file';
  if (stat.size > MAXIMUM_FILE_BYTES) return 'too-large';
  // One byte more than allowed shows a file that grew meanwhile.
  const buffer = Buffer.alloc(MAXIMUM_FILE_BYTES + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length > MAXIMUM_FILE_BYTES ? 'too-large' : buffer.subarray(0, length);
};

/** Checks bytes that are already in memory. @param file as shown to the user */
export const decodeText = (file: string, bytes: Buffer): ReadResult => {
  if (!isUtf8(bytes)) {
    const { line, column } = firstBadByte(bytes);
    const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    const excerpt = locationAt(createSource(file, bytes.toString('utf8').split('\n')[line - 1] ?? ''), column - 1).excerpt;
    return {
      source: createSource(file, ''),
      problems: [
        scenarioProblem(
          'not-utf8',
          'the file is not valid UTF-8',
          { file, line, column, ...(excerpt === undefined ? {} : { excerpt }) },
          wide ? 'it looks like UTF-16; save it as UTF-8' : 'save the file as UTF-8',
        ),
      ],
    };
  }
  const source = createSource(file, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  const control = CONTROL.exec(source.text);
  if (!control) return { source, problems: [] };
  const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return {
    source,
    problems: [
      scenarioProblem(
        'control-character',
        `control character U+${code} in the text`,
        locationAt(source, control.index),
        'remove it; in a quoted text write an escape such as "\\u0000"',
      ),
    ],
  };
};

/** @param path where it is; @param file how it is called in messages */
export const readText = async (path: string, file: string): Promise<ReadResult> => {
  const fail = (code: 'file-unreadable' | 'file-too-large', message: string, hint: string, cause?: unknown): ReadResult => ({
    source: createSource(file, ''),
    problems: [scenarioProblem(code, message, { file, line: 1, column: 1 }, hint, cause)],
  });
  try {
    const bytes = await readBounded(path);
    if (bytes === 'not-a-file') return fail('file-unreadable', 'not a regular file', 'name a YAML file or a folder of them');
    if (bytes === 'too-large')
      return fail(
        'file-too-large',
        `the file is larger than ${MAXIMUM_FILE_BYTES} bytes`,
        'a scenario or card is a page of text; is this the right file?',
      );
    return decodeText(file, bytes);
  } catch (error) {
    return fail('file-unreadable', `cannot be read: ${messageOf(error)}`, 'check its permissions', error);
  }
};
