// What a shard writes down of itself, where not all of it was run.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FILES } from '../bundle/format.ts';
import { nameOf } from '../plan/cell-bundle.ts';
import { needsControl } from '../plan/controls.ts';
import { readShard } from '../plan/shard/shard-file.ts';
import { controlOf } from '../systems/control-cell.ts';
import { cellWith, METERED } from '../systems/fixture.ts';
import { takeShard } from './run-shard.ts';
import { testTerminal } from './test-terminal.ts';

test('a control that was run before failures ended all that share it is still its own, and what was not begun is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-run-shard-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const cell = cellWith();
  expect(needsControl(cell)).toBe(true);
  const control = nameOf(controlOf(cell, 0), 1);
  mkdirSync(join(folder, control));
  writeFileSync(join(folder, control, FILES.seal), '{}');
  const options = { shard: { index: 1, count: 1 }, durations: null, repeat: 1, strict: false, seed: null, untilFailure: false, maxFailures: 1 };
  const part = await takeShard([cell], options, { ...testTerminal({ cwd: folder }).terminal, root: folder });
  await part.begin(folder);
  expect(await part.end(folder, [], [{ cell, attempt: 1, why: 'enough' }], 1)).toBe(1);
  expect(await readShard(folder)).toMatchObject({
    ended: { results: [], controls: [{ folder: control, seal: expect.stringMatching(/^[0-9a-f]{64}$/) as string }], notRun: [{ id: cell.id, attempt: 1, scenario: cell.id, why: 'enough' }] },
  });
});

test('where a repository of which a card runs a branch cannot be asked there is no plan; what the runtime does not use is not asked for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-run-shard-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = { ...testTerminal({ cwd: folder, environment: { ...process.env, XDG_CACHE_HOME: folder } }).terminal, root: folder };
  const options = { shard: { index: 1, count: 2 }, durations: null, repeat: 1, strict: false, seed: null, untilFailure: false, maxFailures: null };
  const card = {
    ...METERED, versions: `versions: { from: git, repository: ${join(folder, 'nowhere')}, use: main }`,
    run: 'run: [ { name: proxy, process: { command: [node, "${source}/proxy.mjs"] }, docker: { image: "their/proxy:1" } } ]',
  };
  await expect(takeShard([cellWith({}, card, { runtime: 'process' })], options, place)).rejects.toMatchObject({ problems: [{ family: 'environment', code: 'axis-not-read' }] });
  const { cells, said } = await takeShard([cellWith({}, card, { runtime: 'docker' })], options, place);
  expect([cells.length, said]).toEqual([expect.any(Number), expect.stringContaining('shard 1/2: ')]);
});
