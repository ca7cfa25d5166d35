// The ordered set-up steps of a card, run from inside the stage: statements, requests with
// captures, restarts. Cookies are kept from one request to the next.
import type { Send } from '../model/protocol.ts';
import { problem } from '../model/problem.ts';
import type { Card, SetupStep } from './card.ts';
import { fillDeep, fillMap, fillText } from './template.ts';
import type { Values } from './template.ts';

export type HttpAnswer = { readonly status: number; readonly headers: Readonly<Record<string, string | readonly string[]>>; readonly body: string };

export type SetupContext = {
  readonly card: Card;
  readonly send: Send;
  /** `http://address:port` of the system. */
  readonly baseUrl: string;
  readonly ledgerPath: string | null;
  readonly restart: (process: string) => Promise<void>;
};

const HTTP_LIMIT_MS = 15_000;

/** Reads `$.a.b` from a JSON value. */
const select = (value: unknown, path: string): unknown =>
  path.replace(/^\$\.?/, '').split('.').filter(Boolean)
    .reduce<unknown>((at, key) => (at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[key] : undefined), value);

const captures = (wanted: Readonly<Record<string, string>>, answer: HttpAnswer, where: string): Record<string, string> =>
  Object.fromEntries(Object.entries(wanted).map(([name, path]) => {
    const found = select(JSON.parse(answer.body), path);
    if (found === undefined) throw problem('environment', 'setup-failed', `${where}: the answer has no ${path}`, { hint: answer.body.slice(0, 200) });
    return [name, String(found)];
  }));

const cookieOf = (answer: HttpAnswer): string | null => {
  const header = answer.headers['set-cookie'];
  const lines = header === undefined ? [] : typeof header === 'string' ? [header] : header;
  return lines.length > 0 ? lines.map((line) => line.split(';')[0]).join('; ') : null;
};

/**
 * Runs the steps in order.
 * @returns the values captured on the way, added to those given
 * @throws ProblemError `setup-failed` naming the step, with the database's or the system's message
 */
export const runSetup = async (steps: readonly SetupStep[], given: Values, context: SetupContext): Promise<Values> => {
  let values = given;
  let cookie: string | null = null;
  for (const [index, step] of steps.entries()) {
    const where = `${context.card.file}: set-up step ${index + 1}`;
    if ('restart' in step) {
      await context.restart(step.restart);
    } else if ('sql' in step) {
      if (context.ledgerPath === null) throw problem('scenario', 'no-ledger', `${where}: sql needs a ledger in the card`);
      await context
        .send('probes', { do: 'sql', path: context.ledgerPath, statements: [{ sql: fillText(step.sql, values, where) }] })
        .catch((cause: unknown) => {
          throw problem('environment', 'setup-failed', `${where}: ${cause instanceof Error ? cause.message : String(cause)}`, { hint: step.sql, cause });
        });
    } else {
      const { request } = step;
      const answer = (await context.send('probes', {
        do: 'http', method: request.method, url: context.baseUrl + fillText(request.path, values, where),
        headers: { ...(cookie ? { cookie } : {}), ...fillMap(request.headers, values, where) },
        ...(request.body === undefined ? {} : { body: JSON.stringify(fillDeep(request.body, values, where)) }),
      }, HTTP_LIMIT_MS)) as HttpAnswer;
      const expected = request.expect ?? [200, 201, 204];
      if (!expected.includes(answer.status)) {
        throw problem('environment', 'setup-failed', `${where}: ${request.method} ${request.path} answered ${answer.status}`, { hint: answer.body.slice(0, 300) });
      }
      cookie = cookieOf(answer) ?? cookie;
      values = { ...values, ...captures(request.capture, answer, where) };
    }
  }
  return values;
};
