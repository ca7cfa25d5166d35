// The ordered set-up steps of a card, run from inside the stage: statements, requests with captures.
// Cookies are kept from one request to the next.
import { messageOf, problem } from '../model/problem.ts';
import type { Send } from '../model/protocol.ts';
import { selectPath } from '../probes/http.ts';
import { askSystem, fillRequest } from './ask-system.ts';
import type { HttpAnswer } from './ask-system.ts';
import type { Card, SetupStep } from './card.ts';
import { fillText } from './template.ts';
import type { Values } from './template.ts';

export type SetupContext = {
  readonly card: Card;
  readonly send: Send;
  /** `http://address:port` of the system. */
  readonly baseUrl: string;
  readonly ledgerPath: string | null;
  /** Stops a process of the card as the card says, and starts it again: all instances of it. */
  readonly restart: (process: string) => Promise<void>;
};

type RequestStep = Extract<SetupStep, { readonly request: unknown }>['request'];
type Step = { readonly where: string; readonly values: Values; readonly context: SetupContext };

const HTTP_LIMIT_MS = 15_000;
const DONE: readonly number[] = [200, 201, 204];
const HINT_CHARACTERS = 300;

const failed = (where: string, message: string, hint?: string, cause?: unknown): Error =>
  problem('environment', 'setup-failed', `${where}: ${message}`, { ...(hint ? { hint } : {}), cause });

const runSql = async (sql: string, { where, values, context }: Step): Promise<void> => {
  const { ledgerPath, send } = context;
  if (ledgerPath === null) throw problem('scenario', 'no-ledger', `${where}: sql needs a ledger in the card`);
  const statement = fillText(sql, values, where);
  await send('probes', { do: 'sql', path: ledgerPath, statements: [{ sql: statement }] }).catch((cause: unknown) => {
    // As the card has it: what was filled in may be a secret.
    throw failed(where, messageOf(cause), sql, cause);
  });
};

const valueAt = (json: unknown, path: string, where: string): unknown => {
  try {
    return selectPath(json, path);
  } catch (cause) {
    throw failed(where, messageOf(cause), undefined, cause);
  }
};

const jsonOf = (answer: HttpAnswer, where: string): unknown => {
  try {
    return JSON.parse(answer.body);
  } catch (cause) {
    throw failed(where, 'the answer is not JSON, and something is captured from it', answer.body.slice(0, HINT_CHARACTERS), cause);
  }
};

const captured = (wanted: Readonly<Record<string, string>>, answer: HttpAnswer, where: string): Values => {
  const entries = Object.entries(wanted);
  if (entries.length === 0) return {};
  const json = jsonOf(answer, where);
  return Object.fromEntries(
    entries.map(([name, path]) => {
      const found = valueAt(json, path, where);
      if (found === null || typeof found === 'object') {
        throw failed(
          where,
          `the answer has no ${path}${found === null ? '' : ' that is a text or a number'}`,
          answer.body.slice(0, HINT_CHARACTERS),
        );
      }
      return [name, String(found)];
    }),
  );
};

/** Adds the answer's cookies, by name. */
const keepCookies = (cookies: Map<string, string>, answer: HttpAnswer): void => {
  const header = answer.headers['set-cookie'] ?? [];
  for (const line of typeof header === 'string' ? [header] : header) {
    const [pair = ''] = line.split(';');
    cookies.set(pair.split('=')[0]!.trim(), pair.trim());
  }
};

const runRequest = async (request: RequestStep, cookies: Map<string, string>, { where, values, context }: Step): Promise<Values> => {
  const own: Record<string, string> = cookies.size > 0 ? { cookie: [...cookies.values()].join('; ') } : {};
  const filled = fillRequest(request, values, where, own);
  const answer = await askSystem(context.send, context.baseUrl, filled, HTTP_LIMIT_MS).catch((cause: unknown) => {
    throw failed(where, messageOf(cause), undefined, cause);
  });
  if (!(request.expect ?? DONE).includes(answer.status)) {
    throw failed(where, `${request.method} ${request.path} answered ${answer.status}`, answer.body.slice(0, HINT_CHARACTERS));
  }
  keepCookies(cookies, answer);
  return captured(request.capture, answer, where);
};

/**
 * Runs the steps in order.
 * @returns the values captured on the way, added to those given
 * @throws ProblemError `setup-failed` naming the step, with the database's or the system's message
 */
export const runSetup = async (steps: readonly SetupStep[], given: Values, context: SetupContext): Promise<Values> => {
  let values = given;
  const cookies = new Map<string, string>();
  for (const [index, step] of steps.entries()) {
    const where = `${context.card.file}: set-up step ${index + 1}`;
    if ('restart' in step) await context.restart(step.restart);
    else if ('sql' in step) await runSql(step.sql, { where, values, context });
    else values = { ...values, ...(await runRequest(step.request, cookies, { where, values, context })) };
  }
  return values;
};
