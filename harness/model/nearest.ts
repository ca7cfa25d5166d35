// "Did you mean": the known word that a mistyped one is closest to, if any is close enough to be
// worth proposing. A bad proposal is worse than none.

/** Edits (insert, delete, replace, swap of neighbours) between two words; gives up above `limit`. */
export const editDistance = (a: string, b: string, limit: number): number => {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
    }
    if (Math.min(...row) > limit) return limit + 1;
    before = above;
    above = row;
  }
  return above[b.length]!;
};

/** @returns the known word within a third of the length in edits (at least one), or undefined */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  if (word === '' || word.length > 100) return undefined;
  const limit = Math.max(1, Math.floor(word.length / 3));
  const lower = word.toLowerCase();
  let best: { readonly word: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(lower, candidate.toLowerCase(), limit);
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { word: candidate, distance };
  }
  return best?.word;
};

/** One line for a hint: the nearest word, and the known ones as far as they fit. */
export const didYouMean = (word: string, known: readonly string[], what = 'known'): string => {
  const close = nearest(word, known);
  const shown = known.slice(0, 30).join(', ');
  const none = /\b(?:are|has|makes)$/.test(what) ? 'there is none' : `none is ${what}`;
  const list = known.length === 0 ? none : `${what}: ${shown}${known.length > 30 ? ', ...' : ''}`;
  return close === undefined ? list : `did you mean \`${close}\`? ${list}`;
};
