// OpenAI's chat completions. Source: the chat completion chunk object of OpenAI's API reference.
import { countOf, isJson, memberOf } from './json.ts';
import type { Json } from './json.ts';
import type { Part, Shape } from './shape.ts';

const usageOf = (answer: Json | null): number | undefined => countOf(memberOf(answer, 'usage')?.['completion_tokens']);

/** A delta that holds no more than a role, or nothing, is not content. */
const hasContent = (event: Json | null): boolean =>
  Array.isArray(event?.['choices']) &&
  event['choices'].some((choice: unknown) =>
    Object.entries(memberOf(isJson(choice) ? choice : null, 'delta') ?? {}).some(
      ([key, value]) => key !== 'role' && value !== null && value !== ''));

const partsOf = (event: Json | null, data: string): readonly Part[] => {
  if (data === '[DONE]') return [{ kind: 'end-mark' }];
  const usage = usageOf(event);
  const parts: Part[] = usage === undefined ? [] : [{ kind: 'usage', usage }];
  if (hasContent(event)) parts.push({ kind: 'content' });
  return parts.length > 0 ? parts : [{ kind: 'other' }];
};

const errorBody = (code: string, message: string): Json => ({ error: { message, type: 'router_error', code } });

export const chat: Shape = {
  path: '/v1/chat/completions',
  partsOf,
  usageOf,
  errorBody,
  errorEvent: (code, message) => `data: ${JSON.stringify(errorBody(code, message))}\n\n`,
};
