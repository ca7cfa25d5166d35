// Which facts a record can do without where room is short: archives thin them, and a life lets go of them turn by turn.
import type { FactType } from './observation.ts';

/** What is told again and again: most of any record, and each of it soon followed by the next. */
export const SAMPLED: readonly FactType[] = [
  'sample',
  'scheduling-lag',
  'answer-progress',
  'received',
  'write-blocked',
  'write-drained',
];
