// OpenAI's responses: named server-sent events with a running `sequence_number` and no `[DONE]`, or one JSON
// document. `response.completed` is the end mark and carries the usage: the two are one event.
// Source: the streaming events of the responses API in OpenAI's API reference.
import type { Format, ShapeDefinition, Subject, Totals } from './shape.ts';
import { documentWith, EVENT_STREAM, eventWith, MODEL, openaiError, typed, wholeText } from './text.ts';

const DELTA = 'response.output_text.delta';
/** Events of the opening: the first delta's number is its own plus as many, less one. */
const OPENING = 4;
const AT = '"output_index":0,"content_index":0';

const usageJson = (events: number): string =>
  '{"input_tokens":0,"input_tokens_details":{"cached_tokens":0},' +
  `"output_tokens":${events},"output_tokens_details":{"reasoning_tokens":0},"total_tokens":${events}}`;

const identity = ({ label, createdS }: Subject, status: string): string =>
  `"id":"resp_${label}","object":"response","created_at":${createdS},"status":"${status}",` +
  `"error":null,"incomplete_details":null,"metadata":{},"model":"${MODEL}","parallel_tool_calls":true,"tool_choice":"auto","tools":[]`;

const part = (text: string): string => `{"type":"output_text","annotations":[],"text":"${text}"}`;
const item = ({ label }: Subject, status: string, parts: string): string =>
  `{"id":"msg_${label}","type":"message","status":"${status}","role":"assistant","content":[${parts}]}`;

const opening = (subject: Subject): string => {
  const begun = `{${identity(subject, 'in_progress')},"output":[],"usage":null}`;
  return [
    typed('response.created', `,"sequence_number":0,"response":${begun}`),
    typed('response.in_progress', `,"sequence_number":1,"response":${begun}`),
    typed('response.output_item.added', `,"sequence_number":2,"output_index":0,"item":${item(subject, 'in_progress', '')}`),
    typed('response.content_part.added', `,"sequence_number":3,"item_id":"msg_${subject.label}",${AT},"part":${part('')}`),
  ].join('');
};

const endMark = (subject: Subject, { events, usage }: Totals): string => {
  const text = wholeText(subject, events);
  const done = item(subject, 'completed', part(text));
  const of = (after: number): string => `,"sequence_number":${events + OPENING + after}`;
  const whole = `{${identity(subject, 'completed')},"output":[${done}],"usage":${usage === null ? 'null' : usageJson(usage)}}`;
  return [
    typed('response.output_text.done', `${of(0)},"item_id":"msg_${subject.label}",${AT},"logprobs":[],"text":"${text}"`),
    typed('response.content_part.done', `${of(1)},"item_id":"msg_${subject.label}",${AT},"part":${part(text)}`),
    typed('response.output_item.done', `${of(2)},"output_index":0,"item":${done}`),
    typed('response.completed', `${of(3)},"response":${whole}`),
  ].join('');
};

const stream: Format = {
  contentType: EVENT_STREAM,
  opening,
  opensWith: 'head',
  event: (subject, bytes) =>
    eventWith(
      [`event: ${DELTA}\ndata: {"type":"${DELTA}","sequence_number":`, OPENING - 1, `,"item_id":"msg_${subject.label}",${AT},"delta":"`],
      subject, '","logprobs":[]}\n\n', bytes,
    ),
  comment: (text) => `: ${text}\n\n`,
  usage: () => '',
  endMark,
  closing: () => '',
};

const whole = documentWith({
  opening: (subject) =>
    `{${identity(subject, 'completed')},"output":[{"id":"msg_${subject.label}","type":"message","status":"completed","role":"assistant",` +
    '"content":[{"type":"output_text","annotations":[],"text":"',
  closing: (_subject, { usage }) => `"}]}]${usage === null ? '' : `,"usage":${usageJson(usage)}`}}`,
});

export const definition: ShapeDefinition = {
  kind: 'openai-responses',
  about: 'OpenAI responses, streamed as named server-sent events or as one JSON document',
  fields: { options: {} },
  example: null,
  paths: ['/v1/responses', '/responses'],
  stream,
  whole,
  error: openaiError,
};
