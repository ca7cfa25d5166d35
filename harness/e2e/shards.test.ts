// Shards as machines run them, each on its own, with scenarios that only wait: then one run of all of them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, startCli, temporaryFolder } from './test-kit.ts';
import type { Finished } from './test-kit.ts';

const SCENARIO = `version: 1
name: a client waits
system: none
matrix: { for: [100ms, 200ms, 300ms] }
about: waits for \${for}
clients: { alice: { script: [ { wait: "\${for}" } ] } }
expect: [ script-done ]
`;
const COUNT = 4;

describe('three cells on four machines', () => {
  let folder: string;
  let ran: readonly Finished[];
  const hangup = (words: readonly string[], env: Readonly<Record<string, string>> = {}) => startCli(words, { folder, env }).finished;

  beforeAll(async () => {
    folder = temporaryFolder(true);
    mkdirSync(join(folder, 'scenarios'));
    writeFileSync(join(folder, 'scenarios', 'waits.yaml'), SCENARIO);
    const shard = (index: number): Promise<Finished> =>
      hangup(['run', 'scenarios', '--runtime', 'process', '--shard', 'auto', '--output', `shards/${index}`], { CI_NODE_INDEX: String(index), CI_NODE_TOTAL: String(COUNT) });
    ran = await Promise.all(Array.from({ length: COUNT }, (_, index) => shard(index + 1)));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

  test('each runs its own, the one that has nothing too, and all say of which plan they are', () => {
    expect(ran.map(({ code }) => code), ran.map(({ output }) => output).join('\n')).toEqual([0, 0, 0, 0]);
    const said = ran.map(({ output }) => /shard (\d)\/4 \(GitLab\): (\d) of 3 cells, .* plan (\w+)/.exec(output)!.slice(1));
    expect(said.map(([index, cells]) => [index, cells])).toEqual([['1', '1'], ['2', '1'], ['3', '1'], ['4', '0']]);
    expect(new Set(said.map(([, , plan]) => plan)).size).toBe(1);
  });

  test('and are one run afterwards, with the times of all of them', async () => {
    const { code, output } = await hangup(['merge', 'shards', '--output', 'merged']);
    expect([code, output], output).toEqual([0, expect.stringMatching(/3 scenarios: 3 passed/)]);
    expect(readdirSync(join(folder, 'merged')).filter((name) => name.startsWith('waits') || name.includes('-waits'))).toHaveLength(3);
    const { cells } = JSON.parse(readFileSync(join(folder, 'merged', 'durations.json'), 'utf8')) as { readonly cells: Readonly<Record<string, object>> };
    expect(Object.keys(cells['process']!)).toHaveLength(3);
    const balanced = await hangup(['run', 'scenarios', '--runtime', 'process', '--shard', '1/2', '--durations', 'merged/durations.json', '--dry-run']);
    expect(balanced.output).toContain('by recorded durations of 3 cells');
  });

  test('one of other durations is of another plan, and is refused with the reason', async () => {
    const other = await hangup(['run', 'scenarios', '--runtime', 'process', '--shard', '2/4', '--durations', 'merged/durations.json', '--output', 'other/2']);
    expect(other.code, other.output).toBe(0);
    const words = [1, 3, 4].map((index) => `shards/${index}`);
    const { code, output } = await hangup(['merge', ...words, 'other', '--output', 'never']);
    expect([code, output]).toEqual([4, expect.stringMatching(/other\/2\/.* is of plan .*other durations[\s\S]*shard 2 of 4 is not there/)]);
    expect(readdirSync(folder)).not.toContain('never');
  });

  test('one that cannot be written down is told with all that was found, and is an error', async () => {
    writeFileSync(join(folder, 'slow.yaml'), SCENARIO.replace('100ms, 200ms, 300ms', '4s'));
    const started = startCli(['run', 'slow.yaml', '--runtime', 'process', '--shard', '1/1', '--output', 'blocked'], { folder });
    const runs = (): readonly string[] => (existsSync(join(folder, 'blocked')) ? readdirSync(join(folder, 'blocked')).map((name) => join(folder, 'blocked', name)) : []);
    const run = await eventually('shard.json of the run', () => runs().find((path) => existsSync(join(path, 'shard.json'))), 30_000);
    rmSync(join(run, 'shard.json'));
    mkdirSync(join(run, 'shard.json'));
    const { code, output } = await started.finished;
    expect([code, output]).toEqual([3, expect.stringMatching(/1 scenario: 1 passed .*Exit code 3[\s\S]*\[output-not-writable\]/)]);
    // For --last-failed too.
    expect(JSON.parse(readFileSync(join(folder, 'blocked', 'last-run.json'), 'utf8'))).toMatchObject({ exitCode: 3, cells: [{ outcome: 'passed' }] });
  });
});
