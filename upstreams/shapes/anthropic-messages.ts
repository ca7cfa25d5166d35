// Anthropic's messages: named server-sent events between `message_start` and `message_stop`, kept warm by `ping`
// events rather than comments, the usage in `message_delta`; or one JSON document.
// Source: "Streaming messages", "Messages" and "Errors" of Anthropic's API documentation.
import type { Format, ShapeDefinition, Subject } from './shape.ts';
import { documentWith, errorMessage, EVENT_STREAM, eventWith, MODEL, typed } from './text.ts';

const DELTA = 'content_block_delta';

const identity = ({ label }: Subject): string => `"id":"msg_${label}","type":"message","role":"assistant","model":"${MODEL}"`;

const stream: Format = {
  contentType: EVENT_STREAM,
  opening: (subject) =>
    typed(
      'message_start',
      `,"message":{${identity(subject)},"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}`,
    ) + typed('content_block_start', ',"index":0,"content_block":{"type":"text","text":""}'),
  opensWith: 'head',
  event: (subject, bytes) =>
    eventWith(
      [`event: ${DELTA}\ndata: {"type":"${DELTA}","index":0,"delta":{"type":"text_delta","text":"`],
      subject, '"}}\n\n', bytes,
    ),
  comment: () => typed('ping', ''),
  usage: (_subject, events) =>
    typed('content_block_stop', ',"index":0') +
    typed('message_delta', `,"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":${events}}`),
  endMark: () => typed('message_stop', ''),
  closing: () => '',
};

const whole = documentWith({
  opening: (subject) => `{${identity(subject)},"content":[{"type":"text","text":"`,
  closing: (_subject, { usage }) =>
    `"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":${usage ?? 0}}}`,
});

/** Names that the API gives to its statuses; any other is `api_error`. */
const ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error', 401: 'authentication_error', 403: 'permission_error', 404: 'not_found_error',
  413: 'request_too_large', 429: 'rate_limit_error', 529: 'overloaded_error',
};

export const definition: ShapeDefinition = {
  kind: 'anthropic-messages',
  about: 'Anthropic messages, streamed as named server-sent events or as one JSON document',
  fields: { options: {} },
  example: null,
  paths: ['/v1/messages', '/messages'],
  stream,
  whole,
  error: (status) =>
    JSON.stringify({ type: 'error', error: { type: ERRORS[status] ?? 'api_error', message: errorMessage(status) }, request_id: null }),
};
