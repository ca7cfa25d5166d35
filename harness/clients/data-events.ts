// What the data of one server-sent event, or one line of JSON, means in the APIs that we know. They are told
// apart by what is in them: a system may translate one API into another.
// Sources: the API references of OpenAI (chat completion chunk, responses streaming), Anthropic (streaming
// messages) and Ollama (streaming).

/** `content` is what is billed; `comment` keeps the connection warm and says nothing. */
export type Meaning = {
  readonly kind: 'content' | 'comment' | 'end-mark' | 'error' | 'other';
  /** Units that the event reports. */
  readonly usage: number | null;
};

type Json = Readonly<Record<string, unknown>>;

const asJson = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** The object that a text is, or null. */
export const parseObject = (text: string): Json | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : null;
  } catch {
    return null;
  }
};

const ERROR_LIMIT = 500;

/** How an error's text is kept. */
export const errorText = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('utf8').slice(0, ERROR_LIMIT);

const UNITS = ['completion_tokens', 'output_tokens'] as const;

/** Units in `usage` of a chunk, a message or a whole answer, or beside it (Ollama). */
export const usageIn = (data: Json): number | null => {
  const usage = asJson(data.usage ?? asJson(data.response).usage);
  const units = [...UNITS.map((name) => usage[name]), data.eval_count].find((value) => Number.isSafeInteger(value) && Number(value) >= 0);
  return units === undefined ? null : Number(units);
};

const ENDS: readonly unknown[] = ['response.completed', 'response.incomplete', 'message_stop'];
const DELTAS: readonly unknown[] = ['response.output_text.delta', 'content_block_delta'];

const hasDelta = ({ delta }: Json): boolean =>
  isText(delta) || ['text', 'thinking', 'partial_json'].some((key) => isText(asJson(delta)[key]));

const hasContent = (data: Json): boolean => {
  if (DELTAS.includes(data.type)) return hasDelta(data);
  const choices = Array.isArray(data.choices) ? data.choices.map(asJson) : [];
  return choices.some((choice) => isText(asJson(choice.delta).content) || isText(choice.text));
};

const isError = (data: Json): boolean =>
  data.type === 'error' || data.type === 'response.failed' || (data.error !== undefined && data.error !== null);

/** @param name of the server-sent event, '' where it has none */
export const meaningOf = (text: string, name: string): Meaning => {
  if (text === '[DONE]') return { kind: 'end-mark', usage: null };
  const data = parseObject(text);
  if (name === 'error' || (data && isError(data))) return { kind: 'error', usage: null };
  if (!data) return { kind: 'other', usage: null };
  // The message's start has a usage too, of what was read so far.
  const usage = data.type === 'message_start' ? null : usageIn(data);
  if (data.type === 'ping') return { kind: 'comment', usage };
  if (ENDS.includes(data.type)) return { kind: 'end-mark', usage };
  return { kind: hasContent(data) ? 'content' : 'other', usage };
};

/** A line of a stream of JSON lines: every one is content, but for the last, errors, and what says nothing. */
export const meaningOfLine = (text: string): Meaning => {
  const data = parseObject(text);
  if (!data) return { kind: 'other', usage: null };
  if (isError(data)) return { kind: 'error', usage: null };
  const usage = usageIn(data);
  if (data.done === true) return { kind: 'end-mark', usage };
  const content = asJson(data.message).content ?? data.response;
  return { kind: content === '' ? 'other' : 'content', usage };
};
