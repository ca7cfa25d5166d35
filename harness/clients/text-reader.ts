// Reads plain text: an event a line. There is no mark in it: the end of the message is all that says it is whole.
import type { ContentReader } from './content-reader.ts';
import { createLines } from './lines.ts';

/** One answer's reader. */
export const createTextReader = (): ContentReader => {
  let events = 0;
  let ended = false;
  return {
    feed: createLines(() => (events += 1)),
    end: () => {
      ended = true;
    },
    events: () => events,
    comments: () => 0,
    usage: () => null,
    endMark: () => ended,
    errorEvent: () => null,
  };
};
