// Clients that stop reading, in company: others that stop too, an upstream that writes nothing, what was told
// before and after the pause, and the words of what was seen to grow meanwhile.
import { describe, expect, test } from 'vitest';
import { definition } from './bounded-buffering.ts';
import { FACTS } from './fixtures/facts.ts';
import { MARKER } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, isSample, timelineOf, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const MIB = 1024 * 1024;
const GOT = 200;
const OPTIONS = { client: 'alice', 'at-most': 32 * MIB };
const BOBS = 'hx.bob.1.00000002';

const paused = (ms: number, marker = MARKER): Entry => at(ms, 'client', { type: 'paused', marker, unreadBytes: 0 });
const resumed = (ms: number, marker = MARKER): Entry => at(ms, 'client', { type: 'resumed', marker });
const wrote = (ms: number, bytes: number): Entry => at(ms, 'upstream.model', { type: 'answer-progress', exchange: 3, bytes, events: 10, comments: 0 });
const blocked = (ms: number, upstream = 'model'): Entry => at(ms, `upstream.${upstream}`, { type: 'write-blocked', exchange: 3, queuedBytes: 1 });
const stays: Partial<Knobs> = { goneMs: null, closedMs: null, ownsUntilMs: null, servesUntilMs: null, terminalMs: null, eventsUntilMs: 1_250, refund: null };
const stalled = (extra: readonly Entry[], changes: Partial<Knobs> = {}) => ({ entries: story({ ...stays, ...changes, extra }) });
const complete = (atMs: number): Partial<Knobs> => ({ upstreamEnd: { atMs, how: 'complete', by: 'script', usage: null } });
const MIB_TAKEN = wrote(1_600, GOT + MIB);

describe('whose pause it is', () => {
  table('bounded-buffering', OPTIONS, [
    ["another's is not hers", stalled([paused(1_500, BOBS), wrote(1_600, 60 * MIB)]), 'inconclusive', 'alice never stopped reading'],
    ['another one reads on', stalled([paused(1_500), resumed(1_550, BOBS), wrote(1_600, 60 * MIB)]), 'violated', 'took 60.0 MiB'],
    ['another one stops later', stalled([paused(1_500), MIB_TAKEN, paused(2_000, BOBS)]), 'inconclusive', 'could still write 6.5 s after alice stopped reading'],
    ['she reads on at once', stalled([paused(1_500), resumed(1_500), wrote(1_600, 60 * MIB)]), 'inconclusive', 'could still write 0 ms after'],
    ['she read on later', stalled([paused(1_500), MIB_TAKEN, resumed(1_900)]), 'inconclusive', 'could still write 400 ms after'],
    ['she read on before she stopped', stalled([resumed(1_400), paused(1_500), wrote(1_600, 60 * MIB)]), 'violated', 'took 60.0 MiB', { interval: [1_600, 8_000] }],
  ]);
});

describe('what held it back', () => {
  table('bounded-buffering', OPTIONS, [
    ['a total that is told later undoes nothing', stalled([paused(1_500), MIB_TAKEN, blocked(1_610), wrote(1_650, GOT + MIB + 1)]), 'held', 'took 1.0 MiB'],
    ["another upstream's block is not its", stalled([paused(1_500), MIB_TAKEN, blocked(1_610, 'backup')]), 'inconclusive', 'could still write'],
    ['only when she read on', stalled([paused(1_500), MIB_TAKEN, resumed(1_900), blocked(1_901)]), 'inconclusive', 'could still write 400 ms after'],
    ['in the moment that she read on', stalled([paused(1_500), MIB_TAKEN, blocked(1_900), resumed(1_900)]), 'held', 'took 1.0 MiB'],
    ['closed only when she read on', stalled([paused(1_500), MIB_TAKEN, resumed(1_900)], { closedMs: 1_901 }), 'inconclusive', 'could still write 400 ms after'],
    ['closed in the moment that she read on', stalled([paused(1_500), MIB_TAKEN, resumed(1_900)], { closedMs: 1_900 }), 'held', 'took 1.0 MiB'],
    ['it ended only when she read on', stalled([paused(1_500), resumed(1_900)], complete(1_901)), 'inconclusive', 'could still write 400 ms after'],
    ['it ended in the moment that she read on', stalled([paused(1_500), resumed(1_900)], complete(1_900)), 'inconclusive', 'had no more to give'],
    ['it never wrote anything', stalled([paused(1_500), blocked(1_610)], { eventsUntilMs: 1_100 }), 'held', 'took 0 B from model', { evidence: 1 }],
  ]);
});

describe('what is shown', () => {
  const rss = (bytes: (ms: number) => number): Partial<Knobs> => ({ rssBytes: (ms) => bytes(ms) * MIB });
  const ONE = 'the system took 1.0 MiB from model that alice did not read; 32.0 MiB are allowed';
  const HELD = [paused(1_500), MIB_TAKEN, blocked(1_610)];
  const sampledAt = (...times: readonly number[]) => ({ entries: without(stalled(HELD).entries, (entry) => isSample('process')(entry) && !times.includes(entry.atMs)) });
  table('bounded-buffering', OPTIONS, [
    ['from the first that was too much', stalled([paused(1_500), wrote(1_600, 32 * MIB), wrote(1_700, GOT + 32 * MIB), wrote(2_000, 60 * MIB)]), 'violated', 'took 60.0 MiB', { interval: [2_000, 8_000], evidence: 2 }],
    ['memory alone, where files are not looked at', stalled(HELD), 'held', `${ONE}; its memory grew by 0 B`, { whole: true, evidence: 2 }],
    ['nothing, without the process probe', { entries: without(stalled(HELD).entries, isSample('process')) }, 'held', ONE, { whole: true }],
    ['nothing, where it was seen once', sampledAt(950), 'held', ONE, { whole: true }],
    ['where it was seen twice', sampledAt(950, 1_100), 'held', `${ONE}; its memory grew by 0 B`, { whole: true }],
    ['what grew before the baseline did not grow then', stalled(HELD, rss((ms) => (ms < 940 ? 1 : ms < 2_000 ? 10 : 12))), 'held', 'its memory grew by 2.0 MiB'],
    ['what grew when she read on did not either', stalled([...HELD, resumed(1_850)], rss((ms) => (ms < 1_850 ? 10 : ms < 1_900 ? 13 : 90))), 'held', 'its memory grew by 3.0 MiB'],
  ]);
});

test('settling waits for her to stop, and for all that may be taken', () => {
  const pendingAt = (ms: number, { entries }: { readonly entries: readonly Entry[] }) =>
    definition.pending!({ timeline: timelineOf(...without(entries, ({ atMs }) => atMs > ms)), facts: FACTS, options: OPTIONS });
  expect(pendingAt(1_450, stalled([paused(1_500)]))).toBe('alice never stopped reading');
  expect(pendingAt(1_650, stalled([paused(1_500), wrote(1_600, GOT + 32 * MIB)]))).toContain('could still write');
});
