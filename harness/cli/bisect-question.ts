// From the command line to the question of a search: one cell, its places along the axes, and hashes of all that the answers hang on.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { JUDGE_VERSION } from '../bundle/format.ts';
import { SETTING_AXIS } from '../model/coordinates.ts';
import type { Coordinates } from '../model/coordinates.ts';
import { ProblemError, problem } from '../model/problem.ts';
import { cardPathOf } from '../plan/asked.ts';
import { loadedAt } from '../plan/axes.ts';
import { unknownValue } from '../plan/axis-range.ts';
import { concreteAxes } from '../plan/axis-values.ts';
import type { Question, SearchAxis } from '../plan/bisect-run/question.ts';
import { readCardFiles } from '../plan/card-files.ts';
import { selectCells, wantedOf } from '../plan/select.ts';
import type { Loaded } from '../plan/select.ts';
import { unfitRuntimes } from '../plan/unfit-runtimes.ts';
import { imageIdOf } from '../runtimes/image-tags.ts';
import { selectRuntime } from '../runtimes/select.ts';
import type { Selected } from '../runtimes/select.ts';
import { readSelfContained } from '../scenario/self-contained.ts';
import { cardAt, cardCoordinates, ownAxesOf } from '../systems/axes/card-at.ts';
import { foundImagesOf } from '../systems/axes/card-images.ts';
import { commitsOf, subjectsOf } from '../systems/axes/values.ts';
import type { AxisContext } from '../systems/axes/values.ts';
import type { Card } from '../systems/card.ts';
import type { Cell } from '../systems/cell.ts';
import type { AxisWish, BisectOptions } from './bisect-options.ts';
import type { Terminal } from './command.ts';
import { harnessVersion } from './harness-version.ts';
import { loadCells } from './load-cells.ts';

export type Asked = {
  readonly question: Question;
  readonly chosen: Selected;
  readonly card: Card;
  /** The cell at one place: a value for each axis. */
  readonly cellAt: (place: readonly string[]) => Cell;
  /** What people call a place: the subjects of its commits; '' for others. */
  readonly aboutOf: (place: readonly string[]) => string;
};

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const onlyOne = (loaded: readonly Loaded[], options: BisectOptions): Loaded => {
  const wanted = wantedOf(loaded, { defects: [], tags: [], where: options.where });
  const [one, ...more] = wanted;
  // As good as named: a defect that it does not say it catches is planted all the same.
  if (one && more.length === 0) return { ...one, isNamed: true };
  const ids = wanted.map(({ scenario }) => scenario.id);
  const axes = Object.entries(wanted[0]?.scenario.matrix ?? {}).map(([axis, value]) => `--where ${axis}=${value}`);
  throw problem('scenario', 'bad-option', `a search asks about one cell, and ${ids.length === 0 ? 'none matches' : `${ids.length} match: ${ids.slice(0, 6).join(', ')}`}`, {
    hint: ids.length === 0 ? 'look at --where' : axes.length > 0 ? `choose one, for example by ${axes.join(' ')}` : 'name one scenario file',
  });
};

type Between = Pick<SearchAxis, 'values' | 'isBackwards'>;

/** Values from the good end to the bad one; where the good one is the newer, backwards. */
const between = (axis: string, values: readonly string[], good: string | null, bad: string | null): Between => {
  const indexOf = (end: string | null, otherwise: number): number => {
    const at = end === null ? otherwise : values.indexOf(end);
    if (at < 0) throw unknownValue(axis, end!, values);
    return at;
  };
  const [from, to] = [indexOf(good, 0), indexOf(bad, values.length - 1)];
  return from <= to ? { values: values.slice(from, to + 1) } : { values: values.slice(to, from + 1).toReversed(), isBackwards: true };
};

const isBadRange = (error: unknown): boolean => error instanceof ProblemError && error.problems.some(({ code }) => code === 'bad-range');

const valuesFor = async (card: Card, { axis, values, good, bad }: AxisWish, context: Parameters<typeof concreteAxes>[2]): Promise<Between> => {
  const ask = async (written: readonly string[]): Promise<readonly string[]> => (await concreteAxes(card, { [axis]: written }, context))[axis]!;
  if (values.length > 0) return between(axis, await ask(values), good, bad);
  // A range knows names that stand for values, such as branches.
  if (good === null || bad === null) {
    // A range of images says whether several variants are in it; others are offered as they stand.
    const isAll = good === null && bad === null && ownAxesOf(card)[axis]?.from !== 'image';
    return { values: await ask([isAll ? '*' : `${good ?? ''}..${bad ?? ''}`]) };
  }
  try {
    return { values: await ask([`${good}..${bad}`]) };
  } catch (error) {
    if (!isBadRange(error)) throw error;
    const backwards = await ask([`${bad}..${good}`]).catch((other: unknown) => {
      // No range either way: what is wrong is told of the one that was asked for.
      throw isBadRange(other) ? error : other;
    });
    return { values: backwards.toReversed(), isBackwards: true };
  }
};

const checkOrdered = ({ axis }: AxisWish): void => {
  if (axis === 'runtime') throw problem('scenario', 'bad-option', 'runtimes have no order to be searched in', { hint: 'compare them by run --axis runtime=docker,process' });
};

const contextOf = ({ environment, signal, writeError }: Terminal): AxisContext => ({
  environment: environment as NodeJS.ProcessEnv,
  signal,
  progress: (line) => writeError(`${line}\n`),
});

