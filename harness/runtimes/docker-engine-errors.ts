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

/** False where the thing has gone already, or its removal is under way. */
export const wasThere = async (work: Promise<unknown>): Promise<boolean> => {
  try {
    await work;
    return true;
  } catch (error) {
    const status = statusOf(error);
    if (status === 404 || status === 304 || (status === 409 && /in progress|not running/.test(sentenceOf(error)))) return false;
    throw error;
  }
};

/** For what is to be gone: resolves also where it is already. */
export const unlessGone = async (work: Promise<unknown>): Promise<void> => void (await wasThere(work));

export const engineProblem = (code: string, what: string, error: unknown, hint: string): ProblemError =>
  problem('environment', code, `${what}: ${sentenceOf(error)}`, { hint, cause: error });

/** The engine has looked at what it was to start, and found it wrong (400); some say so with another status. */
const OF_WHAT_IS_STARTED = /executable file|\bexec: |unable to find user/i;

/**
 * Why a container did not come to be: `image-missing`, or its command or user is none, `system-not-started`; all else is the engine's
 * own trouble, `engine-failed`, and says nothing about the system.
 */
export const startProblem = (name: string, image: string, error: unknown): ProblemError => {
  const [status, sentence] = [statusOf(error), sentenceOf(error)];
  if (status === 404 && /no such image/i.test(sentence))
    return engineProblem('image-missing', name, error, `docker pull ${image}, or npm run images where it is built here`);
  if (status === 400 || (status !== undefined && OF_WHAT_IS_STARTED.test(sentence)))
    return engineProblem('system-not-started', `${name} cannot be started`, error, `see docker: in the system card (image ${image})`);
  return engineProblem('engine-failed', `${name} cannot be started`, error, 'the container engine failed or is gone: `hangup doctor` asks it; its own log says more');
};
