// Scenarios at places on the axes of their systems: each once for every combination of the wanted values. Values are concrete
// here; ranges and `*` are made so in axis-values.ts, which asks registries.
import { hidesWhatFollows } from '../bundle/header-shapes.ts';
import { SETTING_AXIS } from '../model/coordinates.ts';
import type { Coordinates } from '../model/coordinates.ts';
import { didYouMean } from '../model/nearest.ts';
import { problem } from '../model/problem.ts';
import { parseDuration } from '../model/time.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { cardAt, cardCoordinates, isUsed, ownAxesOf, VERSION } from '../systems/axes/card-at.ts';
import type { Card } from '../systems/card.ts';
import type { Loaded } from './select.ts';

/** More combinations of one command than anybody waits for. */
export const MAXIMUM_COMBINATIONS = 2_000;

/** Names of everything that may vary of a card. */
export const axisNames = (card: Card): readonly string[] => [
  ...Object.keys(ownAxesOf(card)),
  ...Object.keys(card.settings).map((name) => `${SETTING_AXIS}${name}`),
  ...(card.defects ? ['defect'] : []),
  'runtime',
];

/** @throws ProblemError `unknown-axis` for one that the card has not, or that would change nothing; `bad-option` for one that evidence would hide */
export const checkAxis = (card: Card, axis: string): void => {
  const known = axisNames(card);
  if (!known.includes(axis)) {
    throw problem('scenario', 'unknown-axis', `the card of ${card.system} has no axis "${axis}"`, {
      hint: axis === VERSION ? `say where versions come from: versions: { from: npm, package: ... } in ${card.file}` : didYouMean(axis, known, 'it has'),
    });
  }
  if (hidesWhatFollows(axis)) {
    throw problem('scenario', 'bad-option', `the values of the axis "${axis}" would be hidden in evidence, as those of a header with a secret: no run could be told from another`, {
      hint: 'give the setting another name in the card',
    });
  }
  if (!Object.hasOwn(ownAxesOf(card), axis) || isUsed(card, axis)) return;
  const reference = axis === VERSION ? '${version}' : `\${axis.${axis}}`;
  throw problem('scenario', 'unknown-axis', `the axis "${axis}" of ${card.system} changes nothing: its card uses ${reference} nowhere`, {
    hint: 'it would be the same system under every value; install, image or command must name it',
  });
};

const checkNames = ({ card }: Loaded, axes: readonly string[]): void => axes.forEach((axis) => checkAxis(card, axis));

/** A scenario that has the axis in its own matrix would be the same several times. What its matrix plants is no coordinate, and would be beside each. */
const checkOwn = ({ scenario }: Loaded, axes: readonly string[]): void => {
  const own = [...Object.keys(scenario.system.coordinates ?? {}), 'defect'];
  const twice = axes.find((axis) => own.includes(axis) && Object.hasOwn(scenario.matrix, axis));
  if (twice === undefined) return;
  throw problem('scenario', 'bad-option', `${scenario.file} has the axis "${twice}" in its matrix`, {
    hint: `choose among its values by --where ${twice}=...`,
  });
};

/** As a scenario would have it: a length, a number, true or false, else text. */
const settingValue = (text: string): unknown => {
  if (text === 'true' || text === 'false') return text === 'true';
  return parseDuration(text) ?? (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
};

const withSettings = (scenario: Scenario, coordinates: Coordinates): Scenario => {
  const given = Object.entries(coordinates).filter(([axis]) => axis.startsWith(SETTING_AXIS));
  if (given.length === 0) return scenario;
  const settings = Object.fromEntries(given.map(([axis, value]) => [axis.slice(SETTING_AXIS.length), settingValue(value)]));
  return { ...scenario, system: { ...scenario.system, settings: { ...scenario.system.settings, ...settings } } };
};

/**
 * The same scenario with its card, and its settings, at these coordinates; `defect` and `runtime` are for whoever makes the cell.
 * @param coordinates concrete values; added to those that it is at
 * @throws ProblemError `unknown-axis`, `bad-option`
 */
export const loadedAt = (loaded: Loaded, coordinates: Coordinates): Loaded => {
  const axes = Object.keys(coordinates);
  checkNames(loaded, axes);
  checkOwn(loaded, axes);
  return {
    ...loaded,
    card: cardAt(loaded.card, cardCoordinates(loaded.card, coordinates)),
    scenario: withSettings(loaded.scenario, coordinates),
    coordinates: { ...loaded.coordinates, ...coordinates },
  };
};

/** Every combination, the last axis the fastest. */
export const combinationsOf = (axes: Readonly<Record<string, readonly string[]>>): readonly Coordinates[] =>
  Object.entries(axes).reduce<readonly Coordinates[]>(
    (all, [axis, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [axis]: value }))),
    [{}],
  );

/**
 * Each of the loaded once for every combination of the values, in their order.
 * @param axes concrete values by axis
 * @throws ProblemError `unknown-axis`, `bad-option`, `too-many-combinations`
 */
export const atAll = (loaded: readonly Loaded[], axes: Readonly<Record<string, readonly string[]>>): readonly Loaded[] => {
  const combinations = combinationsOf(axes);
  const count = combinations.length * loaded.length;
  if (count > MAXIMUM_COMBINATIONS) {
    throw problem('scenario', 'too-many-combinations', `${loaded.length} scenarios at ${combinations.length} combinations are ${count} runs`, {
      hint: `at most ${MAXIMUM_COMBINATIONS}; name fewer values, or fewer scenarios`,
    });
  }
  return loaded.flatMap((one) => combinations.map((coordinates) => (Object.keys(coordinates).length === 0 ? one : loadedAt(one, coordinates))));
};

