// All faults that a scenario may let happen at a mark.
import { createRegistry } from '../model/registry.ts';
import { definition as ledgerRows } from './ledger-rows.ts';
import { definition as signal } from './signal.ts';
import { definition as upstreamFinish } from './upstream-finish.ts';
import { definition as upstreamStop } from './upstream-stop.ts';

export const faults = createRegistry([signal, upstreamFinish, upstreamStop, ledgerRows]);
