// What the operations of one instance on the ledger have in common.
import type { DatabaseSync } from 'node:sqlite';
import type { Clocks } from './clocks.ts';
import { createInstances } from './instances.ts';
import type { Instances } from './instances.ts';
import { createSightings } from './sightings.ts';
import type { Sightings } from './sightings.ts';

export type Place = {
  readonly instance: string;
  readonly leaseMs: number;
  readonly clocks: Clocks;
  readonly instances: Instances;
  readonly leases: Sightings;
  readonly residues: Sightings;
  /** For a while nobody could write: nothing that was seen until now counts. */
  readonly forget: () => void;
};

export const createPlace = (database: DatabaseSync, instance: string, leaseMs: number, clocks: Clocks): Place => {
  const leases = createSightings(leaseMs, clocks.monotonicMs);
  const residues = createSightings(leaseMs, clocks.monotonicMs);
  const forget = (): void => {
    leases.forget();
    residues.forget();
  };
  return { instance, leaseMs, clocks, instances: createInstances(database, instance), leases, residues, forget };
};
