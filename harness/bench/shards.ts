// How even the shards are: ours by recorded durations, beside those that Playwright Test makes of as many tests. Both are weighed by
// the same recorded times, of a run of the whole catalogue with containers.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadCells } from '../cli/load-cells.ts';
import { parseDurations } from '../plan/durations.ts';
import type { Durations } from '../plan/durations.ts';
import { selectCells } from '../plan/select.ts';
import { partition } from '../plan/shard/partition.ts';
import { weighCells } from '../plan/shard/weigh.ts';
import type { Weighed } from '../plan/shard/weigh.ts';
import type { Cell } from '../systems/cell.ts';
import type { Measure } from './measure.ts';
import { installPlaywright } from './playwright.ts';
import type { Playwright } from './playwright.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const AIM = 1.1;
const COUNTS = [4, 10, 20, 50] as const;
/** One start of Playwright for each shard: more of them would say the same. */
const PEER_COUNTS: readonly number[] = [4, 10];

const recordedCells = async (durations: Durations): Promise<readonly Cell[]> => {
  const loaded = await loadCells([join(ROOT, 'scenarios')], {}, null, ROOT);
  const cells = selectCells(loaded, { runtime: 'docker', isolation: 'namespace', defects: [], tags: [], where: {}, secrets: {} });
  return cells.filter(({ id }) => Object.hasOwn(durations.cells.docker ?? {}, id));
};

/** Cells, and each control once on every shard that needs it. */
const workMs = (ids: readonly string[], weighed: ReadonlyMap<string, Weighed>): number => {
  const cells = ids.flatMap((id) => weighed.get(id) ?? []);
  const controls = new Map(cells.flatMap(({ control }) => (control ? [[control.key, control.weightMs] as const] : [])));
  return [...cells.map(({ weightMs }) => weightMs), ...controls.values()].reduce((sum, ms) => sum + ms, 0);
};

const ratioOf = (shards: readonly (readonly string[])[], weighed: ReadonlyMap<string, Weighed>): number => {
  const works = shards.map((ids) => workMs(ids, weighed));
  return (Math.max(...works) * works.length) / works.reduce((sum, ms) => sum + ms, 0);
};

const listed = async ({ cli }: Playwright, cwd: string, shard: string): Promise<readonly string[]> => {
  const { stdout } = await run(process.execPath, [cli, 'test', '--list', `--shard=${shard}`], { cwd });
  return [...stdout.matchAll(/› cell (.*)$/gm)].map(([, id]) => id!.trim());
};

/** As many tests with the same names, in the same order, each by itself (`fullyParallel`): its best case. */
const playwrightShards = async (ids: readonly string[], counts: readonly number[]): Promise<ReadonlyMap<number, readonly (readonly string[])[]>> => {
  const peer = await installPlaywright();
  const cwd = mkdtempSync(join(peer.folder, 'shards-'));
  try {
    writeFileSync(join(cwd, 'playwright.config.js'), 'module.exports = { fullyParallel: true };\n');
    writeFileSync(join(cwd, 'cells.spec.js'), `const { test } = require('@playwright/test');\nfor (const id of ${JSON.stringify(ids)}) test('cell ' + id, () => {});\n`);
    const made = new Map<number, readonly (readonly string[])[]>();
    for (const count of counts) {
      const shards: (readonly string[])[] = [];
      for (let index = 1; index <= count; index += 1) shards.push(await listed(peer, cwd, `${index}/${count}`));
      if (shards.flat().length !== ids.length) throw new Error(`Playwright listed ${shards.flat().length} of ${ids.length} tests`);
      made.set(count, shards);
    }
    return made;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
};

export const shards: Measure = {
  name: 'shards',
  work: `a catalogue of recorded durations on ${COUNTS.join(', ')} shards`,
  beside: 'playwright test --shard',
  aim: `longest <= ${AIM}x mean`,
  run: async () => {
    const durations = parseDurations(readFileSync(join(import.meta.dirname, 'recorded-durations.json'), 'utf8'));
    const cells = await recordedCells(durations);
    const recorded = weighCells(cells, durations).cells;
    const planned = weighCells(cells, null).cells;
    const weighed = new Map(recorded.map((cell) => [cell.id, cell]));
    const ours = (by: readonly Weighed[]): readonly number[] => COUNTS.map((count) => ratioOf(partition(by, count).map(({ ids }) => ids), weighed));
    const theirs = await playwrightShards(cells.map(({ id }) => id), PEER_COUNTS);
    const text = (ratios: readonly number[]): string => ratios.map((ratio) => ratio.toFixed(2)).join(', ');
    const peer = [...theirs].map(([count, made]) => `${ratioOf(made, weighed).toFixed(2)} on ${count}`).join(', ');
    return {
      measured: `${text(ours(recorded))} of ${cells.length} cells; beside ${peer}; by planned lengths alone ${text(ours(planned))}`,
      isMet: ours(recorded).every((ratio) => ratio <= AIM),
    };
  },
};
