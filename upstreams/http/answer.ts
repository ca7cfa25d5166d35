// The text of response heads. Nothing in it is volatile (no date), so that two answers of one
// behaviour differ only by what the behaviour says.
import type { Refusal } from './head.ts';
import { statusText } from './status-text.ts';

export const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** @param fields header lines by name; an undefined one is left out */
export const headText = (status: number, fields: Readonly<Record<string, string | undefined>>): string => {
  let text = `HTTP/1.1 ${status} ${statusText(status)}\r\n`;
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) text += `${name}: ${value}\r\n`;
  return `${text}\r\n`;
};

/** A whole answer to a request that could not be understood; the connection ends with it. */
export const refusalText = ({ status, reason }: Refusal): string =>
  headText(status, { 'content-type': 'text/plain', 'content-length': String(reason.length + 1), connection: 'close' }) + `${reason}\n`;

/** One chunk of a chunked body (RFC 9112 7.1). `latin1` has one character a byte. */
export const chunkText = (latin1: string): string => `${latin1.length.toString(16)}\r\n${latin1}\r\n`;

export const LAST_CHUNK = '0\r\n\r\n';

/** Text as the bytes of its UTF-8, one character a byte, so that lengths are bytes. */
export const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
