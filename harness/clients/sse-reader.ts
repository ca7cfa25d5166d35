// Reads server-sent events as they come, however the bytes are cut, by the line rules of the HTML standard
// (9.2.6). It counts what is billed: data events with content; usage, end mark and comments are not.
import type { ContentReader } from './content-reader.ts';
import { errorText, meaningOf } from './data-events.ts';
import { createLines } from './lines.ts';

/** One answer's reader. */
export const createSseReader = (): ContentReader => {
  let data: string | null = null;
  let name = '';
  let events = 0;
  let comments = 0;
  let usage: number | null = null;
  let endMark = false;
  let errorEvent: string | null = null;

  const dispatch = (): void => {
    if (data !== null) {
      const meaning = meaningOf(data, name);
      usage = meaning.usage ?? usage;
      if (meaning.kind === 'content') events += 1;
      else if (meaning.kind === 'comment') comments += 1;
      else if (meaning.kind === 'end-mark') endMark = true;
      else if (meaning.kind === 'error') errorEvent ??= errorText(data);
    } else if (name === 'error') errorEvent ??= 'event: error';
    data = null;
    name = '';
  };
  const readLine = (line: string): void => {
    if (line === '') dispatch();
    else if (line.startsWith(':')) comments += 1;
    else {
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
      if (field === 'data') data = data === null ? value : `${data}\n${value}`;
      else if (field === 'event') name = value;
    }
  };
  return {
    feed: createLines(readLine),
    // What has no empty line after it is no event, however the message ends.
    end: () => {},
    events: () => events,
    comments: () => comments,
    usage: () => usage,
    endMark: () => endMark,
    errorEvent: () => errorEvent,
  };
};
