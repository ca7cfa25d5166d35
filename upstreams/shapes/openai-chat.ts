// OpenAI's chat completions: server-sent events without names that end with `[DONE]`, or one JSON document.
// Source: the chat completion and chat completion chunk objects of OpenAI's API reference; the usage
// chunk without choices is what `stream_options.include_usage` asks for.
import type { Format, ShapeDefinition, Subject } from './shape.ts';
import { documentWith, EVENT_STREAM, eventWith, MODEL, openaiError } from './text.ts';

const usageJson = (events: number): string =>
  `{"prompt_tokens":0,"completion_tokens":${events},"total_tokens":${events}}`;

const identity = (subject: Subject, object: string): string =>
  `"id":"chatcmpl-${subject.label}","object":"${object}","created":${subject.createdS},"model":"${MODEL}"`;

const stream: Format = {
  contentType: EVENT_STREAM,
  opening: () => '',
  opensWith: 'head',
  event: (subject, bytes) =>
    eventWith(
      [`data: {${identity(subject, 'chat.completion.chunk')},"choices":[{"index":0,"delta":{"content":"`],
      subject, '"},"finish_reason":null}]}\n\n', bytes,
    ),
  comment: (text) => `: ${text}\n\n`,
  usage: (subject, events) => `data: {${identity(subject, 'chat.completion.chunk')},"choices":[],"usage":${usageJson(events)}}\n\n`,
  endMark: () => 'data: [DONE]\n\n',
  closing: () => '',
};

const whole = documentWith({
  opening: (subject) => `{${identity(subject, 'chat.completion')},"choices":[{"index":0,"message":{"role":"assistant","content":"`,
  closing: (_subject, { usage }) => `"},"finish_reason":"stop"}]${usage === null ? '' : `,"usage":${usageJson(usage)}`}}`,
});

export const definition: ShapeDefinition = {
  kind: 'openai-chat',
  about: 'OpenAI chat completions, streamed as server-sent events or as one JSON document',
  fields: { options: {} },
  example: null,
  paths: ['/v1/chat/completions', '/chat/completions'],
  stream,
  whole,
  error: openaiError,
};
