// Reads one JSON document. It is worth nothing until it is whole: then it counts as many events as its usage
// says, or one. Empty lines before it keep the connection warm (DeepSeek's API sends them) and are comments.
import type { ContentReader } from './content-reader.ts';
import { errorText, parseObject, usageIn } from './data-events.ts';

/** A longer one is not parsed: its usage is looked for at its end. */
const DOCUMENT_LIMIT = 4 * 1024 * 1024;
const TAIL = 2_048;
const UNITS = /"(?:completion_tokens|output_tokens|eval_count)"\s*:\s*(\d{1,15})(?!.*"(?:completion_tokens|output_tokens|eval_count)")/s;

type Read = { readonly events: number; readonly usage: number | null; readonly endMark: boolean; readonly errorEvent: string | null };

const NOTHING: Read = { events: 0, usage: null, endMark: false, errorEvent: null };

const readDocument = (text: string): Read => {
  const data = parseObject(Buffer.from(text, 'latin1').toString('utf8'));
  if (!data) return NOTHING;
  if (data.error !== undefined && data.error !== null) return { ...NOTHING, errorEvent: errorText(text) };
  const usage = usageIn(data);
  return { events: usage ?? 1, usage, endMark: true, errorEvent: null };
};

const readTail = (tail: string): Read => {
  const units = UNITS.exec(tail)?.[1];
  const usage = units === undefined ? null : Number(units);
  return { events: usage ?? 1, usage, endMark: true, errorEvent: null };
};

/** One answer's reader. */
export const createDocumentReader = (): ContentReader => {
  let text = '';
  let isLong = false;
  let comments = 0;
  let read = NOTHING;
  const skipBlank = (piece: string): string => {
    const begun = piece.replace(/^[ \t\r\n]+/, '');
    comments += piece.slice(0, piece.length - begun.length).split('\n').length - 1;
    return begun;
  };
  return {
    feed: (piece) => {
      text += text === '' ? skipBlank(piece) : piece;
      if (text.length <= DOCUMENT_LIMIT) return;
      isLong = true;
      // The beginning is dropped, and not the whole text each time.
      text = text.slice(-TAIL - DOCUMENT_LIMIT / 2);
    },
    end: () => {
      read = isLong ? readTail(text.slice(-TAIL)) : readDocument(text);
      text = '';
    },
    events: () => read.events,
    comments: () => comments,
    usage: () => read.usage,
    endMark: () => read.endMark,
    errorEvent: () => read.errorEvent,
  };
};
