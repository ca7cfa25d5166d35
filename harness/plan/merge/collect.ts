// All results of all shards, one after the other, each as reporters are told of it, and its bundle taken along. Nothing of a bundle
// but its verdicts stays in memory.
import { existsSync } from 'node:fs';
import { checkFile } from '../../bundle/check-manifest.ts';
import { checkVerdicts } from '../../bundle/check-verdicts.ts';
import { FILES } from '../../bundle/format.ts';
import type { Manifest, Resolved, Verdicts } from '../../bundle/format.ts';
import { isDeeperThan, MAXIMUM_DEPTH } from '../../bundle/kinds.ts';
import { messageOf } from '../../model/problem.ts';
import type { Problem } from '../../model/problem.ts';
import type { SealedFolder, ShardResult } from '../shard/shard-file.ts';
import type { FoundShard } from './find-shards.ts';
import { takeBundle } from './take-bundle.ts';

export type MergedResult = {
  readonly id: string;
  readonly attempt: number;
  readonly tookMs: number;
  readonly startedAt: string | null;
  readonly verdicts: Verdicts;
  readonly run: Resolved['run'];
  /** Of packages and of what it ran on; nothing where it left no bundle. */
  readonly versions: Manifest['versions'];
  /** By its name in the merged folder; null: it left none. */
  readonly folder: string | null;
  readonly files: ReadonlySet<string>;
};

const WANTED = [FILES.manifest, FILES.resolved, FILES.verdicts];

const parsed = (texts: ReadonlyMap<string, string>, file: string): unknown => {
  const value: unknown = JSON.parse(texts.get(file) ?? 'null');
  if (isDeeperThan(value, MAXIMUM_DEPTH)) throw new Error(`${file} is nested too deep`);
  return value;
};

type Read = Pick<MergedResult, 'verdicts' | 'run' | 'versions' | 'startedAt'>;

const readFrom = (texts: ReadonlyMap<string, string>, { id }: ShardResult): Read => {
  const manifest = parsed(texts, FILES.manifest);
  const resolved = parsed(texts, FILES.resolved);
  checkFile(FILES.manifest, manifest);
  checkFile(FILES.resolved, resolved);
  const { scenario, startedAt, versions } = manifest as Manifest;
  if (id !== scenario && !id.startsWith(`${scenario} with `)) throw new Error(`it is a bundle of ${scenario}, not of ${id}`);
  return { verdicts: checkVerdicts(parsed(texts, FILES.verdicts)), run: (resolved as Resolved).run, versions, startedAt };
};

export type Collecting = {
  /** Where a bundle of this shard goes, by its name; null: bundles are only looked at. */
  readonly placeOf: ((shard: FoundShard, folder: string) => { readonly path: string; readonly name: string }) | null;
  readonly onProblem: (problem: Problem) => void;
};

const damaged = ({ name, shard }: FoundShard, folder: string, why: string): Problem => ({
  family: 'scenario', code: 'bundle-tampered', message: `shard ${shard.index} of ${shard.plan.count} (${name}): ${folder} is not as it was sealed: ${why}`,
  hint: 'its verdicts cannot be relied on; take the shard again from where it was made, or run it again',
});

const MOST = 5;

const listed = (all: readonly string[]): string => `${all.slice(0, MOST).join(', ')}${all.length > MOST ? ` and ${all.length - MOST} more` : ''}`;

/** Lost on the way is another thing than changed. */
const missing = ({ name, shard }: FoundShard, folder: string): Problem => ({
  family: 'scenario', code: 'shard-incomplete', message: `shard ${shard.index} of ${shard.plan.count} (${name}): its bundle ${folder} is missing`,
  hint: 'take the shard whole from where it was made, or run it again',
});

const take = (shard: FoundShard, { folder, seal }: SealedFolder, collecting: Collecting): ReturnType<typeof takeBundle> | null => {
  // That it was never sealed has been told.
  if (seal === null) return null;
  if (!existsSync(`${shard.folder}/${folder}`)) {
    collecting.onProblem(missing(shard, folder));
    return null;
  }
  const taken = takeBundle(`${shard.folder}/${folder}`, collecting.placeOf?.(shard, folder).path ?? null, seal, WANTED);
  if (taken.breaks.length === 0) return taken;
  collecting.onProblem(damaged(shard, folder, listed(taken.breaks)));
  return null;
};

const none: ReadonlySet<string> = new Set();

const resultOf = (shard: FoundShard, result: ShardResult, collecting: Collecting): MergedResult | null => {
  const { id, attempt, tookMs, bundle, kept } = result;
  const shared = { id, attempt, tookMs };
  if (bundle === null) return kept === null ? null : { ...shared, ...kept, versions: {}, startedAt: null, folder: null, files: none };
  const taken = take(shard, bundle, collecting);
  if (taken === null) return null;
  try {
    const name = collecting.placeOf?.(shard, bundle.folder).name ?? bundle.folder;
    return { ...shared, ...readFrom(taken.texts, result), folder: name, files: taken.files };
  } catch (error) {
    collecting.onProblem(damaged(shard, bundle.folder, messageOf(error)));
    return null;
  }
};

/** What did not apply, or could not be had, is told once; all else is attempted as often as was asked for, unless failures may end it. */
const createAttempts = ({ name, shard: { plan, index, ended } }: FoundShard) => {
  const seen = new Map<string, Set<number>>();
  const add = (id: string, attempt: number): void => void seen.set(id, (seen.get(id) ?? new Set()).add(attempt));
  for (const { id, attempt } of ended?.notRun ?? []) add(id, attempt);
  const once = new Set<string>();
  return {
    add: ({ id, attempt, bundle }: ShardResult, result: MergedResult | null): void => {
      add(id, attempt);
      const outcome = result?.verdicts.outcome;
      // Of what cannot be relied on nothing more is asked: that has been told.
      if (result === null || outcome === 'untestable' || (bundle === null && outcome === 'does-not-apply')) once.add(id);
    },
    problems: (): readonly Problem[] => {
      const lost = plan.mayEndEarly ? [] : [...seen].filter(([id]) => !once.has(id)).flatMap(([id, attempts]) =>
        Array.from({ length: plan.repeat }, (_, at) => at + 1).filter((attempt) => !attempts.has(attempt)).map((attempt) => `${id} (attempt ${attempt})`));
      if (lost.length === 0) return [];
      const message = `shard ${index} of ${plan.count} (${name}) has no result of ${listed(lost)}`;
      return [{ family: 'scenario', code: 'shard-incomplete', message, hint: 'run that shard again' }];
    },
  };
};

/** In the order of the shards; what cannot be relied on is told, and left out. @throws Error of the system where nothing can be written */
export function* collect(shards: readonly FoundShard[], collecting: Collecting): Generator<MergedResult | null> {
  for (const shard of shards) {
    const attempts = createAttempts(shard);
    for (const result of shard.shard.ended?.results ?? []) {
      const merged = resultOf(shard, result, collecting);
      attempts.add(result, merged);
      yield merged;
    }
    attempts.problems().forEach(collecting.onProblem);
    for (const control of shard.shard.ended?.controls ?? []) {
      take(shard, control, collecting);
      yield null;
    }
  }
}
