// What an actor does is stamped when it does it, what it sees when it has a processor. A request that was sent before a leave, or a
// byte that came before a release, may be on record later by as much as somebody lagged or the system waited: that accuses nobody.
import { describe } from 'vitest';
import { crowd, CROWD } from './fixtures/crowd.ts';
import { MARKER } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const lagged = (atMs: number, lagMs: number, process = 'upstreams'): Entry => at(atMs, `lag.${process}`, { type: 'scheduling-lag', process, lagMs });

/** Alice leaves at 3.0 s, on record at 3.001 s; the margin is 250 ms. */
describe('a request after the leave', () => {
  const asked = (atMs: number, changes: Partial<Knobs> = {}, ...extra: readonly Entry[]) => ({
    entries: story({
      runDelayMs: () => 0,
      ...changes,
      extra: [
        at(atMs, 'upstream.model', { type: 'connection-opened', connection: 4, local: '127.0.0.20:9000', peer: '127.0.0.2:50004' }),
        at(atMs, 'upstream.model', { type: 'request-received', connection: 4, exchange: 4, marker: MARKER, method: 'POST', path: '/', bodyBytes: 1, behaviour: 'endless' }),
        at(atMs + 10, 'upstream.model', { type: 'peer-closed', connection: 4, how: 'fin', exchange: 4, marker: MARKER, bytes: 0, events: 0 }),
        ...extra,
      ],
    }),
  });
  /** Counted at 3.5 s; it had begun with the leave. */
  const starved: Partial<Knobs> = { runDelayMs: (ms) => (ms >= 3_480 ? 480 : 0) };
  const later: Partial<Knobs> = { runDelayMs: (ms) => (ms >= 4_480 ? 480 : 0) };
  table('upstream-closed', { upstream: 'model', after: 'gone', within: 2_000 }, [
    ['when upstreams had lagged as long', asked(3_400, {}, lagged(3_500, 480)), 'inconclusive', 'upstreams lagged 480 ms'],
    ['when the system had waited as long', asked(3_400, starved), 'inconclusive', 'upstream model was asked again 400 ms after alice\'s FIN, as exchange 4, but system or watchers were kept from the processor for as long'],
    ['later than all that', asked(3_732, starved), 'violated', 'still working for the gone'],
    ['later than upstreams had lagged', asked(3_732, {}, lagged(3_500, 480)), 'violated', 'still working for the gone'],
    ['before the system waited', asked(3_400, later), 'violated', 'still working for the gone'],
    ['before upstreams lagged', asked(3_400, {}, lagged(5_000, 480)), 'violated', 'still working for the gone'],
    ['when nobody was kept from anything', asked(3_252), 'violated', 'still working for the gone'],
  ]);
  const LATE = "alice's request came 1 time to upstream model, but system or watchers were held up meanwhile";
  table('request-count', { upstream: 'model', after: 'gone', 'at-most': 0 }, [
    ['when upstreams had lagged as long', asked(3_400, {}, lagged(3_500, 480)), 'inconclusive', LATE],
    ['when the system had waited as long', asked(3_400, starved), 'inconclusive', LATE],
    ['later than all that', asked(3_732, starved), 'violated', "alice's request came 1 time"],
    ['before the system waited', asked(3_400, later), 'violated', "alice's request came 1 time"],
    ['before upstreams lagged', asked(3_400, {}, lagged(5_000, 480)), 'violated', "alice's request came 1 time"],
    ['when nobody was kept from anything', asked(3_252), 'violated', "alice's request came 1 time"],
  ]);
  const opened = (atMs: number, ...extra: readonly Entry[]) => ({
    entries: story({ runDelayMs: () => 0, extra: [at(atMs, 'upstream.model', { type: 'connection-opened', connection: 4, local: '127.0.0.20:9000', peer: '127.0.0.2:50004' }), ...extra] }),
  });
  table('request-count', { upstream: 'model', after: 'gone', 'bare-connections': 0 }, [
    ['a bare connection', opened(3_400), 'violated', '1 connection to upstream model never carried a request'],
    ['a bare connection, when upstreams had lagged', opened(3_400, lagged(3_500, 480)), 'inconclusive', 'but system or watchers were held up meanwhile'],
  ]);
});

/** Bob's reservation is over at 5.0 s, which a sample shows at 5.06 s; his last event came at 5.2 s, by his own word. */
describe('what came after a release', () => {
  const told = (...extra: readonly Entry[]) => ({
    entries: crowd({ bob: { terminalMs: 5_000, writesUntilMs: 5_200, upstreamEndMs: 5_250, toldMs: 5_260 }, extra }),
    facts: CROWD,
  });
  table('not-swept-while-live', { client: 'bob' }, [
    ['at once', told(), 'violated', 'bob went on receiving data events until 5.2 s'],
    ['as much later as a client lagged', told(lagged(5_300, 140, 'clients')), 'inconclusive', 'clients lagged 140 ms at 5.3 s: what was seen until 5.2 s may have been over at 5.1 s'],
    ['later than a client lagged', told(lagged(5_300, 139, 'clients')), 'violated', 'bob went on receiving'],
  ]);
  table('only-mine-released', { client: 'alice' }, [
    ['at once', told(), 'violated', 'reservation 8 of bob was released'],
    ['as much later as a client lagged', told(lagged(5_300, 140, 'clients')), 'inconclusive', 'clients lagged 140 ms'],
    ['later than a client lagged', told(lagged(5_300, 139, 'clients')), 'violated', 'reservation 8 of bob was released'],
  ]);
  const paid = (...extra: readonly Entry[]) => ({ entries: crowd({ refunds: [{ atMs: 8_100, verdict: 'accepted' }], extra }), facts: CROWD });
  const ending = (...extra: readonly Entry[]) => ({
    entries: crowd({ bob: { writesUntilMs: 8_090, upstreamEndMs: 8_150, toldMs: 8_160 }, refunds: [{ atMs: 8_100, verdict: 'accepted' }], extra }),
    facts: CROWD,
  });
  table('refund-refused', { client: 'bob' }, [
    ['a refund, while he was served', paid(), 'violated', 'was accepted: status 200, while bob was being served'],
    ['a refund, while he was served for all that those say who lagged', paid(lagged(8_200, 300, 'clients')), 'inconclusive', 'clients lagged 300 ms'],
    ['a refund, by the answer of an exchange that ended beside it, as much later as its upstream lagged', ending(lagged(8_170, 70, 'upstreams')), 'inconclusive', 'upstreams lagged 70 ms'],
    ['a refund, by the answer of an exchange that ended later than its upstream lagged', ending(lagged(8_170, 30, 'upstreams')), 'violated', 'while bob was being served'],
    ['a refund, long before somebody lagged', paid(lagged(9_500, 300, 'clients')), 'violated', 'while bob was being served'],
  ]);
  const stops = (...extra: readonly Entry[]) => ({ entries: crowd({ bob: { readsUntilMs: 7_010 }, extra }), facts: CROWD });
  table('siblings-untouched', { clients: ['bob'] }, [
    ['nothing more to the end of the watch', stops(), 'violated', 'bob receives nothing more'],
    ['nothing more, by one who lags longer than the watch', stops(lagged(8_100, 900, 'clients')), 'inconclusive', 'clients lagged 900 ms at 8.1 s'],
  ]);
});
