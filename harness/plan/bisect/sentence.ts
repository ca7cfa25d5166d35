// What a search came to, in one plain sentence.
import type { Conclusion, Seen } from './conclusion.ts';

const percent = (probability: number): string => `${(Math.floor(probability * 1_000) / 10).toFixed(1).replace(/\.0$/, '')} %`;
const seenAt = ({ version, bad, runs }: Seen, name: (version: number) => string): string => `${bad} of ${runs} at ${name(version)}`;

const found = (conclusion: Extract<Conclusion, { kind: 'found' }>, name: (version: number) => string): string => {
  const { good, bad, width, untried, confidence, before, after } = conclusion;
  const evidence = `${seenAt(before, name)}, ${seenAt(after, name)} showed it; probability ${percent(confidence)}`;
  if (width === 1) return `the symptom begins at ${name(bad)}: ${evidence}`;
  const between = untried === 0 ? `none of the ${width - 1} between can be run` : `of the ${width - 1} between, ${width - 1 - untried} were tried and none can be run`;
  return `the symptom begins after ${name(good)}, at ${name(bad)} at the latest (${width} versions): ${between}; ${evidence}`;
};

/** Of both ends of a line: how often each has shown it. */
export const bothSeen = (good: Seen, bad: Seen, name: (version: number) => string): string => `${seenAt(good, name)} and ${seenAt(bad, name)} showed the symptom`;

/** @param name of a version, by its index */
export const sentence = (conclusion: Conclusion, name: (version: number) => string): string => {
  switch (conclusion.kind) {
    case 'searching':
      if (conclusion.phase === 'culprit') return `${name(conclusion.culprit)} is run until it has shown the symptom twice`;
      return conclusion.phase === 'ends' ? 'both ends are being measured' : 'the search goes on';
    case 'found':
      return found(conclusion, name);
    case 'same-ends': {
      const { good, bad, probability, isStrong, smallestRate } = conclusion;
      const counts = bothSeen(good, bad, name);
      if (isStrong) return `the ends do not differ: ${counts} (probability ${percent(probability)})`;
      return bad.bad === 0
        ? `the ends do not differ: ${counts}; a failure rate of ${percent(smallestRate)} would have shown with 95 %`
        : `the ends could not be told apart: ${counts}; that they differ has a probability of ${percent(1 - probability)}`;
    }
    case 'contradiction': {
      const { earlier, later, probability } = conclusion;
      return `no single version explains what was seen: ${seenAt(earlier, name)} showed the symptom, but only ${seenAt(later, name)}, which is nearer to the bad end; `
        + `it comes and goes more than once (probability ${percent(probability)}), so none is named`;
    }
    case 'undecided':
      if ('untestable' in conclusion) return `not decided: ${conclusion.reason}`;
      return `not decided: ${conclusion.reason}; the symptom begins after ${name(conclusion.range.from)}, at ${name(conclusion.range.to)} at the latest, `
        + `with a probability of ${percent(conclusion.range.mass)}`;
  }
};
