// The plan of a sharded run: every machine makes the same one of the same inputs, and its hash says so. All that decides which cell
// runs where, or what it would be, is in it; what only says where files lie on one machine is not.
import { createHash } from 'node:crypto';
import { ownAxesOf } from '../../systems/axes/card-at.ts';
import type { Cell } from '../../systems/cell.ts';
import type { CardFiles } from '../card-files.ts';
import { durationKey } from '../durations.ts';
import type { Durations } from '../durations.ts';
import { partition } from './partition.ts';
import { weighCells } from './weigh.ts';

export type PlannedCell = {
  readonly id: string;
  /** From 1. */
  readonly shard: number;
  readonly weightMs: number;
  /** Of all that it is made of: its scenario, card, what lies beside that, defects and settings. */
  readonly digest: string;
};

export type ShardPlan = {
  /** SHA-256, in hex, of all the rest. */
  readonly hash: string;
  readonly count: number;
  readonly seed: number;
  readonly repeat: number;
  readonly strict: boolean;
  /** Attempts and cells may be left out on purpose, since failures end it. */
  readonly mayEndEarly: boolean;
  /** `dirty`: with changes to what is committed; null: nobody knows. */
  readonly harness: { readonly version: string; readonly commit: string | null; readonly dirty: boolean | null };
  readonly cells: readonly PlannedCell[];
  /** What names in repositories stand for where it was made, such as `their-proxy version=main`; null: nothing, or it was not asked. Absent: there are none. */
  readonly commits?: Readonly<Record<string, string | null>>;
};

export type PlanInput = Pick<ShardPlan, 'count' | 'repeat' | 'strict' | 'mayEndEarly' | 'harness'> & {
  /** Each once, in any order. */
  readonly cells: readonly Cell[];
  /** By the card's key: what it is beside its text. */
  readonly beside: ReadonlyMap<string, BesideCard>;
  /** Null: none were recorded. */
  readonly durations: Durations | null;
  /** Null: whatever comes of the plan, so that every machine has the same. */
  readonly seed: number | null;
};

/** What a card names: files, and the commits for which its values stand now, by axis. */
export type BesideCard = { readonly files: CardFiles; readonly commits: Readonly<Record<string, string | null>> };

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Where scenario and card lie, and what that is kept by, differs from machine to machine. */
const digestOf = (cell: Cell, beside: BesideCard | null): string => {
  const { scenario, card, ...rest } = cell;
  return sha256({ ...rest, scenario: { ...scenario, file: '' }, card: { ...card, file: '', folder: '', key: '' }, beside }).slice(0, 16);
};

/** For people: the digests of the cells have them too, and cannot be read. */
const commitsOf = (cells: readonly Cell[], beside: PlanInput['beside']): NonNullable<ShardPlan['commits']> => {
  const named = cells.flatMap(({ card }) =>
    Object.entries(beside.get(card.key)?.commits ?? {}).map(([axis, commit]) => {
      const value = card.coordinates[axis] ?? ownAxesOf(card)[axis]?.use ?? null;
      return [`${card.system} ${axis}${value === null ? '' : `=${value}`}`, commit] as const;
    }));
  return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

const hashOf = (plan: Omit<ShardPlan, 'hash'>): string => sha256(plan);

/** Such as `hash`, of a plan that was read back. */
export const planHash = ({ hash: _hash, ...plan }: ShardPlan): string => hashOf(plan);

const SEED_DIGITS = 12;

export type Planned = {
  readonly plan: ShardPlan;
  /** Work of each shard, ms. */
  readonly weightsMs: readonly number[];
  /** Of how many cells a time was on record. */
  readonly recorded: number;
};

/** The same for the same inputs, on every machine. */
export const planShards = ({ cells, beside, durations, seed, count, repeat, strict, mayEndEarly, harness }: PlanInput): Planned => {
  const sorted = cells.toSorted((a, b) => (durationKey(a) < durationKey(b) ? -1 : 1));
  const weighing = weighCells(sorted, durations, repeat);
  const shares = partition(weighing.cells, count);
  const shardOf = new Map(shares.flatMap(({ ids }, index) => ids.map((id) => [id, index + 1] as const)));
  const planned = weighing.cells.map(({ id, weightMs }, index): PlannedCell => {
    const cell = sorted[index]!;
    return { id, shard: shardOf.get(id)!, weightMs, digest: digestOf(cell, beside.get(cell.card.key) ?? null) };
  });
  const { version, commit, dirty } = harness;
  const commits = commitsOf(sorted, beside);
  const rest = {
    count, repeat, strict, mayEndEarly, harness: { version, commit, dirty }, cells: planned, ...(Object.keys(commits).length === 0 ? {} : { commits }),
  };
  const seeded = { ...rest, seed: seed ?? Number.parseInt(sha256(rest).slice(0, SEED_DIGITS), 16) };
  return { plan: { hash: hashOf(seeded), ...seeded }, weightsMs: shares.map(({ weightMs }) => weightMs), recorded: weighing.recorded };
};

const differ = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);

const SHOWN = 12;

/** Names that stand for another commit on each side: a branch that has moved between two starts. */
const movedNames = ({ commits: ours = {} }: ShardPlan, { commits: theirs = {} }: ShardPlan): readonly string[] => {
  const shown = (commit: string | null): string => (commit === null ? 'nothing' : commit.slice(0, SHOWN));
  const both = Object.keys(ours).filter((name) => Object.hasOwn(theirs, name) && ours[name] !== theirs[name]);
  return both.map((name) => `${name} stands for ${shown(ours[name]!)} and ${shown(theirs[name]!)}`);
};

/** In words, what makes two plans different ones; empty where nothing does. */
export const differencesOf = (a: ShardPlan, b: ShardPlan): readonly string[] => {
  const [ours, theirs] = [a, b].map(({ cells }) => new Map(cells.map((cell) => [cell.id, cell]))) as [Map<string, PlannedCell>, Map<string, PlannedCell>];
  const lone = [...a.cells.filter(({ id }) => !theirs.has(id)), ...b.cells.filter(({ id }) => !ours.has(id))].map(({ id }) => id);
  const both = a.cells.filter(({ id }) => theirs.has(id));
  const changed = both.filter(({ id, digest }) => theirs.get(id)!.digest !== digest).map(({ id }) => id);
  const named = (ids: readonly string[]): string => `${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''}`;
  return [
    ...(['count', 'seed', 'repeat', 'strict'] as const).filter((key) => a[key] !== b[key]).map((key) => `${key} ${a[key]} and ${b[key]}`),
    ...(a.harness.version !== b.harness.version ? [`hangup ${a.harness.version} and ${b.harness.version}`] : []),
    ...(a.harness.commit !== b.harness.commit ? [`commit ${a.harness.commit ?? 'unknown'} and ${b.harness.commit ?? 'unknown'}`] : []),
    ...(a.harness.dirty !== b.harness.dirty ? ['a hangup with changes and one without'] : []),
    ...movedNames(a, b),
    ...(lone.length > 0 ? [`cells that only one has: ${named(lone)}`] : []),
    ...(changed.length > 0 ? [`another scenario, card, runtime or machine behind ${named(changed)}`] : []),
    ...(both.some(({ id, weightMs }) => theirs.get(id)!.weightMs !== weightMs) ? ['other durations'] : []),
    ...(differ(a.mayEndEarly, b.mayEndEarly) ? ['only one may end early'] : []),
  ];
};
