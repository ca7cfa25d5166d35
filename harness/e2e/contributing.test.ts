// The recipes of CONTRIBUTING.md, followed: in a copy of the tree each example becomes its file and its line; then
// types, style and conformance tests must pass, and a scenario that uses them all must run.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, treeFiles } from './fixtures/packaging-kit.ts';
import type { Answer } from './fixtures/packaging-kit.ts';

const LIMIT_MS = 180_000;
const RECIPES = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

/** File, its text, and the registry that gets the line. */
const recipes = [...RECIPES.matchAll(/^\*\*`([^`]+)`\*\*\n\n```ts\n([\s\S]*?)^```\n\nLine: in `([^`]+)`/gm)]
  .map(([, file, text, registry]) => ({ file: file!, text: text!, registry: registry! }));

const SCENARIO = `version: 1
name: every recipe at once
about: What the recipes of CONTRIBUTING.md add can be used together.
source: CONTRIBUTING.md
tags: []
system: reference-router
tests: none
upstreams:
  model: { slow-start: { for: 300ms } }
clients:
  alice:
    account: { balance: 10000 }
    script:
      - request: chat
      - note
      - receive: { until: end }
        mark: done
faults:
  - after: done
    freeze: 200ms
watch: 1s
expect:
  - head-within: { client: alice, within: 5s }
  - stream-complete: { client: alice }
`;

let tree = '';
const run = (...words: readonly string[]): Promise<Answer> =>
  new Promise((answer) => {
    const child = execFile(process.execPath, words, { cwd: tree, timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 }, (_, stdout, stderr) =>
      answer({ code: child.exitCode, stdout, stderr }));
  });
const program = (name: string): string => join('node_modules', name);

beforeAll(() => {
  tree = realpathSync(mkdtempSync(join(tmpdir(), 'hangup-recipes-')));
  for (const file of treeFiles()) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(tree, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  for (const [index, { file, text, registry }] of recipes.entries()) {
    writeFileSync(join(tree, file), text);
    const path = join(tree, registry);
    const from = `./${file.slice(dirname(registry).length + 1)}`;
    const listed = readFileSync(path, 'utf8')
      .replace(/^(import \{ createRegistry \}.*\n)/m, `$1import { definition as added${index} } from '${from}';\n`)
      .replace(/(createRegistry(?:<\w+>)?\(\[)/, `$1added${index}, `);
    writeFileSync(path, listed);
  }
  writeFileSync(join(tree, 'scenarios', 'recipes.yaml'), SCENARIO);
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

test('there is an example for each family that has a registry', () => {
  expect(recipes.map(({ registry }) => registry)).toEqual([
    'upstreams/behaviours', 'harness/clients', 'harness/probes', 'harness/faults', 'harness/expectations', 'harness/reports',
  ].map((folder) => `${folder}/registry.ts`));
});

test('they compile', async () => {
  const { code, stdout } = await run(program('typescript/bin/tsc'), '--noEmit');
  expect(stdout).toBe('');
  expect(code).toBe(0);
}, LIMIT_MS);

test('they are in style, and conform', async () => {
  expect((await run('harness/tools/schema.ts')).code).toBe(0);
  const files = [
    'harness/tidy.test.ts', 'harness/cli/schema.test.ts', 'harness/reports/reports.test.ts', 'harness/plan/explain.test.ts',
    ...recipes.map(({ registry }) => registry.replace('.ts', '.test.ts')),
  ];
  const { code, stdout, stderr } = await run(program('vitest/vitest.mjs'), 'run', '--project', 'plain', ...files);
  expect(code, stdout + stderr).toBe(0);
}, LIMIT_MS);

test('they are listed, and a scenario can use them', async () => {
  const listed = await run('harness/hangup.mjs', 'list');
  for (const kind of ['slow-start', 'note', 'freeze', 'head-within']) expect(listed.stdout).toMatch(new RegExp(`^  ${kind}  `, 'm'));
  const ran = await run('harness/hangup.mjs', 'run', 'scenarios/recipes.yaml', '--runtime', 'process', '--reporter', 'names,terminal');
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  expect(ran.stdout).toMatch(/^exit 0$/m);
  // Standard output has room for the first; what is for people is beside it.
  expect(ran.stderr).toContain('2 held');
}, LIMIT_MS);
