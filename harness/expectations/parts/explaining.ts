// Words for what a claim counts from, waits for and doubts, before anything has happened. They follow
// the guards that judging uses (trust.ts, ledger.ts, subject.ts), so that both say the same.
import { ORIGINS } from '../../model/facts.ts';
import type { BoundName, Facts } from '../../model/facts.ts';
import type { Options } from '../../model/fields.ts';
import { formatMs } from '../../model/time.ts';
import { plannedSilenceMs } from './silence.ts';

const MOST_NAMES = 3;

/** `mark gone`; `the progress bound of 10.0 s`. */
export const momentWords = (facts: Facts, after: unknown): string => {
  if (typeof after === 'string') return `mark ${after}`;
  const { bound } = after as { bound: BoundName };
  return `the ${bound} bound of ${formatMs(facts.bounds[bound] ?? 0)}`;
};

/** `mark gone, at which alice leaves by fin`; `the progress bound (10.0 s after the last data event, else the head)`. */
const wholeWords = (facts: Facts, after: unknown): string => {
  if (typeof after === 'string') {
    const leaves = facts.leaves.filter(({ mark }) => mark === after);
    if (leaves.length > MOST_NAMES) return `mark ${after}, at which ${leaves.length} clients leave by ${leaves[0]!.how}`;
    const who = leaves.map(({ client, how }) => `${client} leaves by ${how}`).join(' and ');
    return `mark ${after}${who === '' ? '' : `, at which ${who}`}`;
  }
  const { bound } = after as { bound: BoundName };
  return `the ${bound} bound (${formatMs(facts.bounds[bound] ?? 0)} after ${ORIGINS[bound]})`;
};

/** `2.0 s after mark gone, and 500 ms for measuring`. */
export const limitWords = (facts: Facts, after: unknown, withinMs: unknown, marginMs = facts.marginMs): string => {
  const limit = typeof withinMs === 'number' && withinMs > 0 ? `${formatMs(withinMs)} after ` : '';
  return `${limit}${momentWords(facts, after)}, and ${formatMs(marginMs)} for measuring`;
};

/** When the exchange must have been seen open. */
export const openWords = (facts: Facts, after: unknown): string =>
  typeof after === 'string' ? `at ${wholeWords(facts, after)}` : `before ${wholeWords(facts, after)} is due`;

/** What leaves every claim open. */
export const RECORD_DOUBTS: readonly string[] = [
  'a fault did not fire, or the first plain exchange did not work',
  'the system died by itself, or the record was cut off or lost facts',
];

/** Watchers and system must have had a processor. */
export const lagDoubts = ({ marginMs }: Facts): readonly string[] => [
  `harness or an actor lagged more than ${formatMs(marginMs)}, or their clocks agree less than that`,
];

/** A leave must have gone out, arrived, and ended something that was streaming. */
export const leaveDoubts = (facts: Facts, after: unknown): readonly string[] => {
  const isLeave = facts.leaves.some(({ mark }) => mark === after);
  const mark = typeof after === 'string' ? [`mark ${after} was never set`] : [];
  if (!isLeave) return mark;
  const sent = 'nothing went out at the leave, or the path control did not see such a close';
  return [...mark, sent, 'the answer was an error, or over, before the leave'];
};

/** A ledger must be looked at more often than a lease lasts, and the system must have been able to renew. */
export const leaseDoubts = (facts: Facts): readonly string[] => [
  `the ledger is lost: no sample for ${formatMs(plannedSilenceMs(facts, facts.sampling.ledgerMs))}`,
  ...(facts.periods.leaseMs === undefined ? [] : [`the ledger is not seen for longer than a lease of ${formatMs(facts.periods.leaseMs)}`]),
];

/** Where it can be counted: a SQLite file in WAL mode. */
export const UNSEEN_WRITES = 'the ledger is written more often than the samples explain, and by nobody else: it may have been held again between two looks';

export const starvedDoubts = ({ periods: { leaseMs } }: Facts): readonly string[] =>
  leaseMs === undefined ? [] : [`the system waits for a processor for more than ${formatMs(leaseMs / 3)} within a lease`];

export const whose = ({ client }: Options): string => (typeof client === 'string' ? `${client}'s` : "each client's");
