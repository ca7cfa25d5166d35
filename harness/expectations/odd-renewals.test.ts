// Renewals of systems that are odd, or hostile, or were watched too briefly: nothing is held for want of a look.
import { describe } from 'vitest';
import { LEAK } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { watchedUntil } from './fixtures/timeline.ts';
import type { LedgerValue } from '../model/samples.ts';

const OPTIONS = { client: 'alice', after: 'gone' };
const NO_LEASE: Partial<Knobs> = {
  ledger: (value: LedgerValue) => ({ ...value, reservations: value.reservations.map(({ leaseAtMs: _, ...row }) => row) }),
};
const UUID = '0c6ffb7e-a9db-4e6d-951e-40ad80cedb73';
const withUuid: Partial<Knobs> = {
  ledger: (value: LedgerValue) => ({ ...value, reservations: value.reservations.map((row) => ({ ...row, id: UUID })) }),
};

describe('a watch that ends before a renewal can have been seen', () => {
  table('renewal-stopped', OPTIONS, [
    [
      'shows nothing of a row that lives on',
      { entries: watchedUntil(story(LEAK), 4_000) },
      'inconclusive',
      "the watch was too short: reservation 7 stays active, and from 752 ms after alice's FIN on it was seen for 199 ms only; a renewal takes 500 ms",
    ],
    [
      'nor does one that ends while system and watchers may still have been late',
      { entries: watchedUntil(story({ ...LEAK, runDelayMs: (ms) => (ms > 3_100 ? 400 : 0) }), 4_100) },
      'inconclusive',
      'was seen for 0 ms only',
    ],
    ['is long enough for a row that has ended', { entries: watchedUntil(story(), 4_000) }, 'held', 'no lease of 1 reservation'],
    [
      'is long enough when a renewal would have come',
      { entries: watchedUntil(story({ ...LEAK, renewUntilMs: 2_900 }), 4_700) },
      'held',
      'no lease of 1 reservation',
    ],
  ]);
});

describe('a ledger without a column for the lease', () => {
  table('renewal-stopped', OPTIONS, [
    ['shows that a row has ended', { entries: story(NO_LEASE) }, 'held', 'no lease of 1 reservation'],
    [
      'does not show whether one that ends later was renewed until then',
      { entries: story({ ...NO_LEASE, terminalMs: 6_500 }) },
      'inconclusive',
      'the ledger shows no lease of reservation 7, which was charged when last seen',
    ],
    [
      'does not show whether one that never ends is renewed',
      { entries: story({ ...LEAK, ...NO_LEASE }) },
      'inconclusive',
      'the ledger shows no lease of reservation 7, which was active when last seen',
    ],
  ]);
});

describe('an id that nobody can read out is shortened', () => {
  table('renewal-stopped', OPTIONS, [
    ['in the line of a renewal', { entries: story({ ...LEAK, ...withUuid }) }, 'violated', "lease of reservation 0c6ffb7e moved 10 times after alice's FIN"],
  ]);
  table('billing-terminal', { ...OPTIONS, within: 2_000 }, [
    ['in the line of an end', { entries: story(withUuid) }, 'held', 'reservation 0c6ffb7e was charged 60 ms after'],
    ['in the line of none', { entries: story({ ...LEAK, ...withUuid }) }, 'violated', 'lease of reservation 0c6ffb7e moved'],
  ]);
});
