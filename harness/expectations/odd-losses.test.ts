// A ledger that was lost, and what a reader is told of it: why, where that is known, and nothing that happened to another
// probe or at another time; and what an upstream exchange shows that was not open when it should have been.
import { describe } from 'vitest';
import { FACTS } from './fixtures/facts.ts';
import { LEAK } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const failing = (probe: 'ledger' | 'process', atMs: number): Entry => at(atMs, `probe.${probe}`, { type: 'sample', probe, tookMs: 1, error: 'gone' });
const lostAfter = (ms: number, ...more: readonly Entry[]) => ({
  entries: [...without(story(), (entry) => isSample('ledger')(entry) && entry.atMs > ms), ...more],
});
const LOST = 'probe ledger lost the ledger at 5.1 s, 2.9 s before the end';
const whole = { whole: true, evidence: 1 } as const;

describe('a ledger that was lost', () => {
  table('nothing-reserved', { client: 'alice' }, [
    ['nobody knows why', lostAfter(5_100), 'inconclusive', LOST, whole],
    ['another probe failed', lostAfter(5_100, failing('process', 5_500)), 'inconclusive', LOST, whole],
    ['it had failed once before', lostAfter(5_100, failing('ledger', 2_005)), 'inconclusive', LOST, whole],
    ['it failed from then on', lostAfter(5_100, failing('ledger', 5_200), failing('process', 5_150)), 'inconclusive', `${LOST} (gone, probe.ledger`],
    ['it failed from the beginning', { entries: [...without(story(), isSample('ledger')), failing('ledger', 500)] }, 'inconclusive', 'probe ledger'],
  ]);
  /** Four samples of 100 ms, or the margin where that is more. */
  const silent = (ledgerMs: number, lastMs: number) => ({ ...lostAfter(lastMs), facts: { sampling: { ...FACTS.sampling, ledgerMs } } });
  table('nothing-reserved', { client: 'alice' }, [
    ['silent for as long as is allowed', silent(100, 7_700), 'held', ''],
    ['silent for longer', silent(100, 7_550), 'inconclusive', 'lost the ledger'],
    ['silent for longer, but seldom asked', silent(200, 7_550), 'held', ''],
    ['silent for less than the margin, and often asked', silent(10, 7_800), 'held', ''],
    ['silent for more than the margin, and often asked', silent(10, 7_650), 'inconclusive', 'lost the ledger'],
  ]);
  /** Of a long life, which is looked at each quarter of a minute: what was seen in the middle of a turn, or between two of them, is not its end. */
  table('nothing-reserved', { client: 'alice' }, [
    ['seldom asked, and lost while she was there', silent(15_000, 2_900), 'inconclusive', 'probe ledger lost the ledger at 2.9 s, 5.1 s before the end'],
    ['seldom asked, and lost after she had left', silent(15_000, 5_100), 'inconclusive', LOST],
    ['seldom asked, and lost just before the watch', silent(15_000, 5_999), 'inconclusive', 'lost the ledger'],
    ['seldom asked, and seen in the watch', silent(15_000, 6_100), 'held', ''],
    ['seldom asked, and seen to hold on in the watch', { ...silent(15_000, 6_100), entries: without(story(LEAK), (entry) => isSample('ledger')(entry) && entry.atMs > 6_100) }, 'violated', 'account acc has 100 reserved'],
  ]);
});

describe('an upstream exchange that was not open', () => {
  const end = (atMs: number, by: 'script' | 'fault') =>
    story({ closedMs: null, ownsUntilMs: null, eventsUntilMs: atMs - 1, upstreamEnd: { atMs, how: 'cut', by, usage: null } });
  table('upstream-closed', { upstream: 'model', after: 'gone', within: 2_000 }, [
    ['closed by the system before', { entries: story({ closedMs: 2_900, ownsUntilMs: 2_900 }) }, 'inconclusive', "was not open at alice's FIN: the system closed it 100 ms before", { evidence: 1 }],
    ['ended by a fault', { entries: end(3_500, 'fault') }, 'inconclusive', "was ended by a fault 500 ms after alice's FIN", { evidence: 1 }],
    ['ended by itself', { entries: end(3_500, 'script') }, 'inconclusive', 'was ended by its own script', { evidence: 1 }],
    ['ended by itself long after it should have been closed', { entries: end(6_500, 'script') }, 'violated', 'was still open'],
  ]);
});
