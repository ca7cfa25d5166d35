// Options of `run` that change what becomes of real runs: one that was caught stays up until it is let go, and goes with a harness that is
// killed; what is not begun any more is said; the same seed gives the same times, attempt by attempt and again alone.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import { readLastRun } from '../cli/last-run.ts';
import { drawCell } from '../systems/draw.ts';
import { cellWith } from '../systems/fixture.ts';
import { bundleFolders, bundlesOf, eventually, nothingLeft, runOf, runWords, stageProcesses, startCli, temporaryFolder } from './test-kit.ts';
import type { Started } from './test-kit.ts';

const LIMIT_MS = 240_000;
/** Scenarios are named by their folder and their file. */
const FILE = 'own/leaver.yaml';
const WAIT = '5ms..60ms';

/** Leaves some time after it was answered; with the defect the router never notices. Two cells. */
const LEAVER = `version: 1
name: leaves some time later
system: reference-router
matrix: { how: [rst, fin] }
upstreams: { model: { endless: { every: 50ms } } }
clients:
  alice:
    account: { balance: 10000 }
    script: [ request: chat, receive: { events: 2 }, { wait: ${WAIT} }, { disconnect: { how: "\${how}" }, mark: gone } ]
watch: 200ms
expect: [ upstream-closed: { upstream: model, after: gone, within: 500ms }, clean-shutdown ]
`;

/** Removed when all are over: they run side by side. */
const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })));

const started = (words: readonly string[]): Started => {
  const folder = temporaryFolder(true);
  folders.push(folder);
  mkdirSync(join(folder, 'own'));
  writeFileSync(join(folder, FILE), LEAVER);
  return startCli(runWords([FILE], folder, [...words, '--reporter', 'terminal']), { folder });
};

const DEFECT = ['--defect', 'ignores-disconnect'];

/** What somebody reads who wants to get at it. */
const keptBy = async ({ output }: Started): Promise<{ readonly pid: number; readonly file: string }> => {
  const text = await eventually('the system to be left up', () => (/^ {2}to end it/m.test(output()) ? output() : undefined), LIMIT_MS);
  return { pid: Number(/^ {2}router +pid (\d+)/m.exec(text)![1]), file: /^ {2}to end it +rm (\S+)/m.exec(text)![1]! };
};

const isUp = (pid: number): boolean => existsSync(`/proc/${pid}`);

test.concurrent('the first of two that are caught stays up, the other is finished; let go, it is judged and sealed, and nothing is left', async () => {
  const run = started([...DEFECT, '--keep', '--seed', '7', '--repeat', '2', '--where', 'how=rst', '--jobs', '2']);
  const { pid, file } = await keptBy(run);
  await eventually('the other one to end', () => /^failed /m.test(run.output()) || undefined, LIMIT_MS);
  expect(isUp(pid)).toBe(true);
  expect(run.output().match(/is left up/g)).toHaveLength(1);
  rmSync(file);
  const { code, output } = await run.finished;
  expect([code, isUp(pid)], output).toEqual([1, false]);
  expect(output.match(/^failed /gm)).toHaveLength(2);
  await nothingLeft(run.folder);

  // Evidence of the same run: sealed, with the seed and what it has drawn, which is what the plan says and differs by attempt.
  const bundles = (await Promise.all(bundleFolders(run.folder).map((folder) => readBundle(folder)))).filter(({ manifest }) => !manifest.isControl);
  const cell = {
    ...cellWith({ clients: `clients: { alice: { account: { balance: 1 }, script: [ request: chat, receive: { events: 2 }, { wait: ${WAIT} }, { disconnect: rst, mark: gone } ] } }` }),
    scenario: { id: 'own/leaver[how=rst]' },
  } as Parameters<typeof drawCell>[0];
  expect(bundles.map(({ isSealed, manifest, resolved }) => ({ isSealed, seed: manifest.seed, drawn: resolved.run.drawn }))).toEqual(
    [1, 2].map((attempt) => ({ isSealed: true, seed: 7, drawn: drawCell(cell, 7, attempt).drawn })),
  );
  const [first, second] = bundles.map(({ resolved }) => resolved.run.drawn!);
  expect(second).not.toEqual(first);

  // The second attempt once more, alone: the same times.
  const path = bundleFolders(run.folder).find((folder) => folder.endsWith('attempt-2'))!;
  const again = await startCli(['rerun', path, '--output', join(run.folder, 'again', 'evidence')], { folder: run.folder }).finished;
  expect(again.code, again.output).toBe(0);
  const [rerun] = [...(await bundlesOf(join(run.folder, 'again'))).values()].filter(({ manifest }) => !manifest.isControl);
  expect(rerun!.resolved.run.drawn).toEqual(second);
}, LIMIT_MS);

test.concurrent('a harness that is killed while one is up takes it along', async () => {
  const run = started([...DEFECT, '--keep', '--where', 'how=rst']);
  const { pid } = await keptBy(run);
  const { runId } = runOf(run.folder)!;
  run.child.kill('SIGKILL');
  await nothingLeft(run.folder);
  expect([isUp(pid), stageProcesses(runId, null, /./)]).toEqual([false, []]);
  // It is the last run, of which nothing is known.
  expect((await readLastRun(join(run.folder, 'evidence'))).cells).toEqual([{ cell: 'own/leaver[how=rst]', outcome: 'not-run', isFine: false }]);
}, LIMIT_MS);

test.concurrent('after the first failure nothing more is begun: said aloud, failing, and it is what is run again the next time', async () => {
  const run = started([...DEFECT, '--max-failures', '1', '--jobs', '1']);
  const { code, output, folder } = await run.finished;
  expect(code, output).toBe(1);
  expect(output).toMatch(/^Not run: 1 run, since 1 run had failed \(--max-failures 1\): own\/leaver\[how=fin\]$/m);
  const root = join(folder, 'evidence');
  expect((await readLastRun(root)).cells).toEqual([
    { cell: 'own/leaver[how=rst]', outcome: 'failed', isFine: false },
    { cell: 'own/leaver[how=fin]', outcome: 'not-run', isFine: false },
  ]);
  // Without the defect nothing fails: the attempts go on to their bound, and the next time there is nothing left to do.
  const words = runWords([FILE], folder, ['--last-failed', '--reporter', 'terminal']);
  const fixed = await startCli([...words, '--where', 'how=rst', '--until-failure', '--repeat', '2'], { folder }).finished;
  expect([fixed.code, fixed.output.match(/^passed /gm)?.length], fixed.output).toEqual([0, 2]);
  // The other one was not among these, and is not forgotten.
  expect(fixed.output).toContain('--last-failed: 1 cell that did not pass the last time');
  expect((await readLastRun(root)).cells).toEqual([
    { cell: 'own/leaver[how=rst]', outcome: 'passed', isFine: true },
    { cell: 'own/leaver[how=fin]', outcome: 'not-run', isFine: false },
  ]);
  const rest = await startCli(words, { folder }).finished;
  expect([rest.code, rest.output.match(/^passed /gm)?.length], rest.output).toEqual([0, 1]);
  const none = await startCli(words, { folder }).finished;
  expect([none.code, none.output]).toEqual([5, expect.stringContaining('nothing failed in the last run')]);
  expect((await readLastRun(root)).cells).toEqual([{ cell: 'own/leaver[how=fin]', outcome: 'passed', isFine: true }]);
}, LIMIT_MS);
