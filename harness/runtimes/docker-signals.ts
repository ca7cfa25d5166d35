// Signals for a system in a container, by the engine's own means where those reach it.
import { sentenceOf, unlessGone } from './docker-engine-errors.ts';
import type { EngineContainer, SystemContainer } from './docker-processes.ts';
import type { ExitWatch } from './exit-watch.ts';
import type { RunningSystem } from './runtime.ts';

/** An engine thaws a container by itself when another signal is sent to it. */
const unfreeze = async (container: EngineContainer): Promise<void> => {
  await unlessGone(container.unpause()).catch((error: unknown) => {
    if (!/not paused/.test(sentenceOf(error))) throw error;
  });
};

/**
 * By the engine. An init hands on what it hears, but not SIGSTOP, which nobody hears: the main process is stopped
 * from here where it can be seen, else the whole container is.
 */
export const createDelivery = (
  { container, init }: SystemContainer,
  watch: Pick<ExitWatch, 'hasExited'>,
  pid: number | null,
): RunningSystem['signal'] => {
  let isFrozen = false;
  const stop = async (): Promise<void> => {
    try {
      if (pid === null) throw new Error('its pid is not known here');
      process.kill(pid, 'SIGSTOP');
    } catch {
      await unlessGone(container.pause());
      isFrozen = true;
    }
  };
  return async (signal) => {
    if (watch.hasExited()) return;
    if (signal === 'SIGSTOP' && init) return stop();
    if (signal === 'SIGCONT' && isFrozen) {
      isFrozen = false;
      return unfreeze(container);
    }
    await unlessGone(container.kill({ signal }));
  };
};
