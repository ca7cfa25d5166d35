// What the probes see around a leave: just before it, one lease later, and once a stale row should have been swept. Two
// looks at one reservation tell a lease that is renewed from one that has gone stale; the third tells whether it was released.
import { setImmediate } from 'node:timers/promises';
import type { Facts } from '../model/facts.ts';
import type { ProbeName } from '../model/samples.ts';

/** @param onlyHarmless not where a look can lock the system's own writer out */
export type Take = (probe: ProbeName, mark?: string, onlyHarmless?: boolean) => Promise<void>;

export type LeaveSnapshots = {
  /**
   * Resolves when the sockets have been seen: a script may leave sooner after its request than the probe comes round, and
   * of an end that was never seen nobody can say that it has gone. The other probes look too, and nobody waits for them.
   * @param mark of the leave; null: it has none, and only the sockets are looked at
   */
  readonly beforeLeave: (mark: string | null) => Promise<void>;
  /** Those that are still due come too late: a run is never made longer for them. */
  readonly halt: () => void;
};

/** What is due after a leave, ms after it: a row goes stale after a lease, and is then found by the next sweep. */
export const dueAfterLeave = ({ leaseMs, sweepMs }: Facts['periods']): Readonly<Record<string, number>> => ({
  ...(leaseMs === undefined ? {} : { lease: leaseMs }),
  ...(sweepMs === undefined ? {} : { sweep: (leaseMs ?? 0) + sweepMs }),
});

/**
 * One snapshot a moment, and one for each name of a mark: of a crowd that leaves under one mark it is at the first leave.
 * @param take asks one probe for one sample; never rejects
 * @param probes those that there are
 */
export const createLeaveSnapshots = (periods: Facts['periods'], probes: readonly ProbeName[], take: Take): LeaveSnapshots => {
  const taken = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let isHalted = false;
  let wanted: string | undefined;
  let asked: Promise<void> | undefined;

  const planLater = (mark: string): void => {
    if (isHalted) return;
    for (const [name, afterMs] of Object.entries(dueAfterLeave(periods))) {
      // They fall when the system's sweep writes, and no verdict needs them.
      const later = (): void => void Promise.all(probes.map((probe) => take(probe, `${mark}+${name}`, true)));
      timers.add(setTimeout(later, afterMs));
    }
  };

  const look = async (): Promise<void> => {
    await setImmediate();
    const mark = wanted;
    asked = undefined;
    wanted = undefined;
    const sockets = take('sockets', mark);
    if (mark !== undefined) {
      for (const probe of probes) if (probe !== 'sockets') void take(probe, mark);
      planLater(mark);
    }
    await sockets;
  };

  return {
    beforeLeave: (mark) => {
      if (mark !== null && !taken.has(mark)) wanted ??= mark;
      if (mark !== null) taken.add(mark);
      // Who asks in the same turn is shown the same look: a crowd that leaves at one barrier leaves at one moment.
      return (asked ??= look());
    },
    halt: () => {
      isHalted = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
};
