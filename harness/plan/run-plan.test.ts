// Cells that cannot even begin: whatever breaks, it is in the result, the bundle is sealed with it, and nothing
// is left running or unsaid. What happens when a cell does run is tested from outside.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import { createSecrets } from '../bundle/secrets.ts';
import { problem } from '../model/problem.ts';
import { reportOf } from '../reports/report-md.ts';
import type { Runtime } from '../runtimes/runtime.ts';
import { cellWith } from '../systems/fixture.ts';
import type { Cell } from '../systems/cell.ts';
import { drawCell } from '../systems/draw.ts';
import { nameOf } from './cell-bundle.ts';
import type { CellResult } from './run-cell.ts';
import { runPlan } from './run-plan.ts';
import type { Plan } from './run-plan.ts';
import { createSchedule } from './schedule.ts';
import type { Session } from './session.ts';

const LEAVING = cellWith();
const ALONE = cellWith({ expect: 'expect: [ process-alive ]' });
const NOT_HERE = cellWith({ expect: 'expect: [ refundable: { client: alice } ]' }, {});

const BROKEN = problem('environment', 'stage-not-opened', 'no network for sk-abcdefghijk', { hint: 'hangup doctor' });
const runtimeThat = (openStage: Runtime['openStage']): Runtime => ({
  kind: 'process',
  probe: async () => ({ available: true, why: '', isolation: 'namespace' }),
  openStage,
  describe: async () => ({}),
});

const sessionIn = (output: string, over: Partial<Session> = {}): Session => ({
  runId: 'r1',
  runtime: runtimeThat(async () => {
    throw BROKEN;
  }),
  output,
  stages: join(output, 'stages'),
  installed: new Map(),
  signal: new AbortController().signal,
  secrets: {},
  hidden: createSecrets(),
  timelines: new Set(),
  onPhase: () => {},
  manifest: { argv: [], harness: { version: '0', commit: null, dirty: null }, versions: {} },
  ...over,
});

const run = async (cells: readonly Cell[], session: Partial<Session> = {}, plan: Partial<Plan> = {}) => {
  const output = mkdtempSync(join(tmpdir(), 'hangup-plan-'));
  onTestFinished(() => rmSync(output, { recursive: true, force: true }));
  const shown: CellResult[] = [];
  const controls: (readonly string[])[] = [];
  const whole = sessionIn(output, session);
  const results = await runPlan({
    cells,
    repeat: 1,
    session: whole,
    schedule: createSchedule({ jobs: 2 }),
    scenarioText: () => 'name: x\n',
    report: reportOf,
    onResult: (result) => shown.push(result),
    onControl: (_, problems) => controls.push(problems.map(({ code }) => code)),
    ...plan,
  });
  return { output, results, shown, controls, session: whole };
};

test('a stage that does not open: an error, told in a sealed bundle that holds no secret; its control too', async () => {
  const { output, results, controls, session } = await run([LEAVING]);
  expect(results).toMatchObject([{ outcome: 'error', verdicts: [], problems: [{ code: 'stage-not-opened' }] }]);
  expect(controls).toEqual([['stage-not-opened']]);
  const bundle = await readBundle(results[0]!.folder);
  expect(bundle).toMatchObject({
    isSealed: true,
    notes: [],
    verdicts: { outcome: 'error', problems: [{ code: 'stage-not-opened', message: 'no network for [redacted]' }] },
  });
  expect(bundle.timeline.phase('seal').endMs).toBeDefined();
  expect(readdirSync(output).sort()).toEqual([expect.stringMatching(/^control-[0-9a-f]{12}$/), 'disconnect-small']);
  expect(session.timelines.size).toBe(0);
});

test('what a report cannot be made of is an error, and the bundle is sealed all the same', async () => {
  const { results } = await run(
    [ALONE],
    {},
    {
      report: async () => {
        throw new Error('no ink');
      },
    },
  );
  expect(results).toMatchObject([
    { outcome: 'error', problems: [{ code: 'stage-not-opened' }, { code: 'unexpected', message: 'no ink' }] },
  ]);
  expect(await readBundle(results[0]!.folder)).toMatchObject({
    isSealed: true,
    verdicts: { outcome: 'error', problems: [{}, { message: 'no ink' }] },
  });
});

test('a scenario that cannot be read any more is an error without a bundle, of its cell alone', async () => {
  const { results } = await run(
    [ALONE, { ...ALONE, id: 'disconnect/other' }],
    {},
    {
      scenarioText: (cell) => {
        if (cell.id === 'disconnect/other') return '';
        throw new Error('ENOENT');
      },
    },
  );
  expect(results).toMatchObject([
    { outcome: 'error', folder: '', problems: [{ message: 'ENOENT' }] },
    { outcome: 'error', problems: [{ code: 'stage-not-opened' }] },
  ]);
  expect(existsSync(results[1]!.folder)).toBe(true);
});

