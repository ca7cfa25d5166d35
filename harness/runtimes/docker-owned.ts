// A container that a scope owns from before it is asked for. Where the engine's answer never came it may still be at work on it: the
// container is then not gone because it is not there yet. The run's guard is told of it as well, until it is known what became of it.
import type { Scope } from '../model/scope.ts';
import { nowMs } from '../model/time.ts';
import type { Engine } from './docker.ts';
import { statusOf, unlessGone } from './docker-engine-errors.ts';
import type { EngineContainer } from './docker-processes.ts';
import { CALL_LIMIT_MS, LASTING_LIMIT_MS } from './engine-limit.ts';
import type { Guard } from './guard.ts';

const AGAIN_MS = 500;

export type OwnedContainer = { readonly create: (options: Parameters<Engine['createContainer']>[0]) => Promise<EngineContainer> };

export type Owning = {
  readonly engine: Engine;
  readonly scope: Scope;
  /** The run's; tests do without. */
  readonly guard?: Pick<Guard, 'making'> | undefined;
};

/** A scope waits less than this, and says that it has; it goes on while the process does, whose guard sees to the rest. */
const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, AGAIN_MS).unref());

/** @param closing is waited for before it is removed */
export const ownContainer = ({ engine, scope, guard }: Owning, name: string, closing: () => Promise<void> | void = () => {}): OwnedContainer => {
  let isUnanswered = false;
  let known = (): void => {};
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
    await closing();
    for (const untilMs = nowMs() + LASTING_LIMIT_MS; !(await isThere()) && isUnanswered && nowMs() < untilMs;) await pause();
    known();
  });
  return {
    create: async (options) => {
      isUnanswered = true;
      known = guard?.making(name, LASTING_LIMIT_MS) ?? known;
      try {
        const container = await engine.createContainer(options);
        isUnanswered = false;
        return container;
      } catch (error) {
        isUnanswered = statusOf(error) === undefined;
        throw error;
      } finally {
        if (!isUnanswered) known();
      }
    },
  };
};

/** @returns makes it */
export const ownVolume = ({ engine, scope, guard }: Owning, name: string): ((labels: Record<string, string>) => Promise<void>) => {
  // A forced removal is answered alike where there was nothing, so where its making was not answered the guard is left to see to it.
  scope.own(`volume ${name}`, () => unlessGone(engine.getVolume(name).remove({ force: true })));
  return async (labels) => {
    const known = guard?.making(name, CALL_LIMIT_MS);
    try {
      await engine.createVolume({ Name: name, Labels: labels });
      known?.();
    } catch (error) {
      if (statusOf(error) !== undefined) known?.();
      throw error;
    }
  };
};
