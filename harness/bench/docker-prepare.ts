// How long a run takes on docker until its system is ready, beside the same two containers (one that
// holds the network, the system that joins it) by plain calls of the engine, as many at once.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { loadCells } from '../cli/load-cells.ts';
import { provide } from '../cli/provide.ts';
import { createLiveTimeline } from '../model/live.ts';
import { median } from '../model/median.ts';
import { createScope } from '../model/scope.ts';
import { selectCells } from '../plan/select.ts';
import { bringUp } from '../run/prepare.ts';
import { connectEngine } from '../runtimes/docker.ts';
import type { Engine } from '../runtimes/docker.ts';
import { createDockerRuntime } from '../runtimes/docker.ts';
import { RUN_LABEL } from '../runtimes/docker-labels.ts';
import { guardOf } from '../runtimes/guard.ts';
import { resolveImage } from '../runtimes/images.ts';
import type { Runtime } from '../runtimes/runtime.ts';
import { stagesFolder } from '../runtimes/stage-folder.ts';
import type { Cell } from '../systems/cell.ts';
import { interleave, spread, within } from './measure.ts';
import type { Measure } from './measure.ts';

const ROUNDS = 7;
/** As many as the schedule starts at once on two processors. */
const AT_ONCE = 2;
const AIM = 1.5;
const READY_LIMIT_MS = 30_000;
const SCENARIO = 'scenarios/disconnect/endless.yaml';

const runId = `bench-${randomBytes(4).toString('hex')}`;
let count = 0;

/** @returns how long it took; everything is removed before this resolves */
const ourTime = async (runtime: Runtime, cell: Cell): Promise<number> => {
  const scope = createScope();
  const stageId = `bench-${(count += 1)}`;
  try {
    const beganMs = performance.now();
    await bringUp({
      cell, runtime, scope, runId, stageId, timeline: createLiveTimeline(() => {}), signal: new AbortController().signal,
      stageFolder: join(stagesFolder(runId), stageId), installed: null, secrets: {}, onSecret: () => {},
      // What a system prints that does not come up is in the error as well.
      bundle: { log: () => {} } as never,
    });
    return performance.now() - beganMs;
  } finally {
    await scope.close();
  }
};

/** Asks for the card's readiness as the probes do, and says so on standard output. */
const POLL = `
const ask = () => fetch('http://127.0.0.1:8000/v1/models').then((answer) => answer.text()).catch(() => '');
while (!(await ask()).includes('gpt-test')) await new Promise((resolve) => setTimeout(resolve, 25));
console.log('ready');
setInterval(() => {}, 60_000);
`;

const ENVIRONMENT = ['HOST=127.0.0.1', 'PORT=8000', 'UPSTREAM_URL=http://127.0.0.1:9000', 'LEDGER=/stage/ledger.db'];

const plainTime = async (engine: Engine, actorsImage: string, systemImage: string): Promise<number> => {
  const names = ['owner', 'system'].map((part) => `hangup-${runId}-plain-${part}-${(count += 1)}`);
  const Labels = { [RUN_LABEL]: runId };
  try {
    const beganMs = performance.now();
    const owner = await engine.createContainer({
      name: names[0], Image: actorsImage, Labels, Cmd: ['node', '--input-type=module', '-e', POLL], AttachStdout: true,
      HostConfig: { NetworkMode: 'none', Init: true },
    });
    const output = await owner.attach({ stream: true, stdout: true });
    const ready = new Promise<void>((resolve) => output.on('data', () => resolve()));
    await owner.start();
    const system = await engine.createContainer({
      name: names[1], Image: systemImage, Labels, Cmd: ['node', '/app/main.ts'], Env: ENVIRONMENT,
      HostConfig: { NetworkMode: `container:${owner.id}`, Init: true },
    });
    await system.start();
    await within(ready, READY_LIMIT_MS, 'the readiness of a plain container');
    return performance.now() - beganMs;
  } finally {
    await Promise.all(names.map((name) => engine.getContainer(name).remove({ force: true, v: true }).catch(() => {})));
  }
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const measureOn = async (engine: Engine): Promise<{ measured: string; isMet: boolean }> => {
  // What a killed bench leaves is removed by its guard.
  guardOf(runId).useEngine(engine);
  const loaded = await loadCells([SCENARIO], {}, null, process.cwd());
  const [cell] = selectCells(loaded, { runtime: 'docker', isolation: 'namespace', secrets: {}, defects: [], tags: [], where: { how: ['fin'] } });
  const progress = (line: string): void => void process.stderr.write(`\n  ${line}\n`);
  await provide([cell!.card], 'docker', progress);
  const runtime = createDockerRuntime({ progress });
  const actorsImage = Object.keys(await runtime.describe()).find((key) => key.startsWith('image '))!.slice('image '.length);
  const systemImage = resolveImage('hangup/reference-router');
  const atOnce = async (one: () => Promise<number>): Promise<number> => mean(await Promise.all(Array.from({ length: AT_ONCE }, one)));
  const both = (rounds: number) =>
    interleave(rounds, () => atOnce(() => ourTime(runtime, cell!)), () => atOnce(() => plainTime(engine, actorsImage, systemImage)));
  await both(1);
  const pairs = await both(ROUNDS);
  const ratios = pairs.map(({ ours, theirs }) => ours / theirs);
  const times = (side: 'ours' | 'theirs'): string => Math.round(median(pairs.map((pair) => pair[side]))).toString();
  return { measured: `${spread(ratios)}; ${times('ours')} ms beside ${times('theirs')} ms, ${AT_ONCE} at once`, isMet: median(ratios) <= AIM };
};

const run: Measure['run'] = async () => {
  let engine: Engine;
  try {
    engine = await connectEngine();
  } catch (error) {
    return { measured: error instanceof Error ? error.message : String(error), isMet: null };
  }
  return measureOn(engine);
};

export const dockerPrepare: Measure = {
  name: 'docker-prepare',
  work: 'prepare on docker up to ready',
  beside: 'the same containers by plain engine calls',
  aim: `<= ${AIM}x`,
  run,
};
