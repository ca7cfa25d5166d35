// Each cell of what the seed saw is reproduced by the presets, and told beside it; and every bundle that this leaves,
// of runs that passed, runs that failed and controls, is judged again to the same bytes. One way of leaving stands for
// all here: the others are run by harness/tools/accept.ts.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bundle } from '../bundle/read.ts';
import { judgeBundle } from '../cli/judge.ts';
import { loadCells } from '../cli/load-cells.ts';
import { exchangesOf, totalsAfter } from '../model/exchanges.ts';
import { readingsOf } from '../model/readings.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { bundleFolders, bundlesOf, claimsOf, ROOT, runCli, startCli, temporaryFolder } from './test-kit.ts';
import type { Finished } from './test-kit.ts';

const PRESETS = ['seed-v047', 'seed-main'] as const;
/** Every leaving row has it. */
const HOW = 'rst';
const LIMIT_MS = 150_000;

const scenarios = (await loadCells([join(ROOT, 'scenarios')], {}, null, ROOT))
  .map(({ scenario }) => scenario)
  .filter((scenario) => scenario.matrix.how === undefined || scenario.matrix.how === HOW);
const sawBy = (preset: string): readonly Scenario[] => scenarios.filter(({ saw }) => preset in saw);

const folders: string[] = [];
const finished = new Map<string, readonly Finished[]>();
const bundles = new Map<string, Bundle>();

/** Two commands a preset: the rows of the leave matrix, and the others. */
const runPreset = async (preset: string): Promise<void> => {
  const rows = sawBy(preset);
  const commands = [rows.filter(({ matrix }) => matrix.how !== undefined), rows.filter(({ matrix }) => matrix.how === undefined)];
  finished.set(
    preset,
    await Promise.all(
      commands.map(async (some, index) => {
        const folder = temporaryFolder(true);
        folders.push(folder);
        const words = ['--defect', preset, ...(index === 0 ? ['--where', `how=${HOW}`] : [])];
        const result = await runCli(
          some.map(({ file }) => join(ROOT, file)),
          { folder },
          words,
        );
        for (const [id, bundle] of await bundlesOf(folder)) bundles.set(`${preset} ${id}`, bundle);
        return result;
      }),
    ),
  );
};

// One after the other: what is judged inconclusive because the machine was busy reproduces nothing.
beforeAll(async () => {
  for (const preset of PRESETS) await runPreset(preset);
}, LIMIT_MS);
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

describe.each(PRESETS)('%s', (preset) => {
  test.each(sawBy(preset).map((scenario) => [scenario.id, scenario.saw[preset]!] as const))('%s', (id, { violates }) => {
    const { verdicts } = bundles.get(`${preset} ${id}`)!;
    const claims = claimsOf(verdicts!);
    for (const claim of violates) expect(claims[claim], claim).toMatchObject({ outcome: 'violated' });
    expect(verdicts!.outcome, JSON.stringify(claims)).toBe(violates.length > 0 ? 'failed' : 'passed');
  });

  test('the table sets what the seed saw beside what is seen now', () => {
    const output = finished
      .get(preset)!
      .map((each) => each.output)
      .join('\n');
    expect(output).toMatch(/scenario +defect +expected +now/);
    for (const { id, saw } of sawBy(preset)) {
      const line = output.split('\n').find((each) => each.startsWith(`${id} `) && each.includes(` ${preset} `));
      expect(line, id).toContain(saw[preset]!.what);
      expect(line, id).toMatch(/ seen here too$/);
    }
  });

  test('what failed is exit 1', () => expect(finished.get(preset)!.map(({ code }) => code)).toEqual([1, 1]));
});

test('the release charges for what nobody read, once its upstream has ended', () => {
  const { timeline } = bundles.get(`seed-v047 disconnect/endless[how=${HOW}]`)!;
  const [exchange] = exchangesOf(timeline);
  const delivered = totalsAfter(exchange!.received, exchange!.left!.atMs).events;
  const charges = readingsOf(timeline, 'ledger')
    .at(-1)!
    .value.charges!.filter(({ marker }) => marker === exchange!.marker);
  expect(charges).toHaveLength(1);
  expect(charges[0]!.amount).toBeGreaterThan(3 * delivered);
});

describe('judged again', () => {
  test('every bundle gives the same bytes', async () => {
    const all = folders.flatMap(bundleFolders);
    expect(all.length).toBeGreaterThan(20);
    for (const folder of all) {
      const { output, exitCode } = await judgeBundle(folder);
      expect(output, folder).toContain('The same as verdicts.json, byte for byte.');
      expect([0, 1, 2, 5], output).toContain(exitCode);
    }
  });

  test('a bundle that was changed is named, with the file', async () => {
    const folder = temporaryFolder();
    const copy = join(folder, 'changed');
    cpSync(bundles.get('seed-main disconnect/upstream-stopped')!.folder, copy, { recursive: true });
    const path = join(copy, 'timeline.ndjson');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"type":"mark"', '"type":"marl"'));
    const { code, output } = await startCli(['judge', copy], { folder }).finished;
    expect(code, output).toBe(4);
    expect(output).toContain(`${copy} is not as it was sealed: timeline.ndjson`);
    expect(output).toContain('[bundle-tampered]');
  });
});
