// Samples one probe by the clock and at marks. Due times are multiples from the start, so that a slow
// sample does not shift the later ones; two samples of one probe never overlap.
import { nowMs, toMicroseconds } from '../model/time.ts';
import { messageOf } from '../model/problem.ts';
import type { ProbeView } from './probe.ts';

export type Sampled = { readonly tookMs: number; readonly mark?: string; readonly value?: unknown; readonly error?: string };

export type Schedule = {
  /** Takes the place of the view; what runs on the old one is let finish. */
  readonly replace: (view: ProbeView) => void;
  /** One sample now, or as soon as the running one is done. Its failure is in the result. */
  readonly sample: (mark?: string) => Promise<Sampled>;
  readonly start: (everyMs: number) => void;
  readonly halt: () => void;
};

const look = async (view: ProbeView, mark: string | undefined): Promise<Sampled> => {
  const beganMs = nowMs();
  const name = mark === undefined ? {} : { mark };
  const took = (): { tookMs: number } => ({ tookMs: toMicroseconds(nowMs() - beganMs) });
  try {
    const value = await view.sample();
    return { ...took(), ...name, value };
  } catch (error) {
    return { ...took(), ...name, error: messageOf(error) };
  }
};

/** @param report is told of each sample the moment it is complete */
export const createSchedule = (first: ProbeView, report: (sampled: Sampled) => void): Schedule => {
  let view = first;
  let last: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let round = 0;

  const sample = (mark?: string): Promise<Sampled> => {
    const next = last.then(async () => {
      const sampled = await look(view, mark);
      report(sampled);
      return sampled;
    });
    last = next;
    return next;
  };

  const halt = (): void => {
    round += 1;
    clearTimeout(timer);
  };

  const start = (everyMs: number): void => {
    halt();
    const own = round;
    const beginMs = nowMs();
    const next = (): void => {
      if (own !== round) return;
      const passed = Math.floor((nowMs() - beginMs) / everyMs) + 1;
      timer = setTimeout(() => void tick(), Math.max(0, beginMs + passed * everyMs - nowMs()));
    };
    const tick = async (): Promise<void> => {
      if (!view.marksOnly?.()) await sample();
      next();
    };
    void tick();
  };

  return {
    sample, start, halt,
    replace: (other) => {
      const old = view;
      view = other;
      void last.then(() => old.close?.());
    },
  };
};
