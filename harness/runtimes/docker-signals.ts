// Signals for a system in a container, by the engine's own means where those reach it.
import { sentenceOf, wasThere } from './docker-engine-errors.ts';
import type { EngineContainer, SystemContainer } from './docker-processes.ts';
import type { ExitWatch } from './exit-watch.ts';
import type { RunningSystem } from './runtime.ts';

/** An engine thaws a container by itself when another signal is sent to it. */
const unfreeze = (container: EngineContainer): Promise<boolean> =>
  wasThere(container.unpause()).catch((error: unknown) => {
    if (!/not paused/.test(sentenceOf(error))) throw error;
    return true;
  });

/**
 * By the engine. An init hands on what it hears, but not SIGSTOP, which nobody hears: the main process is stopped
 * from here where it can be seen, else the whole container is.
 * @param look asks for its end; awaited where nobody was there to hear the signal
 */
export const createDelivery = (
  { container, init }: SystemContainer,
  watch: Pick<ExitWatch, 'hasExited' | 'sending'>,
  pid: number | null,
  look: () => Promise<unknown> = async () => {},
): RunningSystem['signal'] => {
  let isFrozen = false;
  const stop = async (): Promise<boolean> => {
    try {
      if (pid === null) throw new Error('its pid is not known here');
      return process.kill(pid, 'SIGSTOP');
    } catch {
      isFrozen = await wasThere(container.pause());
      return isFrozen;
    }
  };
  const deliver = (signal: string): Promise<boolean> => {
    if (signal === 'SIGSTOP' && init) return stop();
    if (signal !== 'SIGCONT' || !isFrozen) return wasThere(container.kill({ signal }));
    isFrozen = false;
    return unfreeze(container);
  };
  return async (signal) => {
    if (watch.hasExited()) return false;
    const isHeard = await watch.sending(() => deliver(signal));
    // Its end was before this, though the news of it are still on their way.
    if (!isHeard) await look();
    return isHeard;
  };
};
