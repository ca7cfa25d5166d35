// From loaded scenarios to cells: which system judges them, which rows a planted defect or a preset
// concerns, which cells of a matrix are wanted, and what each needs resolved.
import type { Coordinates } from '../model/coordinates.ts';
import { didYouMean } from '../model/nearest.ts';
import { problem } from '../model/problem.ts';
import type { RuntimeKind, Stage } from '../runtimes/runtime.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { isUsed, isUsedOn, ownAxesOf, referenceTo, textsOf, VERSION } from '../systems/axes/card-at.ts';
import type { Card } from '../systems/card.ts';
import { resolveCell } from '../systems/cell.ts';
import type { Cell, CellInput } from '../systems/cell.ts';
import { runtimesOf, whyNotOn } from '../systems/runs-on.ts';

/** A scenario with the card that it is to be run on. */
export type Loaded = {
  readonly scenario: Scenario;
  readonly card: Card;
  /** Where it was asked to be on the axes of its system; the card and its settings are there already. */
  readonly coordinates?: Coordinates;
  /** Named as a file, not found in a folder. */ readonly isNamed: boolean;
};

export type Selection = {
  readonly runtime: RuntimeKind;
  readonly isolation: Stage['isolation'];
  /** Of the other runtimes, where cells of several are run. */
  readonly others?: Readonly<Partial<Record<RuntimeKind, Stage['isolation']>>>;
  /** Switches and presets, as asked for. */
  readonly defects: readonly string[];
  readonly tags: readonly string[];
  readonly where: Readonly<Record<string, readonly string[]>>;
  readonly secrets: Readonly<Record<string, string>>;
};

/** Those of its place on the axis `defect` (`a+b`, or `none`), else those that were asked for. */
const presetsOf = ({ coordinates }: Loaded, { defects }: Pick<Selection, 'defects'>): readonly string[] => {
  const own = coordinates?.defect;
  return own === undefined ? defects : own === 'none' ? [] : own.split('+');
};

const runtimeOf = ({ coordinates }: Loaded, { runtime, isolation, others = {} }: Selection): Pick<CellInput, 'runtime' | 'isolation'> => {
  const asked = (coordinates?.runtime as RuntimeKind | undefined) ?? runtime;
  return { runtime: asked, isolation: others[asked] ?? isolation };
};

/** Replaces presets by their switches, keeping the order and dropping repeats. */
export const expandDefects = (names: readonly string[], card: Card): readonly string[] => [
  ...new Set(names.flatMap((name) => (card.defects && Object.hasOwn(card.defects.presets, name) ? card.defects.presets[name]! : [name]))),
];

/** True when a scenario names one of the defects in `catches`, or one of the presets in `saw`. */
export const concerns = (scenario: Scenario, defects: readonly string[]): boolean =>
  defects.some((name) => Object.hasOwn(scenario.catches, name) || Object.hasOwn(scenario.saw, name));

const checkDefects = (names: readonly string[], loaded: readonly Loaded[]): void => {
  const known = [
    ...new Set(
      loaded.flatMap(({ scenario, card }) => [
        ...Object.keys(scenario.catches),
        ...Object.keys(scenario.saw),
        ...Object.entries(card.defects?.presets ?? {}).flatMap(([preset, switches]) => [preset, ...switches]),
      ]),
    ),
  ].sort();
  for (const name of names) {
    if (known.includes(name)) continue;
    throw problem('scenario', 'unknown-defect', `no scenario names the defect "${name}"`, { hint: didYouMean(name, known, 'named') });
  }
};

const checkCanPlant = (names: readonly string[], wanted: readonly Loaded[]): void => {
  const without = names.length > 0 ? wanted.find(({ card }) => card.defects === null) : undefined;
  if (without) {
    throw problem('scenario', 'no-defects', `${without.card.system} has no defects to plant`, {
      hint: 'only reference systems have them; leave --defect out',
    });
  }
};

const checkAxes = (where: Selection['where'], loaded: readonly Loaded[]): void => {
  const axes = [...new Set(loaded.flatMap(({ scenario }) => Object.keys(scenario.matrix)))].sort();
  for (const [axis, wanted] of Object.entries(where)) {
    if (!axes.includes(axis))
      throw problem('scenario', 'unknown-axis', `no scenario has the axis "${axis}"`, { hint: didYouMean(axis, axes, 'there are') });
    const values = [...new Set(loaded.flatMap(({ scenario }) => scenario.matrix[axis] ?? []))].sort();
    for (const value of wanted) {
      if (!values.includes(value))
        throw problem('scenario', 'unknown-value', `no scenario has ${axis}=${value}`, { hint: didYouMean(value, values, 'there are') });
    }
  }
};

