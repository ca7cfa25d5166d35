// shard.json: what one shard of a plan was to run, and what came of it. It is written when the shard begins and again when it has
// ended; one that was killed has no end. Whoever wrote it, it is checked before anything is believed.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toJsonText, writeAtomically } from '../../bundle/atomic.ts';
import { checkVerdicts } from '../../bundle/check-verdicts.ts';
import type { Resolved, Verdicts } from '../../bundle/format.ts';
import { checkRun } from '../../bundle/check-manifest.ts';
import { anything, flag, listOf, mapOf, maybe, number, orNull, record, text, whole } from '../../bundle/kinds.ts';
import { messageOf } from '../../model/problem.ts';
import { planHash } from './plan.ts';
import type { ShardPlan } from './plan.ts';

export const SHARD_FILE = 'shard.json';
/** 2: with what was not begun. */
const FORMAT = 2;

/** A bundle beside shard.json, by the name of its folder and the SHA-256 of its seal.json; null: it was never sealed. */
export type SealedFolder = { readonly folder: string; readonly seal: string | null };

export type ShardResult = {
  /** Of a cell of the plan. */
  readonly id: string;
  readonly attempt: number;
  readonly tookMs: number;
  readonly bundle: SealedFolder | null;
  /** Of what left no bundle: it did not apply, or was not begun. */
  readonly kept: { readonly verdicts: Verdicts; readonly run: Resolved['run'] } | null;
};

/** Of the plan, and not begun any more. */
export type ShardNotRun = {
  /** Of a cell of the plan. */
  readonly id: string;
  readonly attempt: number;
  /** As the cell is shown. */
  readonly scenario: string;
  /** In one line. */
  readonly why: string;
};

export type ShardEnd = {
  readonly startedAt: string;
  readonly tookMs: number;
  readonly exitCode: number;
  readonly results: readonly ShardResult[];
  readonly notRun: readonly ShardNotRun[];
  readonly controls: readonly SealedFolder[];
};

export type Shard = {
  readonly plan: ShardPlan;
  /** From 1. */
  readonly index: number;
  readonly runtime: string;
  /** Null while it runs, and where it was killed. */
  readonly ended: ShardEnd | null;
};

const sealedFolder = record({ folder: text, seal: orNull(text) });
const result = record({ id: text, attempt: whole, tookMs: number, bundle: orNull(sealedFolder), kept: orNull(record({ verdicts: anything, run: anything })) });
const notRun = record({ id: text, attempt: whole, scenario: text, why: text });
const end = record({ startedAt: text, tookMs: number, exitCode: whole, results: listOf(result), notRun: listOf(notRun), controls: listOf(sealedFolder) });
const plan = record({
  hash: text, count: whole, seed: whole, repeat: whole, strict: flag, mayEndEarly: flag,
  harness: record({ version: text, commit: orNull(text), dirty: orNull(flag) }),
  cells: listOf(record({ id: text, shard: whole, weightMs: number, digest: text })),
  commits: maybe(mapOf(orNull(text))),
});
const shard = record({ format: whole, digest: text, plan, index: whole, runtime: text, ended: orNull(end), note: maybe(text) });

const digestOf = (value: Shard): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

export const shardText = (value: Shard): string => toJsonText({ format: FORMAT, digest: digestOf(value), ...value });

export const writeShard = (folder: string, value: Shard): Promise<void> => writeAtomically(join(folder, SHARD_FILE), shardText(value), true);

/** A name that leads nowhere but into the folder itself. */
const isPlain = (name: string): boolean => /^[\w][\w.-]*$/.test(name);

const foldersOf = ({ ended }: Shard): readonly string[] =>
  ended === null ? [] : [...ended.results.flatMap(({ bundle }) => bundle?.folder ?? []), ...ended.controls.map(({ folder }) => folder)];

const wrongIn = (value: Shard): string | null => {
  const { plan: { count, hash, cells }, index, ended } = value;
  if (planHash(value.plan) !== hash) return 'its plan was changed: the hash is another';
  if (index < 1 || index > count || cells.some((cell) => cell.shard < 1 || cell.shard > count)) return `its shards are not those of 1 to ${count}`;
  if (new Set(cells.map(({ id }) => id)).size < cells.length) return 'its plan has a cell twice';
  const names = foldersOf(value);
  if (names.some((name) => !isPlain(name))) return 'it names a bundle that does not lie beside it';
  if (new Set(names).size < names.length) return 'it names a bundle twice';
  for (const { id, attempt, bundle, kept } of ended?.results ?? []) {
    if (bundle === null && kept === null) return `its result of ${id} (attempt ${attempt}) says nothing: there is no bundle of it, and no verdicts`;
    if (kept === null) continue;
    checkVerdicts(kept.verdicts);
    checkRun(kept.run);
  }
  return null;
};

/** @throws Error in one line where it is not what it must be */
export const parseShard = (content: string): Shard => {
  const raw: unknown = JSON.parse(content);
  const format = (raw as { readonly format?: unknown } | null)?.format;
  if (typeof format === 'number' && format !== FORMAT) throw new Error(`it has format ${format}, and this hangup reads ${FORMAT}: merge with the hangup that made it`);
  const wrong = shard(raw);
  if (wrong !== null) throw new Error(wrong === '' ? 'it is no object' : `${wrong.slice(1)} is missing, or is not what it must be`);
  const { format: _format, digest, ...value } = raw as Shard & { readonly format: number; readonly digest: string };
  if (digestOf(value) !== digest) throw new Error('it was changed since it was written');
  const why = wrongIn(value);
  if (why !== null) throw new Error(why);
  return value;
};

/** @returns the shard of a folder, or in one line why there is none */
export const readShard = async (folder: string): Promise<Shard | string> => {
  try {
    return parseShard(await readFile(join(folder, SHARD_FILE), 'utf8'));
  } catch (error) {
    return messageOf(error);
  }
};
