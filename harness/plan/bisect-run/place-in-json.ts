// Where in the text of a JSON something stands, so that a problem of its data can be shown at its line.

export type JsonPath = readonly (string | number)[];

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

type Level = { readonly isList: boolean; at: string | number | null };

/**
 * @param text is valid JSON
 * @returns offset and length of the key, or of the value in a list; of what is not there, of the nearest thing that holds it
 */
export const placeInJson = (text: string, path: JsonPath): { readonly start: number; readonly length: number } => {
  const levels: Level[] = [];
  let best = { start: 0, length: 1, depth: 0 };
  const meet = (token: string, start: number): void => {
    const depth = levels.length;
    // Of a key that is there twice the last one counts, as for whoever parses it.
    const isOnTheWay = depth >= Math.max(1, best.depth) && depth <= path.length && levels.every(({ at }, index) => at === path[index]);
    if (isOnTheWay) best = { start, length: token.length, depth };
  };
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    const level = levels.at(-1);
    if (token === '}' || token === ']') levels.pop();
    else if (token === ',') level!.at = level!.isList ? (level!.at as number) + 1 : null;
    else if (token !== ':') {
      if (level && !level.isList && level.at === null) {
        level.at = JSON.parse(token) as string;
        meet(token, match.index);
        continue;
      }
      if (level?.isList) meet(token, match.index);
      if (token === '{' || token === '[') levels.push({ isList: token === '[', at: token === '[' ? 0 : null });
    }
  }
  return { start: best.start, length: best.length };
};

/** `probes[3].seen.why`. Keys are the writer's: what is no plain word is not repeated. */
export const pathText = (path: JsonPath): string =>
  path.map((key) => (typeof key === 'number' ? `[${key}]` : /^[\w-]{1,40}$/.test(key) ? `.${key}` : '.*')).join('').replace(/^\./, '');
