// OpenAI's chat completions: server-sent events, or one JSON document that grows as it is made, so
// that every behaviour (silence, a trickle, a cut) has its counterpart in a request not streamed.
// Source of the fields: the chat completion and chat completion chunk objects of OpenAI's API reference.
import type { Format, ShapeDefinition, Subject } from './shape.ts';

const MODEL = 'gpt-test';

const usageJson = (events: number): string =>
  `{"prompt_tokens":0,"completion_tokens":${events},"total_tokens":${events}}`;

const identity = (subject: Subject, object: string): string =>
  `"id":"chatcmpl-${subject.label}","object":"${object}","created":${subject.createdS},"model":"${MODEL}"`;

/** Filler up to `bytes`, taking one digit for the number. */
const padding = (before: string, after: string, bytes = 0): string =>
  '.'.repeat(Math.max(0, bytes - before.length - after.length - 1));

const stream: Format = {
  contentType: 'text/event-stream; charset=utf-8',
  opening: () => '',
  event: (subject, bytes) => {
    const before = `data: {${identity(subject, 'chat.completion.chunk')},"choices":[{"index":0,"delta":{"content":"${subject.label} `;
    const after = ' "},"finish_reason":null}]}\n\n';
    return [before, ` ${padding(before, after, bytes)}${after.slice(1)}`];
  },
  comment: (text) => `: ${text}\n\n`,
  usage: (subject, events) => `data: {${identity(subject, 'chat.completion.chunk')},"choices":[],"usage":${usageJson(events)}}\n\n`,
  endMark: 'data: [DONE]\n\n',
  closing: () => '',
};

const whole: Format = {
  contentType: 'application/json',
  opening: (subject) => `{${identity(subject, 'chat.completion')},"choices":[{"index":0,"message":{"role":"assistant","content":"`,
  event: (subject, bytes) => [`${subject.label} `, ` ${padding(subject.label, '  ', bytes)}`],
  // A blank within the content: what keeps a connection warm there without being an event.
  comment: () => ' ',
  usage: () => '',
  endMark: '',
  closing: (_subject, usage) => `"},"finish_reason":"stop"}]${usage === null ? '' : `,"usage":${usageJson(usage)}`}}`,
};

export const definition: ShapeDefinition = {
  kind: 'openai-chat',
  about: 'OpenAI chat completions, streamed as server-sent events or as one JSON document',
  fields: { options: {} },
  example: null,
  paths: ['/v1/chat/completions', '/chat/completions'],
  stream,
  whole,
};
