// Sends a request upstream, and again where that is allowed: as long as nothing of an answer has been
// passed on, an upstream that cannot be reached or answers 5xx may be asked once more.
import type { Upstream, UpstreamEvents, UpstreamRequest } from '../http/upstream.ts';
import type { Exchange } from './exchange.ts';

/** What stands in for the upstream between two attempts. */
const pauseBefore = (next: () => void, delayMs: number): Upstream => {
  const timer = setTimeout(next, delayMs);
  return { pause: () => undefined, resume: () => undefined, destroy: () => clearTimeout(timer), socket: () => null };
};

/** Opens the exchange's upstream. What `events` hears is the last attempt; those before it are only logged. */
export const openWithRetries = (exchange: Exchange, request: UpstreamRequest, events: UpstreamEvents): void => {
  const { facts, services } = exchange;
  const { retries, retryDelayMs } = services.config;
  /** @returns false when this failure is the answer */
  const retry = (error: string): boolean => {
    if (facts.headAtMs !== null || facts.failures >= retries) return false;
    facts.failures += 1;
    services.log('warning', 'upstream-retried', { reservation: exchange.id, marker: exchange.marker, attempt: facts.failures, error });
    exchange.upstream?.destroy();
    exchange.upstream = pauseBefore(attempt, retryDelayMs);
    return true;
  };
  const attempt = (): void => {
    exchange.upstream = services.behaviour.openUpstream(exchange, request, {
      ...events,
      onHead: (status, headers) => {
        if (status < 500 || !retry(`status ${status}`)) events.onHead(status, headers);
      },
      onFailed: (error) => {
        if (!retry(error)) events.onFailed(error);
      },
    });
  };
  attempt();
};