/** A secret that was not given is told before anything is started. */
const checkSecrets = (secrets: Selection['secrets'], loaded: readonly Loaded[]): void => {
  for (const card of new Set(loaded.map((one) => one.card))) {
    for (const [, name] of textsOf(card).matchAll(/\$\{secret\.([\w-]+)\}/g)) {
      if (Object.hasOwn(secrets, name!)) continue;
      throw problem('scenario', 'missing-secret', `${card.file} needs the secret "${name}"`, { hint: `give it by --secret ${name}=...` });
    }
  }
};

/** Without one there is no work tree: nothing of it could be started. */
const checkRevisions = (loaded: readonly Loaded[]): void => {
  for (const { card } of loaded) {
    if (card.versions?.from !== 'git' || card.versions.use !== null || !isUsed(card, VERSION)) continue;
    throw problem('scenario', 'no-revision', `${card.file} says from which repository ${card.system} is, and not which revision`, {
      hint: 'name one: --axis version=main, or versions: { from: git, ..., use: main } in the card',
    });
  }
};

/** What was asked for on the axis `defect` is planted, and nothing beside it. */
const checkDefectsOnce = (names: readonly string[], loaded: readonly Loaded[]): void => {
  if (names.length === 0 || loaded.every(({ coordinates }) => coordinates?.defect === undefined)) return;
  throw problem('scenario', 'bad-option', '--defect and the axis "defect" both say what is planted', {
    hint: `leave --defect out, and write ${names.join('+')} into the values of the axis, each as one+another`,
  });
};

/** An axis that only the card's other runtime uses would be the same system under every value. */
const checkUsedThere = (one: Loaded, runtime: RuntimeKind): void => {
  const { card, coordinates = {} } = one;
  if (whyNotOn(card, runtime) !== null) return;
  const axis = Object.keys(coordinates).find((name) => Object.hasOwn(ownAxesOf(card), name) && !isUsedOn(card, name, runtime));
  if (axis === undefined) return;
  const [other] = runtimesOf(card).filter((kind) => isUsedOn(card, axis, kind));
  throw problem('scenario', 'unknown-axis', `the axis "${axis}" of ${card.system} changes nothing on the runtime ${runtime}: what its card says of that uses ${referenceTo(axis)} nowhere`, {
    hint: other === undefined ? 'it would be the same system under every value; install, image or command must name it' : `on the other runtime it does: --runtime ${other}`,
  });
};

type Wish = Pick<Selection, 'defects' | 'tags' | 'where'>;

const isWanted = ({ scenario, isNamed }: Loaded, { defects, tags, where }: Wish): boolean =>
  (tags.length === 0 || tags.some((tag) => scenario.tags.includes(tag))) &&
  (defects.length === 0 || isNamed || concerns(scenario, defects)) &&
  Object.entries(where).every(([axis, values]) => values.includes(scenario.matrix[axis] ?? ''));

/** Those that were asked for, in the order of the files. */
export const wantedOf = (loaded: readonly Loaded[], wish: Wish): readonly Loaded[] => loaded.filter((one) => isWanted(one, wish));

/** The cells that were asked for, in the order of the files. @throws ProblemError for names that nothing has */
export const selectCells = (loaded: readonly Loaded[], selection: Selection): readonly Cell[] => {
  const onAxes = [...new Set(loaded.flatMap((one) => presetsOf(one, { defects: [] })))];
  checkDefects([...selection.defects, ...onAxes], loaded);
  checkAxes(selection.where, loaded);
  checkDefectsOnce(selection.defects, loaded);
  const wanted = wantedOf(loaded, selection);
  for (const one of wanted) checkUsedThere(one, runtimeOf(one, selection).runtime);
  checkCanPlant(selection.defects, wanted);
  checkCanPlant(onAxes, wanted);
  checkSecrets(selection.secrets, wanted);
  checkRevisions(wanted);
  return wanted.map((one) => {
    const { scenario, card, coordinates = {} } = one;
    const presets = presetsOf(one, selection);
    return resolveCell({
      scenario,
      card,
      ...runtimeOf(one, selection),
      presets,
      defects: expandDefects(presets, card),
      coordinates,
    });
  });
};

/** Files that somebody named, and of which tags and axes leave nothing, in one line: it is not what they meant. Null: there is none. */
export const namedInVain = (loaded: readonly Loaded[], selection: Wish): string | null => {
  const left = new Set(wantedOf(loaded, selection).map(({ scenario }) => scenario.file));
  const files = new Set(loaded.flatMap(({ isNamed, scenario }) => (isNamed && !left.has(scenario.file) ? [scenario.file] : [])));
  return files.size === 0 ? null : `left out by --tag or --where, though named: ${[...files].join(', ')}`;
};

/** One line for somebody whose selection matched nothing. */
export const whyNothing = (loaded: readonly Loaded[], { tags }: Pick<Selection, 'tags'>): string => {
  const known = [...new Set(loaded.flatMap(({ scenario }) => scenario.tags))].sort();
  const unknown = tags.find((tag) => !known.includes(tag));
  return unknown === undefined
    ? 'hangup list shows what there is'
    : `no scenario has the tag "${unknown}"; ${didYouMean(unknown, known, 'there are')}`;
};
