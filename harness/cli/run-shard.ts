// `hangup run --shard`: the part of the cells that is this machine's, what is written down of it for `hangup merge`, and how long
// everything took, for whoever shares the work out the next time.
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { hashOfFile } from '../bundle/seal.ts';
import { FILES, JUDGE_VERSION } from '../bundle/format.ts';
import { EXIT } from '../model/exit-code.ts';
import { messageOf, problem } from '../model/problem.ts';
import { formatMs } from '../model/time.ts';
import { readCardFiles } from '../plan/card-files.ts';
import { nameOf, resolvedOf } from '../plan/cell-bundle.ts';
import { needsControl } from '../plan/controls.ts';
import { addDurations, durationKey, DURATIONS_FILE, readDurations, writeDurations } from '../plan/durations.ts';
import type { Durations } from '../plan/durations.ts';
import type { CellResult } from '../plan/run-cell.ts';
import { seenDurations } from '../plan/seen-durations.ts';
import { planShards } from '../plan/shard/plan.ts';
import type { BesideCard, Planned } from '../plan/shard/plan.ts';
import { positionIn } from '../plan/shard/position.ts';
import type { Position } from '../plan/shard/position.ts';
import { SHARD_FILE, writeShard } from '../plan/shard/shard-file.ts';
import type { SealedFolder, Shard, ShardEnd, ShardResult } from '../plan/shard/shard-file.ts';
import { isUsedOn, ownAxesOf } from '../systems/axes/card-at.ts';
import { commitsOf } from '../systems/axes/values.ts';
import type { Card } from '../systems/card.ts';
import type { Cell } from '../systems/cell.ts';
import { controlOf } from '../systems/control-cell.ts';
import type { Terminal } from './command.ts';
import { harnessVersion } from './harness-version.ts';
import type { RunOptions } from './run-options.ts';

/** What was to be run, and was not begun any more. */
export type LeftOut = { readonly cell: Cell; readonly attempt: number; readonly why: string };

export type Sharded = {
  /** In the order in which they were given. */
  readonly cells: readonly Cell[];
  /** One line for people: which part this is, and by what it was balanced; null where all is run. */
  readonly said: string | null;
  /** The same on every machine; null: nobody has said one. */
  readonly seed: number | null;
  /** Once there is a folder for the bundles, before anything is run. */
  readonly begin: (folder: string) => Promise<void>;
  /**
   * When all has ended, before reporters are told.
   * @param folder null: no evidence is kept, and nothing is written
   * @returns the exit code: a part to which nothing applied is no failure, since that is said of the whole
   */
  readonly end: (folder: string | null, results: readonly CellResult[], notRun: readonly LeftOut[], exitCode: number) => Promise<number>;
};

export type ShardPlace = Pick<Terminal, 'environment' | 'signal' | 'cwd' | 'secrets' | 'writeError'> & {
  /** Where folders of bundles are made, and where `durations.json` lies. */
  readonly root: string;
};

type Wish = Pick<RunOptions, 'shard' | 'durations' | 'repeat' | 'strict' | 'seed' | 'untilFailure' | 'maxFailures'>;

/** Evidence has been written by then, and says more than this: it is told, and fails nothing. */
const quietly = async ({ writeError }: ShardPlace, path: string, work: Promise<void>): Promise<void> => {
  await work.catch((error: unknown) => writeError(`hangup: ${path} was not written: ${messageOf(error)}\n`));
};

const everything = (cells: readonly Cell[], place: ShardPlace, { seed }: Wish): Sharded => ({
  cells,
  said: null,
  seed,
  begin: async () => {},
  end: async (folder, results, _notRun, exitCode) => {
    const path = join(place.root, DURATIONS_FILE);
    if (folder !== null) await quietly(place, path, seenDurations(results, folder).then((seen) => addDurations(path, seen)));
    return exitCode;
  },
});

const sealedIn = async (folder: string, name: string): Promise<SealedFolder> =>
  ({ folder: name, seal: await hashOfFile(join(folder, name, FILES.seal)).catch(() => null) });

const resultOf = async (folder: string, { cell, attempt, outcome, verdicts, problems, tookMs, ...ran }: CellResult, { secrets }: ShardPlace): Promise<ShardResult> => {
  const shared = { id: durationKey(cell), attempt, tookMs };
  if (ran.folder !== '') return { ...shared, bundle: await sealedIn(folder, basename(ran.folder)), kept: null };
  const told = problems.map(({ family, code, message, hint }) => ({ family, code, message, ...(hint === undefined ? {} : { hint }) }));
  const kept = { verdicts: { judge: JUDGE_VERSION, scenario: cell.id, outcome, verdicts, problems: told }, run: resolvedOf(cell, cell.facts).run };
  return { ...shared, bundle: null, kept: secrets.shown.value(kept) };
};

/** Also of cells that left nothing: those that share a control may have been stopped, or not begun, when it was there already. One without a folder is told by who needed it. */
const controlsIn = (folder: string, cells: readonly Cell[]): Promise<readonly SealedFolder[]> => {
  const names = new Set(cells.filter(needsControl).map((cell) => nameOf(controlOf(cell, 0), 1)));
  return Promise.all([...names].filter((name) => existsSync(join(folder, name))).map((name) => sealedIn(folder, name)));
};

type Ended = { readonly cells: readonly Cell[]; readonly results: readonly CellResult[]; readonly notRun: readonly LeftOut[] };