test('a bundle that is there already is not written into', async () => {
  const { results } = await run([ALONE, ALONE]);
  expect(results.map(({ problems }) => problems.map(({ code }) => code)).sort()).toEqual([['bundle-exists'], ['stage-not-opened']]);
});

test('every attempt has a result and a bundle of its own; what does not apply is told once, without one', async () => {
  const { results } = await run([ALONE, NOT_HERE], {}, { repeat: 3 });
  expect(results.map(({ attempt, outcome, folder }) => [attempt, outcome, basename(folder)])).toEqual([
    [1, 'error', 'disconnect-small'],
    [2, 'error', 'disconnect-small-attempt-2'],
    [3, 'error', 'disconnect-small-attempt-3'],
    [1, 'does-not-apply', ''],
  ]);
  expect(results[3]!.verdicts).toMatchObject([{ outcome: 'does-not-apply', reason: NOT_HERE.claims[0]!.notApplicable }]);
});

test('interrupted: what runs is sealed as that without blame, what has not begun leaves nothing', async () => {
  const interrupt = new AbortController();
  const reason = new Error('interrupted');
  const runtime = runtimeThat(async () => {
    interrupt.abort(reason);
    throw reason;
  });
  const { output, results } = await run(
    [ALONE, { ...ALONE, id: 'disconnect/later' }],
    { signal: interrupt.signal, runtime },
    { schedule: createSchedule({ jobs: 1 }) },
  );
  expect(results.map(({ outcome, problems }) => [outcome, problems])).toEqual([
    ['interrupted', []],
    ['interrupted', []],
  ]);
  expect(readdirSync(output)).toEqual(['disconnect-small']);
  expect(await readBundle(results[0]!.folder)).toMatchObject({
    isSealed: true,
    verdicts: { outcome: 'interrupted', verdicts: [], problems: [] },
  });
});

test('many attempts stand in line a few at a time, and an interruption is heard', async () => {
  const interrupt = new AbortController();
  const begun: number[] = [];
  const told: number[] = [];
  const { results } = await run(
    [ALONE],
    { signal: interrupt.signal },
    {
      schedule: createSchedule({ jobs: 1 }),
      repeat: 20_000,
      onResult: ({ attempt }) => {
        begun.push(attempt);
        if (attempt === 3) interrupt.abort(new Error('interrupted'));
      },
      onNotRun: (_, attempt) => void told.push(attempt),
    },
  );
  expect(begun.slice(0, 3)).toEqual([1, 2, 3]);
  expect(results.length, 'those that stood in line').toBeLessThan(1_000);
  expect(told.at(-1)).toBe(20_000);
  expect(results.length + told.length).toBe(20_000);
});

test('who is told and throws is heard of when everything has ended', async () => {
  const told: string[] = [];
  const running = run(
    [ALONE, { ...ALONE, id: 'disconnect/other' }],
    {},
    {
      onResult: ({ cell }) => {
        told.push(cell.id);
        if (cell.id === ALONE.id) throw new Error('deaf');
      },
    },
  );
  await expect(running).rejects.toThrow('deaf');
  expect(told.sort()).toEqual(['disconnect/other', 'disconnect/small']);
});

test('results do not hold what was recorded', async () => {
  const { results } = await run([ALONE]);
  expect(Object.keys(results[0]!)).not.toContain('timeline');
});

test('names of bundles are plain, and tell defects and attempts', () => {
  expect(nameOf({ ...ALONE, id: 'disconnect/endless[how=half-close]', presets: ['seed-main'] }, 2)).toBe(
    'disconnect-endless-how-half-close-with-seed-main-attempt-2',
  );
});

test.each([
  ['x-y/z', 'x/y-z'],
  ['a/b/c', 'a/b-c'],
  ['a/b.c', 'a/b-c'],
  ['a/b[at=-5ms]', 'a/b[at=5ms]'],
])('%s and %s have bundles of different names', (one, other) => {
  const [first, second] = [one, other].map((id) => nameOf({ ...ALONE, id }, 1));
  expect(first).not.toBe(second);
  expect(second).toMatch(/^a-b-(?:at-5ms|c)$|^x-y-z$/);
  expect(first).toMatch(/^(?:x-y_z|a_b_c|a-b-(?:c|at-5ms)-[0-9a-f]{8})$/);
});

