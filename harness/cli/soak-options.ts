// What `hangup soak` was asked to do, read from the command line and checked at once.
import { problem } from '../model/problem.ts';
import { anySeed } from '../model/random.ts';
import type { Jobs } from '../plan/jobs.ts';
import { SHORTEST_LIFE_MS } from '../plan/soak/lives.ts';
import type { RunOptions } from './run-options.ts';

export type SoakOptions = Pick<RunOptions, 'paths' | 'runtime' | 'system' | 'defects' | 'secrets' | 'variables' | 'tags' | 'where' | 'strict' | 'dryRun'> & {
  readonly jobs: Jobs;
  readonly output: string;
  readonly forMs: number;
  readonly keepBytes: number;
  readonly seed: number;
  readonly grep: RegExp | null;
  /** How long one system is driven again and again; null: none is. */
  readonly liveForMs: number | null;
};

/** As the command line spells them, where given; a flag that may be repeated is in the singular. */
export type SoakFlags = {
  readonly for?: number;
  readonly keepDisk?: number;
  readonly seed?: number;
  readonly live?: number | 'none';
  readonly grep?: RegExp;
  readonly runtime: RunOptions['runtime'];
  readonly system?: string;
  readonly defect?: readonly string[];
  readonly output?: string;
  readonly secret?: RunOptions['secrets'];
  readonly var?: RunOptions['variables'];
  readonly tag?: readonly string[];
  readonly where?: RunOptions['where'];
  readonly jobs?: Jobs;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
};

const HOUR_MS = 3_600_000;
export const DEFAULTS = { forMs: 8 * HOUR_MS, keepBytes: 2 * 1024 ** 3, output: 'evidence/soak', liveForMs: HOUR_MS / 4 } as const;
/** Less has no room for one run and its control. */
const LEAST_BYTES = 48 * 1024 ** 2;

/** @throws ProblemError `bad-option` */
export const toSoakOptions = (paths: readonly string[], flags: SoakFlags): SoakOptions => {
  const keepBytes = flags.keepDisk ?? DEFAULTS.keepBytes;
  if (keepBytes < LEAST_BYTES)
    throw problem('scenario', 'bad-option', '--keep-disk must be 48MiB at least: a run and its control take that much while they are under way');
  if (typeof flags.live === 'number' && flags.live < SHORTEST_LIFE_MS)
    throw problem('scenario', 'bad-option', '--live must be 3m at least, or none: a shorter life shows no more than a run does');
  return {
    paths, runtime: flags.runtime, system: flags.system ?? null, defects: flags.defect ?? [], output: flags.output ?? DEFAULTS.output,
    secrets: flags.secret ?? {}, variables: flags.var ?? {}, tags: flags.tag ?? [], where: flags.where ?? {}, jobs: flags.jobs ?? null,
    strict: flags.strict ?? false, dryRun: flags.dryRun ?? false,
    forMs: flags.for ?? DEFAULTS.forMs, keepBytes, seed: flags.seed ?? anySeed(), grep: flags.grep ?? null,
    liveForMs: flags.live === 'none' ? null : (flags.live ?? DEFAULTS.liveForMs),
  };
};
