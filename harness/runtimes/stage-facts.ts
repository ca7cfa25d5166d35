// What a runtime does with facts of the stage before the harness sees them: ends of systems go to
// their watches, ends of actors fail what waits for them, the rest passes.
import type { Emitted } from '../model/protocol.ts';
import { nowMs } from '../model/time.ts';
import type { ExitWatch } from './exit-watch.ts';
import type { Link } from './link.ts';
import type { StagePlan } from './runtime.ts';

export type StageFacts = {
  readonly receive: (fact: Emitted) => void;
  /** The stage host has ended, or is not heard any more; the first one counts. Systems on it died with it. @param atMs when something was heard of it last; absolute */
  readonly stageEnded: (error: string, atMs?: number) => void;
  /** From now on ends are asked for. */
  readonly closing: () => void;
};

/** @param detail last words of the stage host, for the message */
export const createStageFacts = (
  plan: Pick<StagePlan, 'onFact' | 'onActorFailed'>,
  watches: ReadonlyMap<string, ExitWatch>,
  link: () => Link,
  detail: () => string,
): StageFacts => {
  let isClosing = false;
  let hasEnded = false;

  const actorFailed = (process: string, error: string): void => {
    link().fail(process, error);
    if (!isClosing) plan.onActorFailed(process, error);
  };

  return {
    receive: (fact) => {
      if (fact.type === 'process-exited') {
        watches.get(fact.process)?.settle({ code: fact.code, signal: fact.signal, atMs: fact.at });
      } else if (fact.type === 'actor-failed') {
        actorFailed(fact.process, fact.error);
      } else {
        plan.onFact(fact);
      }
    },
    stageEnded: (error, atMs) => {
      if (hasEnded) return;
      hasEnded = true;
      const words = detail();
      const message = words === '' ? error : `${error}: ${words}`;
      link().end(message);
      for (const watch of watches.values()) if (!watch.hasExited()) watch.settle({ code: 137, signal: 'SIGKILL', atMs: nowMs() });
      if (!isClosing) plan.onActorFailed('stage', message, atMs);
    },
    closing: () => {
      isClosing = true;
    },
  };
};
