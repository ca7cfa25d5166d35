// What differs in containers: a restart is another container on the same volume and in the same log, SIGSTOP has
// to reach a process under an init, and a clock's library has to get in.
import { beforeAll, describe, expect, test } from 'vitest';
import { readingsOf } from '../model/readings.ts';
import { createDockerRuntime } from '../runtimes/docker.ts';
import { findFakeTime } from '../runtimes/fake-time.ts';
import { ensureImages } from '../runtimes/images.ts';
import { loadCard } from '../systems/load-card.ts';
import { runLive, smallCell, SMALL } from './fixtures/live-run.ts';
import type { LiveRun } from './fixtures/live-run.ts';

const runtime = createDockerRuntime();
const { available, why } = await runtime.probe();
if (!available && process.env['CI'] === 'true') throw new Error(`these tests need the engine: ${why}`);

const BALANCE = 'account: { balance: 1000 }';
const run = async (parts: Readonly<Record<string, string>>): Promise<LiveRun> =>
  runLive(runtime, await smallCell({ upstreams: 'upstreams: { model: { endless: { every: 50ms } } }', watch: 'watch: 300ms', ...parts }, 'docker'));

describe.skipIf(!available)(`docker (${why})`, () => {
  beforeAll(async () => {
    await ensureImages([await loadCard(SMALL, import.meta.dirname)]);
  });

  test('two instances; one is killed and started again on the same ledger', async () => {
    const { result, timeline, logs, said } = await run({
      system: 'system: { card: small, instances: 2 }',
      faults: 'faults: [ { after: gone, restart: { instance: 2, how: SIGKILL }, mark: back } ]',
      clients: `clients:
  alice: { ${BALANCE}, instance: 2, script: [ request: chat, receive: { events: 12 }, { disconnect: fin, mark: gone } ] }
  bob: { ${BALANCE}, instance: 2, script: [ await: { mark: back, within: 20s }, request: chat, receive: { events: 12 }, { disconnect: fin, mark: left } ] }`,
      expect: `expect:
  - billing-terminal: { client: bob, after: left, within: 2s }
  - process-alive
  - clean-shutdown`,
    });
    expect(result.problems).toEqual([]);
    expect(Object.values(said).filter((words) => !words.startsWith('held'))).toEqual([]);
    expect(logs['small.2']!.match(/^life \d+ of 2 at/gm)).toHaveLength(2);
    expect(logs.small!.match(/^life \d+ of 1 at/gm)).toHaveLength(1);
    const pids = timeline.of('system-started').map(({ process: name, pid }) => `${name} ${pid}`);
    expect(new Set(pids).size).toBe(3);
    const stop = timeline.of('signal-sent').find(({ purpose }) => purpose === 'stop')!;
    const last = readingsOf(timeline, 'process').findLast(({ atMs }) => atMs < stop.atMs)!;
    expect(last.value.alive).toEqual({ small: true, 'small.2': true });
  });

  test('stopped and continued: under an init too, everything of it stands still in between', async () => {
    const { timeline, said } = await run({
      faults: 'faults: [ { after: streaming, pause: {}, mark: still }, { after: rested, resume: {}, mark: on } ]',
      clients: `clients:
  alice: { ${BALANCE}, script: [ request: chat, { receive: { events: 2 }, mark: streaming }, await: { mark: still, within: 5s }, { wait: 1s, mark: rested }, await: { mark: on, within: 5s }, receive: { events: 40 }, { disconnect: fin, mark: gone } ] }`,
      expect: 'expect: [ clean-shutdown, process-alive ]',
    });
    expect(Object.values(said).filter((words) => !words.startsWith('held'))).toEqual([]);
    const [stillMs, restedMs] = [timeline.mark('still')!.atMs, timeline.mark('rested')!.atMs];
    const meanwhile = timeline.of('received').filter(({ atMs }) => atMs > stillMs + 300 && atMs < restedMs);
    expect(new Set(meanwhile.map(({ events }) => events)).size).toBeLessThanOrEqual(1);
    expect(timeline.of('step').filter((step) => step.edge === 'end').map((step) => step.outcome)).not.toContain('not-seen');
  });

  test.skipIf(findFakeTime().library === null)('another clock', async () => {
    const { result, timeline, logs } = await run({
      system: 'system: { card: small, clocks: { 1: { behind: 1h } } }',
      clients: `clients:
  alice: { ${BALANCE}, script: [ request: clock, receive: { until: end } ] }`,
      expect: 'expect: [ process-alive ]',
    });
    expect(result.problems).toEqual([]);
    expect(timeline.of('fault')).toMatchObject([{ fault: 'clock', edge: 'fired', detail: 'the wall clock of small is 60.0 min behind' }]);
    const told = JSON.parse(/^clock (.*)$/m.exec(logs.small!)![1]!) as Record<'wallMs' | 'databaseMs' | 'monotonicMs' | 'sleptMs', number>;
    expect(Math.abs(told.wallMs - Date.now() + 3_600_000)).toBeLessThan(120_000);
    expect(Math.abs(told.databaseMs - told.wallMs)).toBeLessThan(2_000);
    expect(told.sleptMs).toBeGreaterThanOrEqual(99);
    expect(told.sleptMs).toBeLessThan(30_000);
  });
});
