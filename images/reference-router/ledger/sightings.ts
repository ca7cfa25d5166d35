// How long each lease has been seen not to move. Instances on one ledger need not agree about the time of
// day, so nobody compares another's timestamp with its own clock: a lease that moves is alive, whatever it
// says, and one that does not move for the length of a lease is over, even if it lies in the future.

export type Leased = { readonly id: string; readonly lease_at: number };

export type Sightings = {
  /** Notes every active row as it is now; what is not among them is forgotten. */
  readonly look: (rows: readonly Leased[]) => void;
  /** For how long the lease of a row has not moved, ms of the monotonic clock; 0 when it was not seen yet. */
  readonly stillMs: (id: string) => number;
  /** Starts over: for a while nobody could have renewed anything. */
  readonly forget: () => void;
};

type Sighting = { readonly leaseAt: number; readonly stillMs: number };

/**
 * @param leaseMs one look counts for half of it at most, so that a process which slept for a minute does not
 * take everybody else for dead in the moment it wakes up
 */
export const createSightings = (leaseMs: number, monotonicMs: () => number): Sightings => {
  let seen = new Map<string, Sighting>();
  let lookedAtMs = monotonicMs();
  const look = (rows: readonly Leased[]): void => {
    const now = monotonicMs();
    const passedMs = Math.min(now - lookedAtMs, leaseMs / 2);
    lookedAtMs = now;
    seen = new Map(rows.map(({ id, lease_at: leaseAt }) => {
      const before = seen.get(id);
      return [id, { leaseAt, stillMs: before?.leaseAt === leaseAt ? before.stillMs + passedMs : 0 }];
    }));
  };
  return { look, stillMs: (id) => seen.get(id)?.stillMs ?? 0, forget: () => void seen.clear() };
};
