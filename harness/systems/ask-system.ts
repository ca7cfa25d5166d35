// Requests of the harness itself to the system (readiness, set-up, refund), sent from inside the stage;
// and the filling in that they share with the requests of clients.
import { messageOf } from '../model/problem.ts';
import type { Send } from '../model/protocol.ts';
import { fillDeep, fillMap, fillText } from './template.ts';
import type { Values } from './template.ts';

/** A request as a card has it. */
export type CardHttp = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
};

export type FilledRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty: none. */
  readonly body: string;
};

export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
};

/** The actor's own limit comes first, so that its message is the one that is shown. */
const REPLY_ALLOWANCE_MS = 2_000;

/** Later maps win over earlier ones, however the names are spelled. */
const mergeHeaders = (...maps: readonly Readonly<Record<string, string>>[]): Record<string, string> => {
  const byName = new Map(maps.flatMap((map) => Object.entries(map)).map(([name, value]) => [name.toLowerCase(), [name, value] as const]));
  return Object.fromEntries(byName.values());
};

/**
 * @param own headers that the card's may replace
 * @throws ProblemError `unknown-reference`
 */
export const fillRequest = (
  request: CardHttp,
  values: Values,
  where: string,
  own: Readonly<Record<string, string>> = {},
): FilledRequest => {
  const { body: wanted } = request;
  const body =
    wanted === undefined
      ? ''
      : typeof wanted === 'string'
        ? fillText(wanted, values, where)
        : JSON.stringify(fillDeep(wanted, values, where));
  return {
    method: request.method,
    path: fillText(request.path, values, where),
    headers: mergeHeaders(body === '' ? {} : { 'content-type': 'application/json' }, own, fillMap(request.headers, values, where)),
    body,
  };
};

/**
 * @param limitMs for the whole answer
 * @throws Error naming method and URL where no answer came
 */
export const askSystem = async (send: Send, baseUrl: string, request: FilledRequest, limitMs: number): Promise<HttpAnswer> => {
  const { method, path, headers, body } = request;
  const url = baseUrl + path;
  try {
    return (await send(
      'probes',
      { do: 'http', method, url, headers, limitMs, ...(body === '' ? {} : { body }) },
      limitMs + REPLY_ALLOWANCE_MS,
    )) as HttpAnswer;
  } catch (cause) {
    const message = messageOf(cause);
    throw new Error(message.includes(url) ? message : `${method} ${url}: ${message}`, { cause });
  }
};
