// Waits until a system answers, asked from inside the stage. What does not become ready says so with the last
// lines of its own log.
import { messageOf, problem } from '../model/problem.ts';
import { formatMs, nowMs } from '../model/time.ts';
import type { RunningSystem, Stage } from '../runtimes/runtime.ts';
import { askSystem } from './ask-system.ts';
import type { HttpAnswer } from './ask-system.ts';
import type { Card } from './card.ts';
import { logExcerpt } from './log-excerpt.ts';
import { toMs } from './periods.ts';

const POLL_MS = 25;
const LOG_TAIL_BYTES = 16_000;
const HTTP_LIMIT_MS = 2_000;

const tail = async (system: RunningSystem): Promise<string> => {
  const lines = logExcerpt(await system.readLog(LOG_TAIL_BYTES).catch(() => ''));
  return lines.length === 0 ? 'its log is empty' : `the last lines of its log:\n${lines.map((line) => `  | ${line}`).join('\n')}`;
};

const isReady = (answer: HttpAnswer, contains: string | undefined): boolean =>
  answer.status < 500 && answer.status !== 404 && (contains === undefined || answer.body.includes(contains));

/** What is waited for. `needs`: processes whose end is its end; the one that serves is among them. */
export type Readiness = {
  readonly card: Card;
  readonly stage: Pick<Stage, 'send'>;
  readonly baseUrl: string;
  readonly serves: RunningSystem;
  readonly needs: readonly RunningSystem[];
  readonly signal: AbortSignal;
};

const ended = async ({ card }: Readiness, dead: RunningSystem): Promise<Error> => {
  const { code, signal: by } = await dead.exited;
  return problem('environment', 'system-exited', `${card.system}: ${dead.name} ended before it was ready (${by ?? `exit ${code}`})`, {
    hint: await tail(dead),
  });
};

/**
 * Polls until it answers.
 * @returns the answer that showed it
 * @throws ProblemError `system-exited`, `system-not-ready`, with the reason; the signal's reason when it is aborted
 */
export const awaitReady = async (wanted: Readiness): Promise<HttpAnswer> => {
  const { card, stage, baseUrl, serves, needs, signal } = wanted;
  const limitMs = toMs(card.ready.within, {}, 'ready.within');
  const untilMs = nowMs() + limitMs;
  const request = { method: 'GET', path: card.ready.http, headers: {}, body: '' };
  let last = 'no answer yet';
  while (nowMs() < untilMs && !signal.aborted) {
    const dead = needs.find((system) => system.hasExited());
    if (dead) throw await ended(wanted, dead);
    try {
      const answer = await askSystem(stage.send, baseUrl, request, HTTP_LIMIT_MS);
      if (isReady(answer, card.ready.contains)) return answer;
      last = `${answer.status}${card.ready.contains ? `, without "${card.ready.contains}"` : ''}`;
    } catch (error) {
      last = messageOf(error);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  signal.throwIfAborted();
  const what = needs.length > 1 || serves.name === card.listen.on ? card.system : `${card.system} (${serves.name})`;
  throw problem('environment', 'system-not-ready', `${what} was not ready within ${formatMs(limitMs)}: ${card.ready.http}: ${last}`, {
    hint: await tail(serves),
  });
};