test('when nothing more is to begin, what has begun is finished, and each of the others is told and has no result', async () => {
  const told: string[] = [];
  const { results } = await run(
    [ALONE, { ...ALONE, id: 'disconnect/second' }, { ...ALONE, id: 'disconnect/third' }],
    {},
    {
      schedule: createSchedule({ jobs: 1 }),
      repeat: 2,
      onResult: ({ cell, attempt }) => void told.push(`${cell.id} ${attempt} ended`),
      whyNoMore: () => (told.length >= 2 ? 'enough' : null),
      onNotRun: (cell, attempt, why) => void told.push(`${cell.id} ${attempt} ${why}`),
    },
  );
  expect(results.map(({ cell, attempt }) => [cell.id, attempt])).toEqual([['disconnect/small', 1], ['disconnect/small', 2]]);
  expect(told).toEqual([
    'disconnect/small 1 ended', 'disconnect/small 2 ended',
    'disconnect/second 1 enough', 'disconnect/second 2 enough', 'disconnect/third 1 enough', 'disconnect/third 2 enough',
  ]);
});

test('each control begins just before the first that shares it, so that what begins is in the order of the cells', async () => {
  const stages: string[] = [];
  const runtime = runtimeThat(async ({ stageId }) => {
    stages.push(stageId.replace(/-[0-9a-f]{12}$/, ''));
    throw BROKEN;
  });
  const upstreams = 'upstreams: { model: { endless: { every: 50ms } } }';
  const others = [cellWith({ upstreams }), cellWith({ upstreams })].map((cell, index) => ({ ...cell, id: `disconnect/other-${index}` }));
  await run([LEAVING, ...others], { runtime }, { schedule: createSchedule({ jobs: 1 }) });
  expect(stages).toEqual(['control', 'disconnect-small', 'control', 'disconnect-other-0', 'disconnect-other-1']);
});

test('a control that has not begun by then is not begun either, and nobody is told of it', async () => {
  const { output, controls, results } = await run([LEAVING], {}, { whyNoMore: () => 'enough' });
  expect([readdirSync(output), controls, results]).toEqual([[], [], []]);
});

test('in rounds every cell comes once before any comes twice, counted from where an earlier plan ended', async () => {
  const order: string[] = [];
  await run(
    [ALONE, { ...ALONE, id: 'disconnect/second' }],
    {},
    {
      schedule: createSchedule({ jobs: 1 }), repeat: 2, inRounds: true, firstAttempt: 3,
      onResult: ({ cell, attempt }) => void order.push(`${cell.id} ${attempt}`),
    },
  );
  expect(order).toEqual(['disconnect/small 3', 'disconnect/second 3', 'disconnect/small 4', 'disconnect/second 4']);
});

test('a later plan of the session shares the controls of an earlier one', async () => {
  const shared: NonNullable<Plan['controls']> = new Map();
  const first = await run([LEAVING], {}, { controls: shared });
  const second = await run([LEAVING], {}, { controls: shared, firstAttempt: 2 });
  expect([first.controls, second.controls, shared.size]).toEqual([[['stage-not-opened']], [], 1]);
  expect(readdirSync(second.output)).toEqual(['disconnect-small-attempt-2']);
});

test('a control that broke is run again under a name of its own; nobody waits for the control of another plan', async () => {
  const shared: NonNullable<Plan['controls']> = new Map([['of-another-plan', { letIn: Promise.resolve(), timeline: new Promise<null>(() => {}) }]]);
  const first = await run([LEAVING], {}, { controls: shared });
  const key = [...shared.keys()][1]!;
  shared.delete(key);
  const second = await run([LEAVING], { output: first.output }, { controls: shared, firstAttempt: 2, controlAttempt: 2 });
  // Not `bundle-exists`.
  expect(second.controls).toEqual([['stage-not-opened']]);
  expect(readdirSync(first.output).sort()).toEqual([`control-${key}`, `control-${key}-attempt-2`, 'disconnect-small', 'disconnect-small-attempt-2']);
});

test('each attempt has times of its own, in its bundle and its result; the cell of a result is the one that was asked for', async () => {
  const ranged = cellWith({
    clients: 'clients: { alice: { account: { balance: 1 }, script: [ request: chat, { wait: 1ms..9s } ] } }',
    expect: 'expect: [ process-alive ]',
  });
  const { results } = await run([ranged], { manifest: { argv: [], harness: { version: '0', commit: null, dirty: null }, versions: {}, seed: 7 } }, { repeat: 2 });
  for (const { cell, attempt, drawn, folder } of results) {
    expect(cell).toBe(ranged);
    expect(drawn).toEqual(drawCell(ranged, 7, attempt).drawn);
    const { resolved, manifest } = await readBundle(folder);
    expect([resolved.run.drawn, manifest.seed]).toEqual([drawn, 7]);
  }
});
