// The published package in somebody's empty project, and a clone on a machine whose own Node is older.
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import { answerOf, installInto, olderNode, packTree, pathWithout24, ROOT, treeFiles } from './fixtures/packaging-kit.ts';
import type { Answer, Packed } from './fixtures/packaging-kit.ts';

const LIMIT_MS = 300_000;
const RUN_MS = 120_000;
const FINITE = 'scenarios/disconnect/finite.yaml';
const NOT_PACKED = /^harness\/(bench|e2e|tools)\//;
const older = olderNode();
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

describe('the package, installed into an empty project', () => {
  let folder = '';
  let packed: Packed;
  const project = (): string => join(folder, 'project');
  const npx = (...words: readonly string[]): Promise<Answer> => answerOf('npx', ['hangup', ...words], project());

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'hangup-pack-')));
    packed = await packTree(join(folder, 'tree'));
    await installInto(project(), packed.tarball);
  }, LIMIT_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('holds every source as .js, and neither types, tests nor tools', () => {
    const isKept = (file: string): boolean => /^(harness|upstreams)\/.*\.ts$/.test(file)
      && !/\.test\.ts$|\/fixtures\/|\/fixture\.ts$|-kit\.ts$|\/test-[^/]*$/.test(file) && !NOT_PACKED.test(file);
    const sources = treeFiles().filter(isKept).map((file) => file.replace(/\.ts$/, '.js'));
    expect(sources.length).toBeGreaterThan(150);
    expect(sources.filter((file) => !packed.files.includes(file))).toEqual([]);
    expect(packed.files.filter((file) => /\.ts$|\.test\.|\/fixtures?[/.]|-kit\./.test(file) || NOT_PACKED.test(file))).toEqual([]);
    const needed = ['reference-router/start.mjs', 'reference-router/main.js', 'runtime/warm.mjs'].map((file) => `images/${file}`);
    expect([...needed, 'docs/scenario.schema.json', 'LICENSE'].filter((file) => !packed.files.includes(file))).toEqual([]);
  });

  test('leaves nothing behind in the clone that it was packed in', () => {
    const left = readdirSync(join(folder, 'tree'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
    expect(left).toEqual(treeFiles().filter((file) => file.endsWith('.js')));
  });

  test('knows its version, its scenarios and its cards', async () => {
    const [told, validated, listed] = await Promise.all([npx('--version'), npx('validate'), npx('list')]);
    expect(told).toMatchObject({ code: 0, stdout: `${version}\n` });
    expect(validated.code, validated.stdout).toBe(0);
    expect(validated.stdout).toContain('0 problems');
    expect(listed.code).toBe(0);
    expect(listed.stdout).toContain('disconnect/endless[how=fin]');
    expect(listed.stdout).toContain('reference-router');
  }, RUN_MS);

  test('runs a scenario, and says of its evidence what made it', async () => {
    const run = await npx('run', FINITE, '--runtime', 'process', '--output', 'clean');
    expect(run.code, run.stdout + run.stderr).toBe(0);
    const bundle = await readBundle(join(project(), 'clean', 'latest', 'disconnect-finite'));
    expect(bundle.verdicts?.outcome).toBe('passed');
    expect(bundle.verdicts?.verdicts.filter(({ outcome }) => outcome !== 'held')).toEqual([]);
    // The commit of the project that it is installed in would be somebody else's.
    expect(bundle.manifest.harness).toEqual({ version, commit: null, dirty: null });
  }, RUN_MS);

  test('catches a planted defect, and judges its evidence again', async () => {
    const run = await npx('run', FINITE, '--runtime', 'process', '--defect', 'settles-twice', '--output', 'planted');
    expect(run.code, run.stdout + run.stderr).toBe(1);
    expect(run.stdout).toContain('violated charged-once');
    const judged = await npx('judge', join('planted', 'latest', 'disconnect-finite-with-settles-twice'));
    expect(judged.code, judged.stdout + judged.stderr).toBe(1);
    expect(judged.stdout).toContain('byte for byte');
  }, RUN_MS);

  test.skipIf(older === null)('says what to do where its Node is too old', async () => {
    const answer = await answerOf('npx', ['hangup', 'list'], project(), pathWithout24(older!));
    expect(answer.code).toBe(3);
    expect(answer.stderr).toMatch(/^hangup: Node 24 or newer is needed, this is \d+\.\d+\.\d+\n {2}hint: .*npm install --save-dev node@24/);
  }, RUN_MS);
});

test('a fresh clone can be installed from its lock', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hangup-lock-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(ROOT, file), join(folder, file));
  const answer = await answerOf('npm', ['ci', '--dry-run', '--no-audit', '--no-fund', '--loglevel', 'error'], folder);
  expect(answer.code, answer.stdout + answer.stderr).toBe(0);
}, RUN_MS);

describe.skipIf(older === null)('a clone on a machine whose own Node is older', () => {
  const entry = join(ROOT, 'harness', 'hangup.mjs');
  const own = (...words: readonly string[]): Promise<Answer> =>
    answerOf(join(older!, 'node'), [entry, ...words], ROOT, pathWithout24(older!));

  test('runs under the Node that came with it, and hands its exit codes on', async () => {
    const [valid, missing, nothing] = await Promise.all([
      own('validate', FINITE), own('validate', 'no-such-folder'), own('run', '--tag', 'no-such-tag', '--runtime', 'process'),
    ]);
    expect(valid.code, valid.stdout + valid.stderr).toBe(0);
    expect([missing.code, nothing.code], missing.stderr + nothing.stderr).toEqual([4, 5]);
  }, RUN_MS);

  test('is found by npx', async () => {
    const words = ['hangup', 'run', FINITE, '--runtime', 'process', '--dry-run'];
    const answer = await answerOf('npx', words, ROOT, pathWithout24(older!));
    expect(answer.code, answer.stdout + answer.stderr).toBe(0);
    expect(answer.stdout).toContain('disconnect/finite\n  on reference-router, runtime process');
  }, RUN_MS);
});
