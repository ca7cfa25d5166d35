// What the night itself has cut is an error with its reason, in what is remembered and in what the exit code is made of; what was told to
// stop is not, and says nothing of growth. Nothing that goes wrong with one result ends the process.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { loadCells } from '../../cli/load-cells.ts';
import { tellResult } from '../../cli/soak-tell.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { ScenarioResult } from '../../model/exit-code.ts';
import type { CellResult } from '../run-cell.ts';
import { selectCells } from '../select.ts';
import { createDisk } from './disk.ts';
import { soakNight } from './night.ts';
import type { NightInput, RunGroup } from './night.ts';
import { judgeTrends } from './trend.ts';

const MEBIBYTE = 1024 * 1024;

const result = (given: Pick<CellResult, 'cell' | 'attempt' | 'folder' | 'outcome'>): CellResult => ({ verdicts: [], problems: [], tookMs: 5, ...given });

/** A night of one scenario; `abort` ends it. */
const nightOf = async (run: (abort: (why: Error) => void) => RunGroup, changed: Partial<NightInput> = {}) => {
  const output = mkdtempSync(join(tmpdir(), 'hangup-soak-'));
  onTestFinished(() => rmSync(output, { recursive: true, force: true }));
  const cells = selectCells(await loadCells(['scenarios/disconnect/finite.yaml'], {}, null, '/'), { runtime: 'process', isolation: 'namespace', defects: [], tags: [], where: {}, secrets: {} }).slice(0, 1);
  const night = new AbortController();
  const counted: ScenarioResult[] = [];
  const end = await soakNight({
    cells, session: { signal: night.signal, output, stages: output, runtime: { kind: 'process' } } as never, seed: 1, forMs: 60_000, liveForMs: null, sampleEveryMs: 1_000, atOnce: 1,
    disk: createDisk(16 * MEBIBYTE), run: run((why) => night.abort(why)), sessionFor: (session) => session, sweep: async () => {}, checkpoint: async () => {}, progress: () => {},
    tell: (one) => {
      const { told, counted: kind } = tellResult(one, false, (value) => value);
      counted.push(kind);
      return told;
    },
    ...changed,
  });
  return { end, counted };
};

test('a run that is cut for want of room is an error of that name; one that was told to stop is interrupted', async () => {
  let begun = 0;
  /** Writes more than there is room for, until it is cut; the next one is there when the night is told to stop. */
  const { end, counted } = await nightOf((abort) => async ({ cells: [cell], session, onResult }) => {
    begun += 1;
    const folder = join(session.output!, 'bundle');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'timeline.ndjson'), Buffer.alloc(begun === 1 ? 14 * MEBIBYTE : MEBIBYTE, 'x'));
    const cut = new Promise((resolve) => session.signal.addEventListener('abort', resolve, { once: true }));
    if (begun > 1) abort(new Error('told to stop'));
    if (!session.signal.aborted) await cut;
    onResult(result({ cell: cell!, attempt: begun, folder, outcome: 'interrupted' }));
  });
  const [tally] = end.tallies;
  expect(Object.fromEntries(tally!.outcomes)).toEqual({ error: 1, interrupted: 1 });
  expect([...tally!.symptoms.values()]).toEqual([expect.objectContaining({ fingerprint: expect.stringMatching(/^no-room-left@/), outcome: 'error', count: 1 })]);
  expect(exitCode(counted.filter(({ outcome }) => outcome !== 'interrupted'))).toBe(3);
}, 30_000);

/** A run whose system has more descriptors open at each sample, and that ends as told. */
const holdsMore = (outcome: CellResult['outcome']) => (abort: (why: Error) => void): RunGroup => async ({ cells: [cell], session, onResult }) => {
  const folder = join(session.output!, 'bundle');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'resolved.json'), JSON.stringify({ judged: { facts: {} } }));
  const sample = (atMs: number) => ({ type: 'sample', probe: 'process', atMs, value: { rssBytes: 1, descriptors: atMs, runDelayMs: 0, pids: [1] } });
  writeFileSync(join(folder, 'timeline.ndjson'), [{ type: 'phase', phase: 'baseline', edge: 'begin', atMs: 0 }, sample(10), sample(30)].map((each) => `${JSON.stringify(each)}\n`).join(''));
  onResult(result({ cell: cell!, attempt: 1, folder, outcome }));
  abort(new Error('told to stop'));
};

test('what a run that was cut still holds is no reading of growth', async () => {
  const left = async (outcome: CellResult['outcome']) =>
    (await nightOf(holdsMore(outcome))).end.readings.questions().filter(({ of, measure }) => of !== 'hangup' && measure === 'fds').map(({ readings }) => readings);
  expect(await left('passed')).toEqual([1]);
  expect(await left('interrupted')).toEqual([]);
}, 30_000);

