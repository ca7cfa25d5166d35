// last-run.json in the output folder: which cells the last run had and what became of each, for `--last-failed`. It is written whole or
// not at all, when a run begins, so that one that is killed is the last run too, and at its end; and never where no evidence is kept.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toJsonText, writeAtomically } from '../bundle/atomic.ts';
import { flag, listOf, number, record, text } from '../bundle/kinds.ts';
import { EXIT, exitCode } from '../model/exit-code.ts';
import type { ScenarioResult } from '../model/exit-code.ts';
import { problem } from '../model/problem.ts';

export const LAST_RUN_FILE = 'last-run.json';
const FORMAT = 1;

export type LastRunCell = {
  readonly cell: string;
  /** The worst of its attempts, or `not-run`. */
  readonly outcome: string;
  /** It is no reason for an exit code other than 0. */
  readonly isFine: boolean;
};

export type LastRun = {
  readonly format: number;
  /** ISO 8601 in UTC. */
  readonly endedAt: string;
  readonly seed: number;
  readonly exitCode: number;
  readonly cells: readonly LastRunCell[];
};

const kind = record({
  format: number, endedAt: text, seed: number, exitCode: number, cells: listOf(record({ cell: text, outcome: text, isFine: flag })),
});

type Result = ScenarioResult & { readonly cell: string };

const isFine = (result: ScenarioResult, strict: boolean): boolean => {
  const code = exitCode([result], strict);
  return code === EXIT.passed || code === EXIT.nothing;
};

/**
 * @param cells all that were to be run, in their order
 * @param results one for each attempt
 * @param carried of the run before, as they were
 */
export const lastRunOf = (
  cells: readonly string[],
  results: readonly Result[],
  { strict, ...told }: { readonly strict: boolean } & Pick<LastRun, 'seed' | 'exitCode'>,
  carried: readonly LastRunCell[] = [],
): LastRun => {
  const byCell = Map.groupBy(results, ({ cell }) => cell);
  return {
    format: FORMAT,
    endedAt: new Date().toISOString(),
    ...told,
    cells: [
      ...cells.map((cell) => {
        const all = byCell.get(cell) ?? [];
        const bad = all.find((result) => !isFine(result, strict));
        return { cell, outcome: (bad ?? all[0])?.outcome ?? 'not-run', isFine: all.length > 0 && bad === undefined };
      }),
      ...carried,
    ],
  };
};

/** Those of the run before that did not pass and are not among these: they are on the list until they have passed. */
export const notAmong = (failed: readonly LastRunCell[], cells: readonly string[]): readonly LastRunCell[] => {
  const these = new Set(cells);
  return failed.filter(({ cell }) => !these.has(cell));
};

/** @throws Error where the folder cannot be written to */
export const writeLastRun = (root: string, lastRun: LastRun): Promise<void> => writeAtomically(join(root, LAST_RUN_FILE), toJsonText(lastRun));

const damaged = (path: string, why: string, cause?: unknown): Error =>
  problem('scenario', 'last-run-damaged', `${path} cannot be read: ${why}`, {
    hint: 'remove it and run without --last-failed; the next run writes it anew', cause,
  });

const parse = (path: string, content: string): unknown => {
  try {
    return JSON.parse(content);
  } catch (cause) {
    throw damaged(path, 'it is not JSON', cause);
  }
};

/** @throws ProblemError `no-last-run`, `last-run-damaged` */
export const readLastRun = async (root: string): Promise<LastRun> => {
  const path = join(root, LAST_RUN_FILE);
  const content = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR') throw damaged(path, cause.message, cause);
    throw problem('scenario', 'no-last-run', `there is no last run: ${path} is not there`, {
      hint: 'run once without --last-failed, with the same --output', cause,
    });
  });
  const raw = parse(path, content);
  const wrong = kind(raw);
  if (wrong !== null) throw damaged(path, wrong === '' ? 'it is no object' : `${wrong.slice(1)} is missing, or is not what it must be`);
  const lastRun = raw as LastRun;
  if (lastRun.format !== FORMAT) throw damaged(path, `it is of format ${lastRun.format}, this version knows ${FORMAT}`);
  return lastRun;
};
