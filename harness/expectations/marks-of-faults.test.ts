// Marks that a fault sets when it is done (`unlocked`) belong to no client: claims count from them all the same, and
// each from the exchange of the client that it names.
import { describe, expect, test } from 'vitest';
import { crowd, CROWD } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { verdictOf } from './fixtures/judging.ts';
import { LEAK } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const unlocked = (atMs: number): Entry => at(atMs, 'harness', { type: 'mark', mark: 'unlocked', client: null });
const AFTER = { client: 'alice', after: 'unlocked' };
const tell = (terminalMs: number | null, more: Partial<Crowd> = {}): Row[1] => ({
  entries: crowd({ alice: { terminalMs }, extra: [unlocked(4_000)], ...more }),
  facts: CROWD,
});

describe('billing-terminal', () => {
  table('billing-terminal', { ...AFTER, within: 1_000 }, [
    ['settled once the ledger was free', tell(4_500), 'held', 'reservation 7 was released 560 ms after mark unlocked'],
    ['settled within limit and margin', tell(5_160), 'held', 'after mark unlocked'],
    ['settled later', tell(5_400), 'violated', 'was still active 1.4 s after mark unlocked'],
    ['settled before it was free', tell(3_900), 'held', 'before mark unlocked'],
    ['never settled', tell(null), 'violated', 'after mark unlocked; lease of reservation 7 moved'],
    ['the mark was never set', tell(4_500, { extra: [] }), 'inconclusive', 'mark unlocked was never set'],
  ]);
});

describe('renewal-stopped', () => {
  table('renewal-stopped', AFTER, [
    ['renewed until it was free, and no longer', tell(4_500), 'held', 'no lease of 1 reservation of alice moved from one renewal after mark unlocked'],
    ['renewed for ever', tell(null), 'violated', 'after mark unlocked'],
    ["a sibling's renewals are not hers", tell(4_500, { bob: {} }), 'held', ''],
  ]);
});

describe('upstream-closed', () => {
  const options = { upstream: 'model', client: 'alice', after: 'unlocked', within: 1_000 };
  test('counts from it where a client is named', () => {
    const found = verdictOf('upstream-closed', { entries: story({ ...LEAK, extra: [unlocked(3_500)] }), options });
    expect(`${found.outcome}: ${found.reason}`).toMatch(/^violated: upstream exchange 3 was still open .* after mark unlocked/);
  });
  test('speaks of everybody where none is, siblings too', () => {
    const { client: _, ...everybody } = options;
    const found = verdictOf('upstream-closed', { ...tell(4_500), options: everybody });
    expect(found.outcome).toBe('violated');
  });
});
