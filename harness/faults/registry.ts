// All faults that a scenario may let happen at a mark.
import { createRegistry } from '../model/registry.ts';
import { definition as kill } from './kill.ts';
import { definition as ledgerAggregate } from './ledger-aggregate.ts';
import { definition as ledgerLock } from './ledger-lock.ts';
import { definition as ledgerRows } from './ledger-rows.ts';
import { definition as ledgerUnavailable } from './ledger-unavailable.ts';
import { definition as partition } from './partition.ts';
import { definition as pause } from './pause.ts';
import { definition as restart } from './restart.ts';
import { definition as resume } from './resume.ts';
import { definition as signal } from './signal.ts';
import { definition as upstreamFinish } from './upstream-finish.ts';
import { definition as upstreamRefuse } from './upstream-refuse.ts';
import { definition as upstreamReset } from './upstream-reset.ts';
import { definition as upstreamStop } from './upstream-stop.ts';

export const faults = createRegistry([
  signal,
  kill,
  restart,
  pause,
  resume,
  upstreamFinish,
  upstreamReset,
  upstreamRefuse,
  upstreamStop,
  partition,
  ledgerLock,
  ledgerUnavailable,
  ledgerRows,
  ledgerAggregate,
]);
