// In which circumstances two runs differ: what was run, on what, with what. Whoever compares a good and a bad version wants to see
// one line here, the version; each other one is a reason to doubt what follows.
import { fewAlong } from '../../model/came-along.ts';
import { COMMON_AXES, onlyAxes, SETTING_AXIS } from '../../model/coordinates.ts';
import type { Coordinates } from '../../model/coordinates.ts';
import type { ReportInput } from '../view/input.ts';

/** One thing that is not the same; null: the run does not say. */
export type Difference = { readonly what: string; readonly a: string | null; readonly b: string | null };

const textOf = (value: unknown): string | null => {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const entries = (prefix: string, record: Readonly<Record<string, unknown>> = {}): readonly (readonly [string, string | null])[] =>
  Object.entries(record).map(([name, value]) => [`${prefix} ${name}`, textOf(value)]);

/** As far as anybody reads a hash. */
const shortened = (files: ReportInput['resolved']['run']['cardFiles'] = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(files).map(([path, hash]) => [path, hash?.slice(0, 12) ?? 'too large to be hashed']));

/** Without the place on its axes, which is no other scenario. */
export const scenarioOf = ({ manifest }: Pick<ReportInput, 'manifest'>): string => manifest.scenario.replace(/\[.*$/, '');

/** Where it stands: on the axes of its own matrix, and on those of its system. */
export const placeOf = ({ resolved: { run } }: Pick<ReportInput, 'resolved'>): Coordinates => ({ ...run.matrix, ...run.coordinates });

/** The others have a line of their own. */
const isOwnAxis = (axis: string): boolean => !(COMMON_AXES as readonly string[]).includes(axis) && !axis.startsWith(SETTING_AXIS);

const circumstancesOf = (input: ReportInput): ReadonlyMap<string, string | null> => {
  const { manifest, resolved: { run, judged } } = input;
  const { facts } = judged;
  const { version, commit, dirty } = manifest.harness;
  return new Map<string, string | null>([
    ['scenario', scenarioOf(input)],
    // A scenario whose text changed says so by its hash alone; one that has another name does so anyway.
    ['scenario text', manifest.scenarioHash],
    ['system card', run.card],
    ['version', run.version ?? null],
    ['text of the card', run.cardHash?.slice(0, 12) ?? null],
    ...entries('file beside the card', shortened(run.cardFiles)),
    ['defects', run.defects.join(', ') || 'none'],
    ['runtime', manifest.runtime],
    ['hangup', `${version}${commit ? ` ${commit.slice(0, 12)}` : ''}${dirty ? ' with changes' : ''}`],
    ...entries('version of', manifest.versions),
    ...entries('setting', run.settings),
    ...entries('axis', { ...run.matrix, ...onlyAxes(run.coordinates ?? {}, isOwnAxis) }),
    ...entries('bound', facts.bounds),
    ...entries('period', facts.periods),
    ...entries('policy', facts.policy),
    ['price', textOf(facts.price)],
    ['stop', textOf(facts.stop)],
  ]);
};

/** Only what differs, in the order of weight. */
export const differencesOf = (a: ReportInput, b: ReportInput): readonly Difference[] => {
  const [ofA, ofB] = [circumstancesOf(a), circumstancesOf(b)];
  return [...new Set([...ofA.keys(), ...ofB.keys()])].flatMap((what) => {
    const [inA, inB] = [ofA.get(what) ?? null, ofB.get(what) ?? null];
    return inA === inB ? [] : [{ what, a: inA, b: inB }];
  });
};

/** Another version may bring a hundred others along. */
const MOST_ALONG = 12;

/** For people: of what came along the first few, and how many more of it differ. All are in the data. */
export const shownOf = (differences: readonly Difference[]): { readonly shown: readonly Difference[]; readonly more: string | null } => {
  const { shown, more } = fewAlong(differences, ({ what }) => what, MOST_ALONG);
  return { shown, more: more === 0 ? null : `and ${more} more that came along and ${more === 1 ? 'is' : 'are'} not the same` };
};
