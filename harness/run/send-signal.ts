// A signal as the record has it: when it was sent, and only where somebody was still there to hear it. A signal to
// who had already ended has ended nobody: what it died of is its own.
import { nowMs } from '../model/time.ts';
import type { FactOf } from '../model/observation.ts';
import type { RunningSystem } from '../runtimes/runtime.ts';
import type { Run } from './run-context.ts';

/** @returns whether there was still somebody. Where that cannot be said (it rejects), it may have been heard. */
export const sendSignal = async (
  { timeline }: Pick<Run, 'timeline'>,
  process: Pick<RunningSystem, 'name' | 'signal'>,
  signal: string,
  purpose: FactOf<'signal-sent'>['purpose'],
): Promise<boolean> => {
  const sentMs = nowMs();
  const note = (): void => void timeline.note({ type: 'signal-sent', process: process.name, signal, purpose }, 'harness', sentMs);
  const isHeard = await process.signal(signal).catch((error: unknown) => {
    note();
    throw error;
  });
  if (isHeard) note();
  return isHeard;
};
