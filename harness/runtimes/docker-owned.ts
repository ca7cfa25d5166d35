// A container that a scope owns from before it is asked for. Where the engine's answer never came it may still be at work on it: the
// container is then not gone because it is not there yet.
import type { Scope } from '../model/scope.ts';
import { nowMs } from '../model/time.ts';
import type { Engine } from './docker.ts';
import { statusOf, unlessGone } from './docker-engine-errors.ts';
import type { EngineContainer } from './docker-processes.ts';
import { LASTING_LIMIT_MS } from './engine-limit.ts';

const AGAIN_MS = 500;

export type OwnedContainer = { readonly create: (options: Parameters<Engine['createContainer']>[0]) => Promise<EngineContainer> };

/** A scope waits less than this, and says that it has; it goes on while the process does, whose guard sees to the rest. */
const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, AGAIN_MS).unref());

/** @param closing is called before it is removed */
export const ownContainer = (engine: Engine, scope: Scope, name: string, closing: () => void = () => {}): OwnedContainer => {
  let isUnanswered = false;
  const isThere = async (): Promise<boolean> => {
    let isMissing = false;
    const removal = engine.getContainer(name).remove({ force: true, v: true }).catch((error: unknown) => {
      isMissing = statusOf(error) === 404;
      throw error;
    });
    await unlessGone(removal);
    return !isMissing;
  };
  scope.own(`container ${name}`, async () => {
    closing();
    for (const untilMs = nowMs() + LASTING_LIMIT_MS; !(await isThere()) && isUnanswered && nowMs() < untilMs;) await pause();
  });
  return {
    create: async (options) => {
      isUnanswered = true;
      try {
        const container = await engine.createContainer(options);
        isUnanswered = false;
        return container;
      } catch (error) {
        isUnanswered = statusOf(error) === undefined;
        throw error;
      }
    },
  };
};