/** A life of 110 minutes whose readings are level, and that then ends as told. */
const staysLevel = (outcome: CellResult['outcome'], verdicts: CellResult['verdicts']) => (abort: (why: Error) => void): RunGroup => async ({ cells: [cell], session, onResult }) => {
  const folder = join(session.output!, 'bundle');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'resolved.json'), JSON.stringify({ judged: { facts: {} } }));
  const sample = (minute: number) => ({ type: 'sample', probe: 'process', atMs: 60_000 * minute, value: { rssBytes: 2 ** 20 * (60 + (minute % 2)), descriptors: 20, runDelayMs: 0, pids: [1] } });
  const seen = [{ type: 'phase', phase: 'baseline', edge: 'begin', atMs: 0 }, ...Array.from({ length: 111 }, (_, minute) => sample(minute))];
  writeFileSync(join(folder, 'timeline.ndjson'), seen.map((each) => `${JSON.stringify(each)}\n`).join(''));
  onResult({ ...result({ cell: cell!, attempt: 1, folder, outcome }), verdicts });
  abort(new Error('told to stop'));
};

test('a life that was cut before anybody asked whether it served is flat in nothing', async () => {
  const memory = async (outcome: CellResult['outcome'], ...verdicts: CellResult['verdicts']) => {
    const { end } = await nightOf(staysLevel(outcome, verdicts), { atOnce: 2, forMs: 7_300_000, liveForMs: 7_200_000 });
    return judgeTrends(end.readings.questions()).find(({ of, measure }) => of !== 'hangup' && measure === 'memory')!;
  };
  expect(await memory('interrupted')).toMatchObject({ outcome: 'cannot-tell', why: expect.stringMatching(/; but its run broke off before anybody asked whether it served to the end$/) });
  expect(await memory('passed', { claim: 'keeps-serving', id: 'keeps-serving', outcome: 'held', reason: 'all were', evidence: [] } as never)).toMatchObject({ outcome: 'flat' });
}, 30_000);

test('a result that cannot be told ends the night in order, and not the process, while the run goes on', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const { end } = await nightOf(() => async ({ cells: [cell], session, onResult }) => {
    onResult(result({ cell: cell!, attempt: 1, folder: join(session.output!, 'bundle'), outcome: 'passed' }));
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  }, { tell: () => { throw new Error('cannot be told'); } });
  expect(end.fault?.error).toMatchObject({ message: 'cannot be told' });
  expect(uncaught).toEqual([]);
}, 30_000);

test('a night whose time is over while it waits after many errors was not short of room', async () => {
  const { end } = await nightOf(() => async ({ cells: [cell], session, onResult }) => {
    onResult(result({ cell: cell!, attempt: 1, folder: join(session.output!, 'bundle'), outcome: 'error' }));
  }, { forMs: 3_000 });
  expect(end.tallies[0]!.runs).toBeGreaterThan(8);
  expect(end.endedEarly).toBeNull();
}, 30_000);

test('a life for which there is no room, and one of which nothing can be read, are told', async () => {
  const full = createDisk(2 * MEBIBYTE);
  const { end: none } = await nightOf((abort) => async () => abort(new Error('told to stop')), { atOnce: 2, forMs: 600_000, liveForMs: 180_000, disk: full });
  expect(none.lives).toContain('there was no room for it');
  const { end: torn } = await nightOf((abort) => async ({ cells: [cell], session, onResult }) => {
    onResult(result({ cell: cell!, attempt: 1, folder: join(session.output!, 'bundle'), outcome: 'error' }));
    abort(new Error('told to stop'));
  }, { atOnce: 2, forMs: 600_000, liveForMs: 180_000 });
  expect(torn.lives).toBeNull();
  expect(torn.readings.notAsked()).toMatch(/^of a system that was to live long nothing was read, whose bundle broke off before its baseline: long-life\/disconnect\/finite after \d+ ms$/);
}, 30_000);

test('where there is one place only, no long life takes it from the scenarios', async () => {
  const begun = async (atOnce: number): Promise<string> => {
    let first = '';
    await nightOf((abort) => async ({ cells: [cell] }) => {
      first ||= cell!.id;
      abort(new Error('told to stop'));
    }, { atOnce, forMs: 600_000, liveForMs: 180_000 });
    return first;
  };
  expect([await begun(2), await begun(1)]).toEqual(['long-life/disconnect/finite', 'disconnect/finite']);
}, 30_000);
