// Whether of many turns the last were served less than the first, by more than chance does it where each is served as likely as the other.
import { missesAtLast, sameRate } from '../../model/same-rate.ts';
import type { Counted } from '../../model/same-rate.ts';

/** Fewer have no quarters. */
export const FEWEST_TURNS = 4;
/** With fewer no change is sure. */
export const SURE_TURNS = 15;
/** What chance makes less often than in one of a thousand records, where two things are asked of each client by two tests, is a change. */
const SURE = 0.001 / 4;
/** What it makes in one of a hundred may be one. */
const DOUBTFUL = 0.01;

export type Lost = {
  /** `lost`: surely, and for long enough; `doubtful`: it may be; `no`: as at first, as far as that can be told. */
  readonly outcome: 'no' | 'doubtful' | 'lost';
  /** What is compared: the last quarter with the first, or those since the last that was served with all before. */
  readonly last: Counted;
  readonly first: Counted;
  /** Why it is doubtful, in words. */
  readonly why: string;
};

const shareOf = (served: readonly boolean[]): Counted => ({ count: served.filter(Boolean).length, of: served.length });

/**
 * Fisher's exact test sees fewer of the last quarter than of the first. It cannot see what is lost soon: where of 260 turns only the first seven
 * were served, chance puts all seven into one of the two quarters in one of 77 records. That none is served after the seventh it hardly ever makes.
 * @param served turn by turn, `FEWEST_TURNS` or more
 * @param clients of whom this is asked, each of which chance may make look as if it had changed
 */
export const lostOf = (served: readonly boolean[], clients: number): Lost => {
  const quarter = Math.floor(served.length / 4);
  const [first, last] = [shareOf(served.slice(0, quarter)), shareOf(served.slice(-quarter))];
  const run = served.length - 1 - served.lastIndexOf(true);
  const all = shareOf(served);
  const [ofQuarters, ofRun] = [last.count < first.count ? clients * sameRate(first, last) : 1, clients * missesAtLast(all, run)];
  const isHalved = ofQuarters <= SURE && last.count < first.count / 2;
  const isOver = ofRun <= SURE && run >= quarter;
  const isQuarter = isHalved || (!isOver && ofQuarters <= ofRun);
  const compared = isQuarter ? { last, first } : { last: { count: 0, of: run }, first: { count: all.count, of: all.of - run } };
  if (isHalved || isOver) return { outcome: 'lost', ...compared, why: '' };
  // All of the first and none of the last is no picture of a system that goes on, however few they are.
  const isAllOrNone = last.count === 0 && first.count === first.of;
  if (Math.min(ofQuarters, ofRun) > DOUBTFUL && !isAllOrNone) return { outcome: 'no', last, first, why: '' };
  const soon = isQuarter ? 'fewer, but not less than half as many' : 'too short a time to know that it stays so';
  return { outcome: 'doubtful', ...compared, why: Math.min(ofQuarters, ofRun) > SURE ? 'too few to tell a change from chance' : soon };
};
