// What was seen, as text: a letter for each state in a table for each implementation of HTTP, what each picture means by
// leave, and between which neighbours it changes.
import { STATES } from './seen.ts';
import type { State } from './seen.ts';
import type { Pair, Seen } from './seen-matrix.ts';

const LETTER: Readonly<Record<State, string>> = { 'header-wait': 'H', silent: 'S', endless: 'E', 'never-reads': 'N' };

/** Capital: nobody's leave was noticed. Small: that of some was. A dot: everybody's was. */
const letterOf = (pair: Pair, state: State): string => {
  const said = Object.values(pair[state] ?? {});
  if (said.length === 0 || said.some((each) => each === 'open' || each === 'differs')) return '?';
  if (said.every((each) => each === 'noticed')) return '.';
  return said.every((each) => each === 'unnoticed') ? LETTER[state] : LETTER[state].toLowerCase();
};

export const pictureOf = (pair: Pair): string => STATES.map((state) => letterOf(pair, state)).join('');

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const tableOf = (servers: Seen[string]): readonly string[] => {
  const frameworks = [...new Set(Object.values(servers).flatMap((row) => Object.keys(row)))]
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return [
    line(['uvicorn \\ Starlette', ...frameworks]),
    line(['---', ...frameworks.map(() => ':-:')]),
    ...Object.entries(servers).map(([uvicorn, row]) =>
      line([uvicorn, ...frameworks.map((starlette) => (row[starlette] ? `\`${pictureOf(row[starlette])}\`` : ''))])),
  ];
};

const leavesOf = (pair: Pair, state: State): string => {
  const asked = Object.entries(pair[state] ?? {});
  const said = asked.filter(([, each]) => each !== 'noticed');
  if (said.length === 0) return asked.length === 0 ? 'not asked' : 'none';
  return said.map(([leave, each]) => (each === 'unnoticed' ? leave : `${leave} (${each})`)).join(', ');
};

type Place = { readonly http: string; readonly uvicorn: string; readonly starlette: string; readonly pair: Pair };

const placesOf = (seen: Seen): readonly Place[] =>
  Object.entries(seen).flatMap(([http, servers]) =>
    Object.entries(servers).flatMap(([uvicorn, row]) =>
      Object.entries(row).map(([starlette, pair]) => ({ http, uvicorn, starlette, pair }))));

/** Pictures that look alike and are not, by leave, are two rows. */
const picturesOf = (seen: Seen): readonly string[] => {
  const alike = Map.groupBy(placesOf(seen), ({ pair }) => JSON.stringify(pair));
  const implementations = Object.keys(seen);
  return [
    line(['Picture', ...STATES, ...implementations.map((http) => `pairs, ${http}`)]),
    line(['---', ...STATES.map(() => '---'), ...implementations.map(() => '--:')]),
    ...[...alike.values()].map((places) =>
      line([
        `\`${pictureOf(places[0]!.pair)}\``,
        ...STATES.map((state) => leavesOf(places[0]!.pair, state)),
        ...implementations.map((http) => String(places.filter((place) => place.http === http).length)),
      ])),
  ];
};

/** In a letter that is known of both. */
const differ = (from: string, to: string): boolean =>
  [...from].some((letter, index) => letter !== to[index] && letter !== '?' && to[index] !== '?');

/** Between which neighbours of one axis the picture changes, and with which values of the other. */
const changesAlong = (places: readonly Place[], axis: 'uvicorn' | 'starlette'): readonly string[] => {
  const other = axis === 'uvicorn' ? 'starlette' : 'uvicorn';
  const lines = [...Map.groupBy(places, (place) => place[other])].flatMap(([value, along]) =>
    along.slice(1).flatMap((place, index) => {
      const before = along[index]!;
      const [from, to] = [pictureOf(before.pair), pictureOf(place.pair)];
      return !differ(from, to) ? [] : [{ change: `${axis} ${before[axis]} to ${place[axis]}: \`${from}\` becomes \`${to}\``, value }];
    }));
  return [...Map.groupBy(lines, ({ change }) => change)].map(
    ([change, same]) => `- ${change}, with ${other} ${same.map(({ value }) => value).join(', ')}`,
  );
};

const changesOf = (seen: Seen): readonly string[] =>
  Object.keys(seen).flatMap((http) => {
    const places = placesOf(seen).filter((place) => place.http === http);
    return [`With ${http}:`, '', ...changesAlong(places, 'uvicorn'), ...changesAlong(places, 'starlette'), ''];
  });

/** @returns the part of the page that is made from what was seen, and from nothing else */
export const tablesOf = (seen: Seen): string =>
  [
    ...Object.entries(seen).flatMap(([http, servers]) => [`### \`--http ${http}\``, '', ...tableOf(servers), '']),
    '### The pictures, by leave', '', 'Which leaves go unnoticed.', '', ...picturesOf(seen), '',
    '### Where it changes', '', ...changesOf(seen),
  ].join('\n').trimEnd();
