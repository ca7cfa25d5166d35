// What two neighbours of a search differ in beside what was searched along, most often what each version brought along on the day on
// which it was installed: that may be to blame as well, and whoever reads an answer must know it.
import { fewAlong } from '../../model/came-along.ts';
import { oneLine } from '../text.ts';
import type { ReportInput } from '../view/input.ts';
import { placeOf } from './circumstances.ts';

const MOST_ALONG = 5;

/** Made anew at each place anyway. */
const FOLLOWS = /^(?:image for|commit of) /;

/** A version that is not the same, and not by the axes along which the search went. */
export type Also = { readonly name: string; readonly good: string | null; readonly bad: string | null };

export const alsoDifferent = (good: ReportInput, bad: ReportInput): readonly Also[] => {
  const [ofGood, ofBad] = [good.manifest.versions, bad.manifest.versions];
  const [from, to] = [placeOf(good), placeOf(bad)];
  const isSearched = (name: string): boolean => Object.keys(from).some((axis) => from[axis] !== to[axis] && from[axis] === ofGood[name] && to[axis] === ofBad[name]);
  return [...new Set([...Object.keys(ofGood), ...Object.keys(ofBad)])]
    .filter((name) => ofGood[name] !== ofBad[name] && !FOLLOWS.test(name) && !isSearched(name))
    .map((name) => ({ name, good: ofGood[name] ?? null, bad: ofBad[name] ?? null }));
};

/** In one line; null where there is nothing. */
export const alsoSentence = (all: readonly Also[]): string | null => {
  if (all.length === 0) return null;
  const { shown, more } = fewAlong(all, ({ name }) => name, MOST_ALONG);
  const words = shown.map(({ name, good, bad }) => `${name} ${good ?? 'not told'} and ${bad ?? 'not told'}`);
  return oneLine(`Also different between them: ${[...words, ...(more > 0 ? [`${more} more that came along`] : [])].join('; ')}.`, 2_000);
};
