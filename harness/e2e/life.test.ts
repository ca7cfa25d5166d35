// A system that lives long and loses a slot with every leave: each single run of it is well, its memory and sockets stay level, and it is
// told all the same, since its last turns are not served like its first: with a pool so small that no quarter of its turns shows it.
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import { createSecrets } from '../bundle/secrets.ts';
import { harnessVersion } from '../cli/harness-version.ts';
import { loadCells } from '../cli/load-cells.ts';
import { judge } from '../expectations/judge.ts';
import type { CellResult } from '../plan/run-cell.ts';
import { runPlan } from '../plan/run-plan.ts';
import { createSchedule } from '../plan/schedule.ts';
import { selectCells } from '../plan/select.ts';
import { longLifeOf, whyNoLife, whyNotRepeated } from '../plan/soak/long-life.ts';
import { reportOf } from '../reports/report-md.ts';
import { createProcessRuntime } from '../runtimes/process.ts';
import { FIXTURES, temporaryFolder } from './test-kit.ts';

const LIVES_MS = 25_000;

const lifeWith = async (folder: string, ...defects: readonly string[]): Promise<CellResult> => {
  const loaded = await loadCells([join(FIXTURES, 'slots.yaml')], {}, null, folder);
  const [cell] = selectCells(loaded, { runtime: 'process', isolation: 'namespace', defects, tags: [], where: {}, secrets: {} });
  expect(whyNotRepeated(cell!)).toBeNull();
  const [result] = await runPlan({
    cells: [longLifeOf(cell!, LIVES_MS)], repeat: 1, schedule: createSchedule({ jobs: 1 }),
    session: {
      runId: randomBytes(5).toString('hex'), runtime: createProcessRuntime(), output: join(folder, `runs-${defects}`), stages: join(folder, `stages-${defects}`), installed: new Map(),
      signal: new AbortController().signal, secrets: {}, hidden: createSecrets(), timelines: new Set(), onPhase: () => {},
      manifest: { argv: [], harness: harnessVersion(), versions: {} },
    },
    scenarioText: ({ scenario }) => readFileSync(scenario.file, 'utf8'), report: reportOf, onResult: () => {},
  });
  return result!;
};

let clean: CellResult;
let leaking: CellResult;
let folder: string;
beforeAll(async () => {
  folder = temporaryFolder(true);
  [clean, leaking] = await Promise.all([lifeWith(folder), lifeWith(folder, 'leaks-slot')]);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const wordsOf = ({ problems, verdicts }: CellResult): string => JSON.stringify([problems, verdicts.map(({ id, outcome, reason }) => `${id} ${outcome}: ${reason}`)], null, 1);
const served = ({ verdicts }: CellResult) => verdicts.find(({ id }) => id === 'keeps-serving');

test('a sound one is served to the end, and all its claims hold', () => {
  expect(clean.outcome, wordsOf(clean)).toBe('passed');
  expect(served(clean)).toMatchObject({ outcome: 'held' });
  expect(whyNoLife(clean)).toBeNull();
});

test('one that loses a slot with each leave is violated by that claim alone, and its levels acquit it of nothing', async () => {
  expect(leaking.verdicts.filter(({ outcome }) => outcome !== 'held').map(({ id }) => id), wordsOf(leaking)).toEqual(['keeps-serving']);
  expect(served(leaking)).toMatchObject({ outcome: 'violated', reason: expect.stringMatching(/^of alice's last \d+ turns 0 were served, of the first (\d+) \1; the last of them had (?:no answer|status 503)$/) });
  expect(whyNoLife(leaking)).toMatch(/^it was not served to the end: of alice's last/);
  // Its bundle says the same again.
  const { timeline, resolved } = await readBundle(leaking.folder);
  expect(judge({ timeline, control: null, ...resolved.judged }).find(({ id }) => id === 'keeps-serving')).toEqual(served(leaking));
});
