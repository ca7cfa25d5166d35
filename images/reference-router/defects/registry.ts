// Every planted defect by name. HANGUP_DEFECTS may name several; each changes what the ones before left.
import type { Behaviour } from '../behaviour.ts';
import { defect as billsAfterLeave } from './bills-after-leave.ts';
import { defect as billsRetryTwice } from './bills-retry-twice.ts';
import { defect as buffersWithoutBound } from './buffers-without-bound.ts';
import { defect as chargesAfterRelease } from './charges-after-release.ts';
import { defect as clearsRecentAggregate } from './clears-recent-aggregate.ts';
import { defect as commentsCountAsProgress } from './comments-count-as-progress.ts';
import { defect as cutNeverSettles } from './cut-never-settles.ts';
import { defect as cutsStreamsAtSigterm } from './cuts-streams-at-sigterm.ts';
import { defect as drainsWithoutBound } from './drains-without-bound.ts';
import { defect as fakesDone } from './fakes-done.ts';
import { defect as freeBeyondStale } from './free-beyond-stale.ts';
import { defect as ignoresDisconnect } from './ignores-disconnect.ts';
import { defect as ignoresDisconnectOnce } from './ignores-disconnect-once.ts';
import { defect as killsSlowReader } from './kills-slow-reader.ts';
import { defect as leaksOnCancelBefore } from './leaks-on-cancel-before.ts';
import { defect as leaksOnCancelDuring } from './leaks-on-cancel-during.ts';
import { defect as leaksOnCancelFinalising } from './leaks-on-cancel-finalising.ts';
import { defect as leaksSlot } from './leaks-slot.ts';
import { defect as leavesHeadersPending } from './leaves-headers-pending.ts';
import { defect as losesUpstreamError } from './loses-upstream-error.ts';
import { defect as neverSettles } from './never-settles.ts';
import { defect as noChargeOnDisconnect } from './no-charge-on-disconnect.ts';
import { defect as noHeaderTimeout } from './no-header-timeout.ts';
import { defect as noMaximumAge } from './no-maximum-age.ts';
import { defect as noReadTimeout } from './no-read-timeout.ts';
import { defect as noRequestLifetime } from './no-request-lifetime.ts';
import { defect as noSendTimeout } from './no-send-timeout.ts';
import { defect as opensIdleConnections } from './opens-idle-connections.ts';
import { defect as refundSkipsCleanup } from './refund-skips-cleanup.ts';
import { defect as refundsLiveReservation } from './refunds-live-reservation.ts';
import { defect as releasesWrongPayer } from './releases-wrong-payer.ts';
import { defect as renewsWithoutProgress } from './renews-without-progress.ts';
import { defect as resetTakesPeersReservations } from './reset-takes-peers-reservations.ts';
import { defect as restartKeepsReservations } from './restart-keeps-reservations.ts';
import { defect as retriesForTheGone } from './retries-for-the-gone.ts';
import { defect as reusesDirtyConnection } from './reuses-dirty-connection.ts';
import { defect as revertsThrice } from './reverts-thrice.ts';
import { defect as servesTheGoneFromQueue } from './serves-the-gone-from-queue.ts';
import { defect as settlementUnbounded } from './settlement-unbounded.ts';
import { defect as settlesTwice } from './settles-twice.ts';
import { defect as shutdownWaitsForSettlement } from './shutdown-waits-for-settlement.ts';
import { defect as shutdownWaitsForStreams } from './shutdown-waits-for-streams.ts';
import { defect as skipsNullTimestamps } from './skips-null-timestamps.ts';
import { defect as sweepStopsAtFirstError } from './sweep-stops-at-first-error.ts';
import { defect as sweeperClearsWholeAccount } from './sweeper-clears-whole-account.ts';
import { defect as sweeperNeverRuns } from './sweeper-never-runs.ts';
import { defect as sweeperStealsLiveLease } from './sweeper-steals-live-lease.ts';
import { defect as trustsFutureLease } from './trusts-future-lease.ts';
import type { Defect } from './defect.ts';

export const defects: readonly Defect[] = [
  billsAfterLeave,
  billsRetryTwice,
  buffersWithoutBound,
  chargesAfterRelease,
  clearsRecentAggregate,
  commentsCountAsProgress,
  cutNeverSettles,
  cutsStreamsAtSigterm,
  drainsWithoutBound,
  fakesDone,
  freeBeyondStale,
  ignoresDisconnect,
  ignoresDisconnectOnce,
  killsSlowReader,
  leaksOnCancelBefore,
  leaksOnCancelDuring,
  leaksOnCancelFinalising,
  leaksSlot,
  leavesHeadersPending,
  losesUpstreamError,
  neverSettles,
  noChargeOnDisconnect,
  noHeaderTimeout,
  noMaximumAge,
  noReadTimeout,
  noRequestLifetime,
  noSendTimeout,
  opensIdleConnections,
  refundSkipsCleanup,
  refundsLiveReservation,
  releasesWrongPayer,
  renewsWithoutProgress,
  resetTakesPeersReservations,
  restartKeepsReservations,
  retriesForTheGone,
  reusesDirtyConnection,
  revertsThrice,
  servesTheGoneFromQueue,
  settlementUnbounded,
  settlesTwice,
  shutdownWaitsForSettlement,
  shutdownWaitsForStreams,
  skipsNullTimestamps,
  sweepStopsAtFirstError,
  sweeperClearsWholeAccount,
  sweeperNeverRuns,
  sweeperStealsLiveLease,
  trustsFutureLease,
];

export const defectNames: readonly string[] = defects.map((defect) => defect.name);

/** @param names known ones only; the configuration has refused the others */
export const applyDefects = (clean: Behaviour, names: readonly string[]): Behaviour =>
  defects.filter((defect) => names.includes(defect.name)).reduce((behaviour, defect) => defect.apply(behaviour), clean);