const axesFor = async (card: Card, options: BisectOptions, terminal: Terminal): Promise<readonly SearchAxis[]> => {
  const context = contextOf(terminal);
  const axes: SearchAxis[] = [];
  for (const wish of options.axes) {
    checkOrdered(wish);
    const found = await valuesFor(card, wish, context);
    const { values } = found;
    if (values.length < 2) throw problem('scenario', 'bad-option', `between both ends ${wish.axis} has ${values.length === 1 ? `only ${values[0]}` : 'no value'}`, { hint: 'an axis needs two values at least' });
    axes.push({ axis: wish.axis, ...found });
  }
  return axes;
};

/** Of the axes that are searched, and of the others that stand at a value. */
const commitsFor = async (card: Card, axes: readonly SearchAxis[], terminal: Terminal): Promise<Question['commits']> => {
  const found: Record<string, readonly (string | null)[]> = {};
  for (const [axis, { use }] of Object.entries(ownAxesOf(card))) {
    const values = axes.find((one) => one.axis === axis)?.values ?? (use === null ? [] : [use]);
    const commits = await commitsOf(card, axis, values, contextOf(terminal));
    if (commits !== null && commits.length > 0) found[axis] = commits;
  }
  return found;
};

/** Only containers run images. What a name that nobody knows stands for is for the search to find out. */
const imagesFor = async (card: Card, axes: readonly SearchAxis[], runtime: string): Promise<Question['images']> => {
  if (runtime !== 'docker') return {};
  const [first, second = null] = axes;
  const others: readonly Coordinates[] = second === null ? [{}] : second.values.map((value) => ({ [second.axis]: value }));
  const places = first!.values.flatMap((value) => others.map((other): Coordinates => ({ [first!.axis]: value, ...other })));
  const names = new Set(places.flatMap((place) => foundImagesOf(cardAt(card, cardCoordinates(card, place)))));
  const found: Record<string, string | null> = {};
  for (const name of names) found[name] = await imageIdOf(name);
  return found;
};

const aboutFor = async (card: Card, { axes, commits }: Question, terminal: Terminal): Promise<Asked['aboutOf']> => {
  const subjects: ReadonlyMap<string, string>[] = [];
  for (const { axis, values } of axes) {
    const told = Object.hasOwn(commits, axis) ? await subjectsOf(card, axis, commits[axis]!, contextOf(terminal)) : [];
    subjects.push(new Map(told.map((subject, index) => [values[index]!, subject])));
  }
  return (place) => place.map((value, index) => subjects[index]?.get(value) ?? '').filter((subject) => subject !== '').join(', ');
};

/** Everything that the answers hang on. What was given is written without secrets, and compared by its hash. */
const questionOf = async (one: Loaded, options: BisectOptions, axes: readonly SearchAxis[], runtime: string, terminal: Terminal): Promise<Question> => {
  const { version, commit } = harnessVersion();
  const { shown } = terminal.secrets;
  return {
    scenario: one.scenario.id,
    scenarioHash: hashOf(await readSelfContained(one.scenario.file)),
    card: one.card.system,
    cardHash: hashOf(await readFile(cardPathOf(one.card), 'utf8')),
    cardFiles: await readCardFiles(one.card),
    commits: await commitsFor(one.card, axes, terminal),
    images: await imagesFor(one.card, axes, runtime),
    hangup: commit === null ? version : `${version} ${commit}`,
    judge: JUDGE_VERSION,
    runtime,
    defects: shown.value(options.defects),
    variables: shown.value(options.variables),
    variablesHash: hashOf(JSON.stringify(Object.entries(options.variables).toSorted(([a], [b]) => (a < b ? -1 : 1)))),
    axes,
    findGood: options.findGood,
    // What it stands for is asked when the scenario's claims are known.
    symptom: null,
    symptomFrom: shown.value(options.symptom),
  };
};

/**
 * Reads scenario and card, picks the runtime, and asks where values of the axes are known.
 * @throws ProblemError for everything that is wrong with them
 */
export const askQuestion = async (terminal: Terminal, options: BisectOptions): Promise<Asked> => {
  const loaded = await loadCells([options.path], options.variables, options.system, terminal.cwd);
  const one = onlyOne(loaded, options);
  const chosen = await selectRuntime(options.runtime, {
    progress: (line) => terminal.writeError(`${line}\n`),
    unfit: unfitRuntimes([one], { ...options, tags: [] }),
  });
  const axes = await axesFor(one.card, options, terminal);
  const cellAt = (place: readonly string[]): Cell => {
    const coordinates = Object.fromEntries(axes.map(({ axis }, index) => [axis, place[index]!]));
    const { secrets, defects } = options;
    const [cell] = selectCells([loadedAt(one, coordinates)], {
      runtime: chosen.runtime.kind, isolation: chosen.isolation, defects, tags: [], where: {}, secrets,
    });
    return cell!;
  };
  // What is misspelt on an axis that nobody else knows the values of is told now, not after an hour.
  axes.forEach(({ axis, values }, index) => {
    if (axis === 'defect' || axis.startsWith(SETTING_AXIS)) for (const value of values) cellAt(axes.map((other, at) => (at === index ? value : other.values[0]!)));
  });
  const question = await questionOf(one, options, axes, chosen.runtime.kind, terminal);
  return { question, chosen, card: one.card, cellAt, aboutOf: await aboutFor(one.card, question, terminal) };
};
