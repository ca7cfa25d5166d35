// The contract of a reader of bodies, and which one reads what: by the content type of the answer.
// A body of no known type is read as server-sent events: of anything else that counts nothing.
import { createDocumentReader } from './document-reader.ts';
import { createLineReader } from './line-reader.ts';
import { createSseReader } from './sse-reader.ts';
import { createTextReader } from './text-reader.ts';

/** Text is taken as latin1, which no cut can break; only an error's text is decoded as UTF-8. */
export type ContentReader = {
  readonly feed: (text: string) => void;
  /** The message has ended as announced. */
  readonly end: () => void;
  /** Data events with content, as far as they are complete: what is billed. */
  readonly events: () => number;
  readonly comments: () => number;
  /** Units that the answer itself reports; null while it has not. */
  readonly usage: () => number | null;
  readonly endMark: () => boolean;
  /** Text of the first error event. */
  readonly errorEvent: () => string | null;
};

/** @param contentType of the answer's head */
export const createContentReader = (contentType: string | undefined): ContentReader => {
  const type = (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (/^application\/(x-)?(ndjson|jsonl|jsonlines)$/.test(type)) return createLineReader();
  if (/^application\/([\w.-]+\+)?json$/.test(type)) return createDocumentReader();
  return type === 'text/plain' ? createTextReader() : createSseReader();
};
