// What an engine answers when it refuses, in our words.
import { messageOf, problem } from '../model/problem.ts';
import type { ProblemError } from '../model/problem.ts';

/** Status of the engine's answer; undefined where there was none. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined;

/** The engine's own sentence, without what the client library puts around it. */
export const sentenceOf = (error: unknown): string => {
  const json = error instanceof Error && 'json' in error ? (error.json as { readonly message?: string } | null) : null;
  return json?.message ?? messageOf(error).replace(/^\(HTTP code \d+\) [^-]*- /, '').trim();
};

/** Resolves also where the thing has gone already, or its removal is under way. */
export const unlessGone = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    const status = statusOf(error);
    if (status === 404 || status === 304 || (status === 409 && /in progress|not running/.test(sentenceOf(error)))) return;
    throw error;
  }
};

export const engineProblem = (code: string, what: string, error: unknown, hint: string): ProblemError =>
  problem('environment', code, `${what}: ${sentenceOf(error)}`, { hint, cause: error });
