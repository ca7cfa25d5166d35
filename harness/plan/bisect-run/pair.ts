// Two axes: the pair of values that is bad and of which neither can go one back. First it is asked whether one axis alone makes the
// difference; if neither does, the first axis is searched with the second at its bad end, then the second with the first where it broke.
import type { Sought } from './answer.ts';
import { searchLine } from './line.ts';
import type { Reckoned } from './line.ts';
import { cornerOf, culpritOf, NONE, outcomeOfLine, whyOfLine } from './outcome.ts';
import type { SearchOutcome, Show } from './outcome.ts';
import { isSpent, lineOf, runAll, settleEnds } from './search.ts';
import type { Line, Search } from './search.ts';
import { tallyOf } from './standing.ts';
import type { Place } from './store.ts';

/** One that comes and goes is asked so often before it is taken for good; what is sure shows itself at once. */
const MOST_ASKED = 5;

/** Whether a corner is bad; null where it cannot be told. */
const isBad = async (search: Search, place: Place, sought: Sought, isSure: boolean): Promise<boolean | null> => {
  const enough = isSure ? 1 : MOST_ASKED;
  for (;;) {
    const { good, bad, given } = tallyOf(search.store.at(place), sought);
    if (bad > 0) return true;
    if (good >= enough) return false;
    if (given !== null || isSpent(search)) return null;
    await runAll(search, Array.from({ length: Math.min(search.jobs, enough - good) }, () => place));
  }
};

const result = (sought: Sought, lines: readonly Reckoned[], alone: string | null): SearchOutcome => {
  const last = lines.at(-1)!;
  const open = lines.find(({ verdict }) => verdict !== 'found');
  return { word: outcomeOfLine(open ?? last), why: whyOfLine(open ?? last), sought, lines, culprit: open ? null : culpritOf(last), alone };
};

export const searchPair = async (search: Search, show: Show): Promise<SearchOutcome> => {
  const [good, bad] = [cornerOf(search, false), cornerOf(search, true)];
  const ends = await settleEnds(search, good, bad);
  if ('why' in ends) return { ...NONE, word: ends.word, why: ends.why };
  const { sought } = ends;
  const ofBad = tallyOf(search.store.at(bad), sought);
  const along = async (line: Line, before: readonly Reckoned[]): Promise<Reckoned> =>
    searchLine(search, line, sought, (now) => show(sought, [...before, now]));
  search.tell('asking whether one axis alone makes the difference');
  for (const index of [0, 1]) {
    const corner = good.map((value, at) => (at === index ? bad[at]! : value));
    if ((await isBad(search, corner, sought, ofBad.good === 0)) !== true) continue;
    const { axis } = search.axes[index]!;
    return result(sought, [await along(lineOf(search.axes, index, good), [])], axis);
  }
  const first = await along(lineOf(search.axes, 0, bad), []);
  const at = first.firstBad === null ? null : first.line.places[first.firstBad]!;
  if (first.verdict !== 'found' || at === null) return result(sought, [first], null);
  const second = await along(lineOf(search.axes, 1, at), [first]);
  const beside = culpritOf(second);
  // One back on the first axis was good with the second at its end; that it is so here as well is seen, not concluded.
  const back = first.lastGood === null ? null : first.line.values[first.lastGood]!;
  const other = beside === null || back === null ? null : [back, beside[1]!];
  if (other === null || (await isBad(search, other, sought, ofBad.good === 0)) !== true) return result(sought, [first, second], null);
  return result(sought, [first, second, await along(lineOf(search.axes, 0, beside!), [first, second])], null);
};
