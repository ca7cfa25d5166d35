// Reads a stream of JSON lines: an event a line, an empty line for a comment, the line that says `"done": true`
// for the end mark.
import type { ContentReader } from './content-reader.ts';
import { errorText, meaningOfLine } from './data-events.ts';
import { createLines } from './lines.ts';

/** One answer's reader. */
export const createLineReader = (): ContentReader => {
  let events = 0;
  let comments = 0;
  let usage: number | null = null;
  let endMark = false;
  let errorEvent: string | null = null;
  const feed = createLines((line) => {
    if (line === '') {
      comments += 1;
      return;
    }
    const meaning = meaningOfLine(line);
    usage = meaning.usage ?? usage;
    if (meaning.kind === 'content') events += 1;
    else if (meaning.kind === 'end-mark') endMark = true;
    else if (meaning.kind === 'error') errorEvent ??= errorText(line);
  });
  return {
    feed,
    end: () => {},
    events: () => events,
    comments: () => comments,
    usage: () => usage,
    endMark: () => endMark,
    errorEvent: () => errorEvent,
  };
};
