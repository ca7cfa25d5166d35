// Every planted defect by name. HANGUP_DEFECTS may name several; each changes what the ones before left.
import type { Behaviour } from '../behaviour.ts';
import { defect as billsAfterLeave } from './bills-after-leave.ts';
import { defect as buffersWithoutBound } from './buffers-without-bound.ts';
import { defect as commentsCountAsProgress } from './comments-count-as-progress.ts';
import { defect as ignoresDisconnect } from './ignores-disconnect.ts';
import { defect as leavesHeadersPending } from './leaves-headers-pending.ts';
import { defect as losesUpstreamError } from './loses-upstream-error.ts';
import { defect as neverSettles } from './never-settles.ts';
import { defect as noHeaderTimeout } from './no-header-timeout.ts';
import { defect as noReadTimeout } from './no-read-timeout.ts';
import { defect as noRequestLifetime } from './no-request-lifetime.ts';
import { defect as noSendTimeout } from './no-send-timeout.ts';
import { defect as renewsWithoutProgress } from './renews-without-progress.ts';
import { defect as settlesTwice } from './settles-twice.ts';
import { defect as shutdownWaitsForSettlement } from './shutdown-waits-for-settlement.ts';
import { defect as shutdownWaitsForStreams } from './shutdown-waits-for-streams.ts';
import { defect as sweeperNeverRuns } from './sweeper-never-runs.ts';
import type { Defect } from './defect.ts';

export const defects: readonly Defect[] = [
  billsAfterLeave,
  buffersWithoutBound,
  commentsCountAsProgress,
  ignoresDisconnect,
  leavesHeadersPending,
  losesUpstreamError,
  neverSettles,
  noHeaderTimeout,
  noReadTimeout,
  noRequestLifetime,
  noSendTimeout,
  renewsWithoutProgress,
  settlesTwice,
  shutdownWaitsForSettlement,
  shutdownWaitsForStreams,
  sweeperNeverRuns,
];

export const defectNames: readonly string[] = defects.map((defect) => defect.name);

/** @param names known ones only; the configuration has refused the others */
export const applyDefects = (clean: Behaviour, names: readonly string[]): Behaviour =>
  defects.filter((defect) => names.includes(defect.name)).reduce((behaviour, defect) => defect.apply(behaviour), clean);
