// Everything that can be asked of the ledger, by name. Plain synchronous functions: the worker calls
// them, tests call them directly, and their types are the types of the client.
import type { DatabaseSync } from 'node:sqlite';
import type { Place } from './place.ts';
import { createFind, createRefund } from './refund.ts';
import { createRenew, createReserve } from './reserve.ts';
import { createSettle } from './settle.ts';
import { createSweep } from './sweep.ts';

export const createOperations = (database: DatabaseSync, place: Place) => ({
  find: createFind(database),
  reserve: createReserve(database, place),
  renew: createRenew(database, place),
  settle: createSettle(database, place.clocks),
  ...createSweep(database, place),
  refund: createRefund(database),
});

export type Operations = ReturnType<typeof createOperations>;
export type OperationName = keyof Operations;
export type InputOf<N extends OperationName> = Parameters<Operations[N]>[0];
export type ResultOf<N extends OperationName> = ReturnType<Operations[N]>;
