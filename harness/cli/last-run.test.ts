// The last run as a file: what is read back is what was written; what is not such a file is refused with what to do.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { LAST_RUN_FILE, lastRunOf, notAmong, readLastRun, writeLastRun } from './last-run.ts';

let root = '';

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-last-run-'));
  root = folder;
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const refused = async () => {
  const error = await readLastRun(root).catch((thrown: unknown) => thrown);
  if (error instanceof ProblemError) return error.problems[0]!;
  throw new Error('nothing was refused');
};

const RESULTS = [
  { cell: 'a', outcome: 'passed' },
  { cell: 'b', outcome: 'passed' },
  { cell: 'b', outcome: 'failed' },
  { cell: 'c', outcome: 'failed', beyondKnown: 'does-not-apply', hasListed: true },
  { cell: 'd', outcome: 'does-not-apply' },
  { cell: 'e', outcome: 'inconclusive' },
  { cell: 'f', outcome: 'interrupted' },
] as const;
const CELLS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

const fineIn = (strict: boolean): readonly string[] =>
  lastRunOf(CELLS, RESULTS, { strict, seed: 7, exitCode: 1 }).cells.filter(({ isFine }) => isFine).map(({ cell }) => cell);

test('one bad attempt is enough; known violations are fine unless strict; what was not run is not', () => {
  expect(fineIn(false)).toEqual(['a', 'c', 'd']);
  expect(fineIn(true)).toEqual(['a', 'd']);
  const { cells } = lastRunOf(CELLS, RESULTS, { strict: false, seed: 7, exitCode: 1 });
  expect(cells.map(({ outcome }) => outcome)).toEqual(['passed', 'failed', 'failed', 'does-not-apply', 'inconclusive', 'interrupted', 'not-run']);
});

test('what did not pass before and is not among these stays on the list, as it was', () => {
  const failed = [{ cell: 'a', outcome: 'failed', isFine: false }, { cell: 'x', outcome: 'error', isFine: false }];
  const { cells } = lastRunOf(['a'], [{ cell: 'a', outcome: 'passed' }], { strict: false, seed: 7, exitCode: 0 }, notAmong(failed, ['a']));
  expect(cells).toEqual([{ cell: 'a', outcome: 'passed', isFine: true }, { cell: 'x', outcome: 'error', isFine: false }]);
});

test('what was written is read back, and nothing else lies beside it', async () => {
  const lastRun = lastRunOf(CELLS, RESULTS, { strict: false, seed: 7, exitCode: 1 });
  await writeLastRun(root, lastRun);
  await writeLastRun(root, lastRun);
  expect(await readLastRun(root)).toEqual(lastRun);
  expect(readdirSync(root)).toEqual([LAST_RUN_FILE]);
});

test('none, one that is cut off, one of another shape and one of a later version: refused, each with what to do', async () => {
  expect(await refused()).toMatchObject({ family: 'scenario', code: 'no-last-run', hint: expect.stringContaining('--output') });
  const damaged: readonly (readonly [string, RegExp])[] = [
    ['{"format": 1, "cells": [', /not JSON/],
    ['[]', /no object/],
    ['{"format": 1, "endedAt": "x", "seed": 1, "exitCode": 1, "cells": [{"cell": 7}]}', /cells\[0\]\.cell is missing/],
    ['{"format": 2, "endedAt": "x", "seed": 1, "exitCode": 1, "cells": []}', /format 2/],
  ];
  for (const [content, message] of damaged) {
    writeFileSync(join(root, LAST_RUN_FILE), content);
    expect(await refused()).toMatchObject({ code: 'last-run-damaged', message: expect.stringMatching(message), hint: expect.stringContaining('remove it') });
  }
});
