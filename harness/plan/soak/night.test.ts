// What the night itself has cut is an error with its reason, in what is remembered and in what the exit code is made of; what was told to
// stop is not.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadCells } from '../../cli/load-cells.ts';
import { tellResult } from '../../cli/soak-tell.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { ScenarioResult } from '../../model/exit-code.ts';
import { selectCells } from '../select.ts';
import { createDisk } from './disk.ts';
import { soakNight } from './night.ts';
import type { RunGroup } from './night.ts';

const MEBIBYTE = 1024 * 1024;

test('a run that is cut for want of room is an error of that name; one that was told to stop is interrupted', async () => {
  const output = mkdtempSync(join(tmpdir(), 'hangup-soak-'));
  onTestFinished(() => rmSync(output, { recursive: true, force: true }));
  const cells = selectCells(await loadCells(['scenarios/disconnect/finite.yaml'], {}, null, '/'), { runtime: 'process', isolation: 'namespace', defects: [], tags: [], where: {}, secrets: {} }).slice(0, 1);
  const night = new AbortController();
  const counted: ScenarioResult[] = [];
  let begun = 0;
  /** Writes more than there is room for, until it is cut; the next one is there when the night is told to stop. */
  const run: RunGroup = async ({ cells: [cell], session, onResult }) => {
    begun += 1;
    const folder = join(session.output!, 'bundle');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'timeline.ndjson'), Buffer.alloc(begun === 1 ? 14 * MEBIBYTE : MEBIBYTE, 'x'));
    const cut = new Promise((resolve) => session.signal.addEventListener('abort', resolve, { once: true }));
    if (begun > 1) night.abort(new Error('told to stop'));
    if (!session.signal.aborted) await cut;
    onResult({ cell: cell!, attempt: begun, folder, outcome: 'interrupted', verdicts: [], problems: [], tookMs: 5 });
  };
  const end = await soakNight({
    cells, session: { signal: night.signal, output, stages: output, runtime: { kind: 'process' } } as never, seed: 1, forMs: 60_000, liveForMs: null, sampleEveryMs: 1_000, atOnce: 1,
    disk: createDisk(16 * MEBIBYTE), run, sessionFor: (session) => session, sweep: async () => {}, progress: () => {},
    tell: (result) => {
      const { told, counted: one } = tellResult(result, false, (value) => value);
      counted.push(one);
      return told;
    },
  });
  const [tally] = end.tallies;
  expect(Object.fromEntries(tally!.outcomes)).toEqual({ error: 1, interrupted: 1 });
  expect([...tally!.symptoms.values()]).toEqual([expect.objectContaining({ fingerprint: expect.stringMatching(/^no-room-left@/), outcome: 'error', count: 1 })]);
  expect(exitCode(counted.filter(({ outcome }) => outcome !== 'interrupted'))).toBe(3);
}, 30_000);
