// Every claim that a scenario can make.
import { createRegistry } from '../model/registry.ts';
import { definition as accountingValid } from './accounting-valid.ts';
import { definition as billingTerminal } from './billing-terminal.ts';
import { definition as boundedBuffering } from './bounded-buffering.ts';
import { definition as boundedMemory } from './bounded-memory.ts';
import { definition as boundedWait } from './bounded-wait.ts';
import { definition as chargedOnce } from './charged-once.ts';
import { definition as cleanShutdown } from './clean-shutdown.ts';
import { definition as followUpServed } from './follow-up-served.ts';
import { definition as keepsServing } from './keeps-serving.ts';
import { definition as noForeignBytes } from './no-foreign-bytes.ts';
import { definition as noLateCharge } from './no-late-charge.ts';
import { definition as notSweptWhileLive } from './not-swept-while-live.ts';
import { definition as nothingReserved } from './nothing-reserved.ts';
import { definition as onlyMineReleased } from './only-mine-released.ts';
import { definition as processAlive } from './process-alive.ts';
import { definition as refundRefused } from './refund-refused.ts';
import { definition as refundable } from './refundable.ts';
import { definition as renewalStopped } from './renewal-stopped.ts';
import { definition as requestCount } from './request-count.ts';
import { definition as reservedKept } from './reserved-kept.ts';
import { definition as scriptDone } from './script-done.ts';
import { definition as siblingsUntouched } from './siblings-untouched.ts';
import { definition as streamComplete } from './stream-complete.ts';
import { definition as streamTruncatedVisibly } from './stream-truncated-visibly.ts';
import { definition as streamWholeOrTold } from './stream-whole-or-told.ts';
import { definition as terminalOnce } from './terminal-once.ts';
import { definition as upstreamClosed } from './upstream-closed.ts';

export const expectations = createRegistry([
  upstreamClosed,
  billingTerminal,
  renewalStopped,
  nothingReserved,
  chargedOnce,
  noLateCharge,
  refundable,
  refundRefused,
  onlyMineReleased,
  siblingsUntouched,
  terminalOnce,
  notSweptWhileLive,
  reservedKept,
  boundedWait,
  boundedMemory,
  boundedBuffering,
  accountingValid,
  cleanShutdown,
  processAlive,
  streamComplete,
  streamTruncatedVisibly,
  streamWholeOrTold,
  followUpServed,
  keepsServing,
  scriptDone,
  requestCount,
  noForeignBytes,
]);
