// Who may look into the folders of stages: configurations with keys, ledgers and logs lie there, in a place that all users share.
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createScope } from '../model/scope.ts';
import { PEERS, newRunId, testPlan } from './fixtures/stage-plan.ts';
import type { TestPlan } from './fixtures/stage-plan.ts';
import { complaintOf, findIsolation } from './isolation.ts';
import { createProcessRuntime } from './process.ts';
import type { Stage } from './runtime.ts';
import { makeStageFolder, stagesFolder } from './stage-folder.ts';

const NOBODY = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
/** And whether others may enter the temporary folder itself: where not, no other user ever gets to anything in it. */
const isRoot = process.getuid?.() === 0 && complaintOf('setpriv', [...NOBODY, 'ls', '-d', `${tmpdir()}/.`]) === null;
const namespaces = findIsolation().kind === 'namespace';
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

const scope = { current: createScope() };
const made: string[] = [];
afterEach(async () => {
  await scope.current.close();
  scope.current = createScope();
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A stage where a command's stages lie. */
const planBelow = (...names: readonly string[]): TestPlan => {
  const runId = newRunId();
  made.push(stagesFolder(runId));
  return testPlan({ runId, folder: join(stagesFolder(runId), ...names) });
};

const say = async (stage: Stage, command: readonly string[]): Promise<string> => {
  const system = await stage.startSystem({ name: 'router', process: { command, env: {}, cwd: stage.systemFolder } });
  await system.exited;
  return system.readLog();
};

test('the folder of all stages of a run is closed to others, and that of each is as it was', () => {
  for (const plan of [planBelow('cell'), planBelow('abcde', 'cell')]) {
    makeStageFolder(plan);
    expect(modeOf(stagesFolder(plan.runId))).toBe('700');
    expect(modeOf(plan.folder)).toBe((0o777 & ~process.umask()).toString(8));
  }
  const elsewhere = join(mkdtempSync(join(tmpdir(), 'hangup-test-')), 'stages/cell');
  made.push(dirname(dirname(elsewhere)));
  makeStageFolder({ runId: newRunId(), folder: elsewhere });
  expect(statSync(elsewhere).isDirectory()).toBe(true);
});

describe.skipIf(!isRoot || !namespaces)('a stage of root', () => {
  test.each([[['cell']], [['abcde', 'cell']]])('another user reads nothing of %s from outside, and inside a system that becomes one reads and writes as it may', async (names) => {
    const plan = planBelow(...names);
    const stage = await createProcessRuntime({ entries: PEERS }).openStage(plan, scope.current);
    writeFileSync(join(plan.folder, 'app.yaml'), 'key: sk-1\n');
    mkdirSync(join(plan.folder, 'open'), { mode: 0o700 });
    const file = join(stage.systemFolder, 'app.yaml');
    const write = `cat ${file}; chown 65534 open; exec setpriv ${NOBODY.join(' ')} sh -c 'cat ${file}; echo written > ${stage.systemFolder}/open/own; pwd; ls ..'`;
    expect(await say(stage, ['sh', '-c', write])).toMatch(new RegExp(`^key: sk-1\nkey: sk-1\n${plan.folder}\n`));
    expect(readFileSync(join(plan.folder, 'open/own'), 'utf8'), 'the folder outside and that inside are one').toBe('written\n');
    expect(complaintOf('setpriv', [...NOBODY, 'cat', join(plan.folder, 'app.yaml')])).toMatch(/denied/i);
    expect(complaintOf('setpriv', [...NOBODY, 'cat', join(plan.folder, 'logs/router.log')])).toMatch(/denied/i);
  });

  test('a stage does not see the others of its run', async () => {
    const plan = planBelow('one');
    const stage = await createProcessRuntime({ entries: PEERS }).openStage(plan, scope.current);
    mkdirSync(join(stagesFolder(plan.runId), 'other'));
    expect(await say(stage, ['ls', stagesFolder(plan.runId)])).toBe('one\n');
  });
});

const RAM_DISK = '/dev/shm';
const hasRamDisk = (): boolean => {
  try {
    accessSync(RAM_DISK, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

describe.skipIf(!namespaces || !hasRamDisk())('where temporary folders lie on a RAM disk', () => {
  const given = process.env['TMPDIR'];
  afterEach(() => {
    if (given === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = given;
  });

  test('a system starts, writes its log and reads what lies there, and shared memory is the stage\'s own', async () => {
    const beside = mkdtempSync(join(RAM_DISK, 'hangup test-'));
    made.push(beside);
    writeFileSync(join(beside, 'card.yaml'), 'a card\n');
    process.env['TMPDIR'] = RAM_DISK;
    const plan = planBelow('cell');
    expect(plan.folder.startsWith(`${RAM_DISK}/`)).toBe(true);
    const stage = await createProcessRuntime({ entries: PEERS }).openStage(plan, scope.current);
    const shared = join(RAM_DISK, `hangup-test-${plan.runId}`);
    expect(await say(stage, ['sh', '-c', `cat '${beside}/card.yaml'; echo shared > ${shared}; cat ${shared}; pwd; echo own > own`])).toBe(`a card\nshared\n${plan.folder}\n`);
    expect(readFileSync(join(plan.folder, 'own'), 'utf8')).toBe('own\n');
    expect(existsSync(shared), 'nobody outside meets it').toBe(false);
  });
});

test.skipIf(!isRoot)('on plain loopback, where nothing can be covered, a system that becomes another user still gets at its own', async () => {
  const plan = planBelow('cell');
  const stage = await createProcessRuntime({ entries: PEERS, isolation: 'loopback' }).openStage(plan, scope.current);
  writeFileSync(join(plan.folder, 'app.yaml'), 'key: sk-1\n');
  expect(await say(stage, ['setpriv', ...NOBODY, 'cat', join(plan.folder, 'app.yaml')])).toBe('key: sk-1\n');
  expect(complaintOf('setpriv', [...NOBODY, 'ls', stagesFolder(plan.runId)]), 'nobody can look for names there').toMatch(/denied/i);
});