const endOf = async (folder: string, { cells, results, notRun }: Ended, place: ShardPlace, rest: Pick<ShardEnd, 'startedAt' | 'tookMs' | 'exitCode'>): Promise<ShardEnd> => ({
  ...rest,
  results: await Promise.all(results.map((result) => resultOf(folder, result, place))),
  notRun: place.secrets.shown.value(notRun.map(({ cell, attempt, why }) => ({ id: durationKey(cell), attempt, scenario: cell.id, why }))),
  controls: await controlsIn(folder, cells),
});

const sayShard = ({ index, count, by }: Position & { readonly by: string }, { plan, weightsMs, recorded }: Planned): string => {
  const own = plan.cells.filter(({ shard }) => shard === index).length;
  const whole = weightsMs.reduce((sum, ms) => sum + ms, 0);
  const ratio = (Math.max(...weightsMs) / (whole / count || 1)).toFixed(2);
  const byWhat = recorded === 0 ? 'planned lengths' : `recorded durations of ${recorded} cells`;
  return (
    `shard ${index}/${count}${by === '' ? '' : ` (${by})`}: ${own} of ${plan.cells.length} cells, ${formatMs(weightsMs[index - 1]!)} of ${formatMs(whole)} work; ` +
    `the longest shard has ${ratio} times the mean, by ${byWhat}; plan ${plan.hash.slice(0, 12)}`
  );
};

/** The file that was named must be there; the one in the output folder may be. */
const durationsFor = async ({ durations }: Wish, { root, cwd }: ShardPlace): Promise<Durations | null> => {
  const path = durations === null ? join(root, DURATIONS_FILE) : resolve(cwd, durations);
  const found = await readDurations(path);
  if (found === null && durations !== null)
    throw problem('scenario', 'path-not-found', `there is no ${durations}`, { hint: 'a run leaves durations.json in its output folder; without --durations planned lengths are taken' });
  return found;
};

type OneCard = { readonly card: Card; readonly runtimes: ReadonlySet<Cell['runtime']> };

/**
 * What the card's names in repositories stand for. Where a repository cannot be asked and the card runs what is in it, there is no plan:
 * it would be another one than everywhere else, and only the merge would tell, hours later.
 */
const commitsFor = async ({ card, runtimes }: OneCard, { environment, signal, writeError }: ShardPlace): Promise<BesideCard['commits']> => {
  const context = { environment: environment as NodeJS.ProcessEnv, signal, progress: (line: string) => writeError(`${line}\n`) };
  const commits: Record<string, string | null> = {};
  for (const [axis, { use }] of Object.entries(ownAxesOf(card))) {
    const value = card.coordinates[axis] ?? use;
    if (value === null || ![...runtimes].some((runtime) => isUsedOn(card, axis, runtime))) continue;
    const found = await commitsOf(card, axis, [value], context);
    if (found !== null) commits[axis] = found[0] ?? null;
  }
  return commits;
};

const besideOf = async (cells: readonly Cell[], place: ShardPlace): Promise<ReadonlyMap<string, BesideCard>> => {
  const beside = new Map<string, BesideCard>();
  for (const [key, same] of Map.groupBy(cells, ({ card }) => card.key)) {
    const [{ card }] = same as [Cell];
    const runtimes = new Set(same.map(({ runtime }) => runtime));
    beside.set(key, { files: await readCardFiles(card), commits: await commitsFor({ card, runtimes }, place) });
  }
  return beside;
};

const shardOf = ({ plan }: Planned, index: number, cells: readonly Cell[], ended: ShardEnd | null): Shard =>
  ({ plan, index, runtime: [...new Set(cells.map(({ runtime }) => runtime))].sort().join(', '), ended });

/**
 * The same part of the same cells on every machine.
 * @throws ProblemError `no-shard-position`, `path-not-found`, `durations-unreadable`, `axis-not-read`
 */
export const takeShard = async (cells: readonly Cell[], options: Wish, place: ShardPlace): Promise<Sharded> => {
  const { shard, repeat, strict, seed } = options;
  if (shard === null) return everything(cells, place, options);
  const position = shard === 'auto' ? positionIn(place.environment) : { ...shard, by: '' };
  const durations = await durationsFor(options, place);
  const mayEndEarly = options.untilFailure || options.maxFailures !== null;
  const planned = planShards({ cells, beside: await besideOf(cells, place), durations, count: position.count, seed, repeat, strict, mayEndEarly, harness: harnessVersion() });
  const own = new Set(planned.plan.cells.filter((cell) => cell.shard === position.index).map(({ id }) => id));
  const mine = cells.filter((cell) => own.has(durationKey(cell)));
  const startedAt = new Date();
  const write = (folder: string, ended: ShardEnd | null): Promise<void> =>
    writeShard(folder, shardOf(planned, position.index, mine, ended)).catch((cause: unknown) => {
      throw problem('environment', 'output-not-writable', `${SHARD_FILE} cannot be written: ${messageOf(cause)}`, { hint: 'without it this shard cannot be merged', cause });
    });
  return {
    cells: mine,
    said: sayShard(position, planned),
    seed: planned.plan.seed,
    begin: (folder) => write(folder, null),
    end: async (folder, results, notRun, given) => {
      const exitCode = given === EXIT.nothing ? EXIT.passed : given;
      if (folder === null) return exitCode;
      // Not into the root's file: another shard on this machine would be balanced by it, and make another plan.
      await quietly(place, DURATIONS_FILE, seenDurations(results, folder).then((seen) => writeDurations(join(folder, DURATIONS_FILE), seen)));
      const rest = { startedAt: startedAt.toISOString(), tookMs: Date.now() - startedAt.getTime(), exitCode };
      await write(folder, await endOf(folder, { cells: mine, results, notRun }, place, rest));
      return exitCode;
    },
  };
};
