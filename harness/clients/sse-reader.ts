// Reads server-sent events of the OpenAI chat shape as they come, however the bytes are cut. It counts
// what is billed: data events with content; usage events, the end mark and comments are not.
// Text is taken as latin1, which no cut can break; only an error's text is decoded as UTF-8.

export type SseReader = {
  readonly feed: (text: string) => void;
  readonly events: () => number;
  readonly comments: () => number;
  readonly endMark: () => boolean;
  /** Text of the first error event. */
  readonly errorEvent: () => string | null;
};

/** A line without an end would grow for ever: a plain body is no stream of events. */
const LINE_LIMIT = 1024 * 1024;
const ERROR_LIMIT = 500;

type Choice = { readonly delta?: { readonly content?: unknown }; readonly text?: unknown };

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const parse = (data: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};

const hasContent = (event: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(event.choices) &&
  (event.choices as (Choice | null)[]).some((choice) => isText(choice?.delta?.content) || isText(choice?.text));

/** One answer's reader. Lines end with LF or CR LF. */
export const createSseReader = (): SseReader => {
  let rest = '';
  let data: string | null = null;
  let name = '';
  let events = 0;
  let comments = 0;
  let endMark = false;
  let errorEvent: string | null = null;

  const dispatch = (): void => {
    if (data === '[DONE]') endMark = true;
    else if (data !== null) {
      const event = parse(data);
      const isError = name === 'error' || (event !== null && event.error !== undefined && event.error !== null);
      if (isError) errorEvent ??= Buffer.from(data, 'latin1').toString('utf8').slice(0, ERROR_LIMIT);
      else if (event !== null && hasContent(event)) events += 1;
    } else if (name === 'error') errorEvent ??= 'event: error';
    data = null;
    name = '';
  };
  const readLine = (line: string): void => {
    if (line === '') dispatch();
    else if (line.startsWith(':')) comments += 1;
    else {
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
      if (field === 'data') data = data === null ? value : `${data}\n${value}`;
      else if (field === 'event') name = value;
    }
  };
  return {
    feed: (text) => {
      let from = 0;
      for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
        const line = rest + text.slice(from, to);
        rest = '';
        readLine(line.endsWith('\r') ? line.slice(0, -1) : line);
        from = to + 1;
      }
      if (rest.length < LINE_LIMIT) rest += text.slice(from);
    },
    events: () => events,
    comments: () => comments,
    endMark: () => endMark,
    errorEvent: () => errorEvent,
  };
};
