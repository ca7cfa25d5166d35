// JSON lines as Ollama's chat streams them: one object a line, the last one `"done": true` with the count of
// tokens; an empty line is what keeps such a stream warm, which readers of the format may pass over.
// Source: "Streaming" and "Generate a chat message" of Ollama's API documentation.
import type { Format, ShapeDefinition, Subject, Totals } from './shape.ts';
import { documentWith, errorMessage, eventWith, MODEL } from './text.ts';

const identity = ({ createdS }: Subject): string => `"model":"${MODEL}","created_at":"${new Date(createdS * 1000).toISOString()}"`;

const counted = ({ usage }: Totals): string =>
  `"done":true,"done_reason":"stop"${usage === null ? '' : `,"prompt_eval_count":0,"eval_count":${usage}`}`;

const stream: Format = {
  contentType: 'application/x-ndjson',
  opening: () => '',
  opensWith: 'head',
  event: (subject, bytes) =>
    eventWith([`{${identity(subject)},"message":{"role":"assistant","content":"`], subject, '"},"done":false}\n', bytes),
  comment: () => '\n',
  usage: () => '',
  endMark: (subject, totals) => `{${identity(subject)},"message":{"role":"assistant","content":""},${counted(totals)}}\n`,
  closing: () => '',
};

const whole = documentWith({
  opening: (subject) => `{${identity(subject)},"message":{"role":"assistant","content":"`,
  closing: (_subject, totals) => `"},${counted(totals)}}`,
});

export const definition: ShapeDefinition = {
  kind: 'ndjson',
  about: 'JSON lines as of Ollama, streamed, or one JSON document',
  fields: { options: {} },
  example: null,
  paths: ['/api/chat'],
  stream,
  whole,
  error: (status) => JSON.stringify({ error: errorMessage(status) }),
};
