// A card at one place on its axes: the same card with other versions. Pure; what that takes is provided later.
import { onlyAxes } from '../../model/coordinates.ts';
import type { Coordinates } from '../../model/coordinates.ts';
import { didYouMean } from '../../model/nearest.ts';
import { problem } from '../../model/problem.ts';
import { deepFreeze } from '../../scenario/build.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { RuntimeKind } from '../../runtimes/runtime.ts';
import type { Card, CardAxis, CardProcess } from '../card.ts';
import type { Values } from '../template.ts';

export const VERSION = 'version';

/** The card's own axes by name: `version` where it says where versions come from, and those below `axes`. */
export const ownAxesOf = ({ versions, axes }: Pick<Card, 'versions' | 'axes'>): Readonly<Record<string, CardAxis>> => ({
  ...(versions ? { [VERSION]: versions } : {}),
  ...axes,
});

/** What of these coordinates is the card's own. */
export const cardCoordinates = (card: Pick<Card, 'versions' | 'axes'>, coordinates: Coordinates): Coordinates =>
  onlyAxes(coordinates, (axis) => Object.hasOwn(ownAxesOf(card), axis));

/** All of the card in which a reference is one. Values are none of them: a tag of git may be called `v1_${x}`. */
const partsOf = (card: Card) => {
  const { key: _, coordinates: __, version: ___, versions: ____, axes: _____, known: ______, about: _______, ...parts } = card;
  return parts;
};

export const textsOf = (card: Card): string => JSON.stringify(partsOf(card));

/** How the card's texts name it. */
export const referenceTo = (axis: string): string => (axis === VERSION ? '${version}' : `\${axis.${axis}}`);

const isNamedIn = (card: Card, axis: string, texts: string): boolean =>
  texts.includes(referenceTo(axis)) || (axis === VERSION && card.versions?.from === 'git' && texts.includes('${source}'));

/** Whether some text of the card holds the value: else the same system would run under every one of them. */
export const isUsed = (card: Card, axis: string): boolean => isNamedIn(card, axis, textsOf(card));

type Image = CardProcess['docker'];

/** An image that is built here is what it is built of, whatever it is called. Another one holds all that it runs: no work tree, no packages. */
const textsOfImage = (docker: Image): string => {
  if (docker?.build) return JSON.stringify({ ...docker, image: '' });
  return JSON.stringify(docker ?? {}).replaceAll('${source}', '');
};

/** The same on one runtime: what only another one is given changes nothing there. */
export const isUsedOn = (card: Card, axis: string, runtime: RuntimeKind): boolean => {
  const { run, install, ...parts } = partsOf(card);
  const own = run.map(({ process, docker, ...shared }) => [shared, runtime === 'process' ? process : textsOfImage(docker)]);
  const isInstalled = runtime === 'process' || run.some(({ docker }) => docker?.build !== undefined);
  return isNamedIn(card, axis, JSON.stringify([parts, own, isInstalled ? install : {}]));
};

/** @throws ProblemError `unknown-axis` naming those that it has */
export const axisOf = (card: Card, axis: string): CardAxis => {
  const own = ownAxesOf(card);
  if (Object.hasOwn(own, axis)) return own[axis]!;
  throw problem('scenario', 'unknown-axis', `the card of ${card.system} has no axis "${axis}"`, {
    hint: didYouMean(axis, Object.keys(own), 'it has'),
  });
};

const keyOf = (file: string, coordinates: Coordinates): string => {
  const entries = Object.entries(coordinates).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? file : `${file} ${JSON.stringify(Object.fromEntries(entries))}`;
};

/**
 * @param coordinates on the card's own axes, added to those that it has
 * @returns the same card for none
 * @throws ProblemError `unknown-axis`
 */
export const cardAt = (card: Card, coordinates: Coordinates): Card => {
  if (Object.keys(coordinates).length === 0) return card;
  for (const axis of Object.keys(coordinates)) axisOf(card, axis);
  const all = { ...card.coordinates, ...coordinates };
  const at = (axis: string, from: CardAxis): CardAxis => (coordinates[axis] === undefined ? from : { ...from, use: coordinates[axis] });
  return deepFreeze({
    ...card,
    key: keyOf(card.file, all),
    coordinates: all,
    version: coordinates[VERSION] ?? card.version,
    versions: card.versions && at(VERSION, card.versions),
    axes: Object.fromEntries(Object.entries(card.axes).map(([name, axis]) => [name, at(name, axis)])),
  });
};

/** The card where a scenario wants it; what it has no axis for is told elsewhere. */
export const cardFor = ({ system: { coordinates = {} } }: Pick<Scenario, 'system'>, card: Card): Card => cardAt(card, cardCoordinates(card, coordinates));

/** What the card's texts may refer to of its axes: `version`, `axis.starlette`. */
export const axisValues = ({ version, axes }: Pick<Card, 'version' | 'axes'>): Values => ({
  ...(version === null ? {} : { version }),
  ...Object.fromEntries(Object.entries(axes).flatMap(([name, { use }]) => (use === null ? [] : [[`axis.${name}`, use]]))),
});
