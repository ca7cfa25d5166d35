// Plain text: a line an event, no comments, no usage, no end mark. Only the framing of the message says whether
// it is whole. It is what any streaming proxy can be given, and no path asks for it: a scenario chooses it.
import type { Format, ShapeDefinition } from './shape.ts';
import { errorMessage, eventWith } from './text.ts';

const lines: Format = {
  contentType: 'text/plain; charset=utf-8',
  opening: () => '',
  opensWith: 'head',
  event: (subject, bytes) => eventWith([], subject, '\n', bytes),
  comment: null,
  usage: null,
  endMark: () => '',
  closing: () => '',
};

export const definition: ShapeDefinition = {
  kind: 'plain',
  about: 'plain text, a line an event; neither comments nor usage nor an end mark',
  fields: { options: {} },
  example: null,
  paths: [],
  stream: lines,
  whole: lines,
  error: (status) => JSON.stringify({ error: { message: errorMessage(status) } }),
};
