// What this process holds, for whoever asks by SIGUSR2: its open exchanges with their reservations, and what it owes.
import { nextDeadlineOf } from './exchange/exchange.ts';
import { phaseOf } from './exchange/facts.ts';
import type { Services } from './services.ts';

/** Several lines of the log, the last one `dump-ended`. Nothing of it holds a key. */
export const dump = ({ live, log, settlements, slots }: Services, isStopping: boolean): void => {
  const now = performance.now();
  const ageMs = (sinceMs: number | null): number | null => (sinceMs === null ? null : Math.round(now - sinceMs));
  const memory = process.memoryUsage();
  log('info', 'dump', {
    isStopping, live: live.all().length, owed: settlements.owed(), slots: slots.counts(), ended: live.reasons(),
    rssBytes: memory.rss, heapBytes: memory.heapUsed,
  });
  for (const exchange of live.all()) {
    const { facts } = exchange;
    const deadline = nextDeadlineOf(exchange);
    log('info', 'dump-exchange', {
      reservation: exchange.id, marker: exchange.marker, phase: phaseOf(facts), events: facts.events, ageMs: ageMs(facts.arrivedAtMs),
      leaseAgeMs: ageMs(exchange.leaseAtMs), upstream: exchange.upstream === null ? 'none' : facts.upstreamEnded ? 'ended' : 'open',
      delivers: exchange.delivers, leftMs: ageMs(facts.leftAtMs), blockedMs: ageMs(facts.blockedSinceMs),
      next: deadline === null ? null : { ...deadline, inMs: Math.round(deadline.atMs - now), atMs: undefined },
    });
  }
  log('info', 'dump-ended');
};
