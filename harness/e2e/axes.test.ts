// The real command over the axes of a system: revisions of a repository, one of which cannot be built. One run for all that is asked.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bundle } from '../bundle/read.ts';
import { bisectRepository } from './fixtures/bisect-repository.ts';
import type { BisectRepository } from './fixtures/bisect-repository.ts';
import { bundlesOf, claimsOf, runCli, runOf, startCli, temporaryFolder } from './test-kit.ts';
import type { Finished } from './test-kit.ts';

const folder = temporaryFolder(true);
const env = { XDG_CACHE_HOME: join(folder, 'cache') };

/** What is judged is the work tree of a revision, which a check must let pass first. */
const card = (text: string): string => text
  .replace('${card}/proxy.mjs', '${source}/proxy.mjs')
  .replace('version: 1\n', 'version: 1\nversions: { from: git, repository: ./repository, use: v0, build: [[sh, -c, "if grep -q Error proxy.mjs; then echo not today; exit 7; fi"]] }\n');

let repository: BisectRepository;
let finished: Finished;
let bundles: ReadonlyMap<string, Bundle>;

beforeAll(async () => {
  repository = bisectRepository(join(folder, 'repository'));
  writeFileSync(join(folder, 'card.yaml'), card(readFileSync(join(repository.path, 'card.yaml'), 'utf8')));
  writeFileSync(join(folder, 'leak.yaml'), readFileSync(join(repository.path, 'leak.yaml'), 'utf8'));
  finished = await runCli([join(folder, 'leak.yaml')], { folder, env }, ['--axis', 'version=v2..v3,v5']);
  bundles = await bundlesOf(folder);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

const bundleOf = (version: string): Bundle => {
  const found = [...bundles.values()].find(({ manifest, resolved }) => !manifest.isControl && resolved.run.coordinates?.version === version);
  if (!found) throw new Error(`no bundle of ${version}: ${finished.output}`);
  return found;
};
const short = (index: number): string => repository.commits[index]!.slice(0, 12);

describe('a run over revisions', () => {
  test('each is judged as it is: one holds, one leaks, one cannot be built and stops none of the others', () => {
    expect(claimsOf(bundleOf(short(2)).verdicts)['upstream-closed']!.outcome, finished.output).toBe('held');
    expect(claimsOf(bundleOf('v5').verdicts)['upstream-closed']!.outcome, finished.output).toBe('violated');
    expect(bundleOf(short(3)).verdicts, finished.output).toMatchObject({ outcome: 'untestable', verdicts: [], problems: [{ code: 'untestable' }] });
    expect(finished.code, finished.output).toBe(1);
  });

  test('the evidence names revision and commit, and holds what the build printed', () => {
    const [built, broken] = [bundleOf('v5'), bundleOf(short(3))];
    expect(built.manifest.scenario).toMatch(/\[version=v5\]$/);
    expect(Object.values(built.manifest.versions)).toContain(repository.commits[5]);
    expect(readFileSync(join(broken.folder, 'logs', 'install.log'), 'utf8')).toMatch(/failed at [0-9a-f]{12}: exit code 7[\s\S]*not today/);
    expect(broken.timeline.all).toEqual([]);
    expect(broken.isSealed).toBe(true);
  });

  test('the end and the index show all of them in one row', () => {
    const lines = finished.output.split('\n');
    const head = lines.findIndex((line) => line.startsWith('  scenario '));
    expect(lines[head], finished.output).toMatch(new RegExp(`${short(2)} +${short(3)} +v5$`));
    expect(lines.slice(head).find((line) => /✓ +- +✗/.test(line)), finished.output).toBeDefined();
    expect(readFileSync(join(runOf(folder)!.path, 'index.html'), 'utf8')).toContain('<caption>Outcomes by version</caption>');
  });

  test('rerun stands at the same revision, and builds nothing twice', async () => {
    const again = await startCli(['rerun', bundleOf('v5').folder, '--output', join(folder, 'again')], { folder, env }).finished;
    expect(again.output).toContain('Everything that is recorded is as it was.');
    expect(again.output).not.toContain('building it');
    expect(again.code, again.output).toBe(0);
  });
});

test('a version that is none, and an axis that is none, are refused before anything is started', async () => {
  const refused = async (axis: string): Promise<Finished> => startCli(['run', join(folder, 'leak.yaml'), '--axis', axis, '--dry-run', '--runtime', 'process'], { folder, env }).finished;
  const [version, axis] = await Promise.all([refused('version=v9..v2'), refused('framework=1')]);
  expect(version.output).toMatch(/has no revision v9 \[unknown-revision\][\s\S]*v6/);
  expect(axis.output).toMatch(/has no axis "framework" \[unknown-axis\][\s\S]*version/);
  expect(axis.code).toBe(4);
});
