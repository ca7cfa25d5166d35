// Several instances of a real system on one ledger, and what faults do to one of them: killed, started again,
// stopped where it stands, started late, with another clock.
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readingsOf, worstStarvation } from '../model/readings.ts';
import { findFakeTime } from '../runtimes/fake-time.ts';
import { findIsolation } from '../runtimes/isolation.ts';
import { createProcessRuntime } from '../runtimes/process.ts';
import { runLive, smallCell } from './fixtures/live-run.ts';
import type { LiveRun } from './fixtures/live-run.ts';

const runtime = createProcessRuntime();
const TWO = 'system: { card: small, instances: 2 }';
const UPSTREAM = 'upstreams: { model: { endless: { every: 50ms } } }';
const BALANCE = 'account: { balance: 1000 }';
const run = async (parts: Readonly<Record<string, string>>): Promise<LiveRun> =>
  runLive(runtime, await smallCell({ upstreams: UPSTREAM, watch: 'watch: 300ms', ...parts }));
const lives = (timeline: LiveRun['timeline']): readonly string[] =>
  timeline.all.flatMap((seen) => {
    if (seen.type === 'signal-sent') return [`${seen.process} ${seen.signal} ${seen.purpose}`];
    if (seen.type === 'process-exited') return [`${seen.process} ended ${seen.signal ?? seen.code}`];
    if (seen.type === 'system-started') return [`${seen.process} started`];
    return seen.type === 'system-ready' ? [`${seen.process} ready`] : [];
  });
type Clock = { readonly wallMs: number; readonly databaseMs: number; readonly monotonicMs: number; readonly sleptMs: number };
/** Order among several that end at the same time is nobody's. */
const sorted = (words: readonly string[]): readonly string[] => [...words].sort();

describe.skipIf(findIsolation().kind !== 'namespace')('instances', () => {
  test('two on one ledger: each has its clients, its address, its path, its log, and its stop', async () => {
    const { result, timeline, logs, said } = await run({
      system: TWO,
      clients: `clients:
  alice: { ${BALANCE}, script: [ request: chat, receive: { events: 12 }, { disconnect: fin, mark: gone } ] }
  bob: { ${BALANCE}, instance: 2, script: [ request: chat, receive: { events: 12 }, { disconnect: fin, mark: left } ] }`,
      expect: `expect:
  - billing-terminal: { client: bob, after: left, within: 2s }
  - process-alive
  - clean-shutdown`,
    });
    expect(result.problems).toEqual([]);
    expect(said).toEqual({
      'billing-terminal': expect.stringMatching(/^held/),
      'process-alive': expect.stringMatching(/^held/),
      'clean-shutdown': expect.stringMatching(/^held/),
    });
    expect(lives(timeline).slice(0, 5)).toEqual(['small started', 'small ready', 'small.2 started', 'small.2 ready', 'small SIGTERM stop']);
    // Both are told at once; a quick one has ended before the other was told.
    const stops = lives(timeline).slice(4);
    expect(sorted(stops)).toEqual(['small SIGTERM stop', 'small ended 0', 'small.2 SIGTERM stop', 'small.2 ended 0']);
    expect(stops.indexOf('small.2 SIGTERM stop')).toBeLessThan(stops.indexOf('small.2 ended 0'));
    const { addresses } = timeline.of('stage-opened')[0]!;
    const peers = timeline.of('connected').map(({ actor, peer }) => `${actor} ${peer}`);
    expect(new Set(peers)).toEqual(new Set([`client.alice ${addresses.system}:8000`, `client.bob ${addresses['system.2']}:8000`]));
    expect(timeline.of('path-control').filter(({ leg, seen }) => leg === 'client' && seen)).toHaveLength(4);
    expect(logs.small).toMatch(new RegExp(`^life \\d+ of 1 at ${addresses.system}\n$`));
    expect(logs['small.2']).toMatch(new RegExp(`^life \\d+ of 2 at ${addresses['system.2']}\n$`));
    const alive = readingsOf(timeline, 'process').map(({ value }) => Object.keys(value.alive).sort().join());
    expect(new Set(alive)).toEqual(new Set(['small,small.2']));
    const spent = readingsOf(timeline, 'ledger').at(-1)!.value.accounts.map((account) => account.spent);
    expect(spent, 'both wrote into one ledger').toEqual([2, 2]);
    expect(timeline.of('sample').some((sample) => sample.probe === 'sockets' && sample.value?.rows.some(({ local }) => local.startsWith(addresses['system.2']!)))).toBe(true);
  });

  test('killed and started again: what holds the process follows, both lives are in one log, the end is the new one\'s', async () => {
    const { result, timeline, logs, said } = await run({
      faults: 'faults: [ { after: gone, restart: { how: SIGKILL, down-for: 300ms }, mark: back } ]',
      clients: `clients:
  alice: { ${BALANCE}, script: [ request: chat, receive: { events: 12 }, { disconnect: fin, mark: gone } ] }
  bob: { ${BALANCE}, script: [ await: { mark: back, within: 10s }, request: chat, receive: { events: 12 }, { disconnect: fin, mark: left } ] }`,
      expect: `expect:
  - billing-terminal: { client: bob, after: left, within: 2s }
  - process-alive
  - clean-shutdown`,
    });
    expect(result.problems).toEqual([]);
    expect(Object.values(said).filter((words) => !words.startsWith('held'))).toEqual([]);
    expect(lives(timeline)).toEqual([
      'small started', 'small ready', 'small SIGKILL fault', 'small ended SIGKILL', 'small started', 'small ready', 'small SIGTERM stop', 'small ended 0',
    ]);
    const [first, second] = timeline.of('system-started');
    const exit = timeline.of('process-exited')[0]!;
    expect(second!.atMs - exit.atMs).toBeGreaterThanOrEqual(300);
    expect(timeline.mark('back')!.atMs).toBeGreaterThan(second!.atMs);
    expect(timeline.of('fault')).toMatchObject([{ fault: 'restart', edge: 'fired', detail: 'small was killed, stayed away for 300 ms and was started again' }]);
    expect(logs.small!.match(/^life \d+ of 1/gm)).toHaveLength(2);
    const seen = readingsOf(timeline, 'process');
    const stop = timeline.of('signal-sent').find(({ purpose }) => purpose === 'stop')!;
    expect(seen.filter(({ beganMs, atMs }) => beganMs > second!.atMs && atMs < stop.atMs).every(({ value }) => value.alive.small && value.pids.includes(second!.pid!))).toBe(true);
    expect(seen.filter(({ beganMs, atMs }) => beganMs > exit.atMs && atMs < second!.atMs - 100).map(({ value }) => value.alive.small)).not.toContain(true);
    expect(first!.pid).not.toBe(second!.pid);
  });

  test('one of two is killed for good: the other goes on, and answers for the stop', async () => {
    const { timeline, said } = await run({
      system: TWO,
      faults: 'faults: [ { after: gone, kill: { instance: 2 }, mark: dead } ]',
      clients: `clients:
  alice: { ${BALANCE}, instance: 2, script: [ request: chat, receive: { events: 12 }, { disconnect: fin, mark: gone } ] }
  bob: { ${BALANCE}, script: [ await: { mark: dead, within: 10s }, request: chat, receive: { events: 12 }, { disconnect: fin, mark: left } ] }`,
      expect: `expect:
  - billing-terminal: { client: bob, after: left, within: 2s }
  - process-alive
  - clean-shutdown`,
    });
    expect(Object.values(said).filter((words) => !words.startsWith('held'))).toEqual([]);
    expect(lives(timeline).slice(4)).toEqual(['small.2 SIGKILL fault', 'small.2 ended SIGKILL', 'small SIGTERM stop', 'small ended 0']);
  });

  test('a restart by the card\'s own signal', async () => {
    const { timeline, said } = await run({
      faults: 'faults: [ { after: gone, restart: {} } ]',
      clients: `clients: { alice: { ${BALANCE}, script: [ request: chat, receive: { events: 12 }, { disconnect: fin, mark: gone } ] } }`,
      expect: 'expect: [ process-alive, clean-shutdown ]',
    });
    expect(Object.values(said).filter((words) => !words.startsWith('held'))).toEqual([]);
    expect(lives(timeline).slice(2, 6)).toEqual(['small SIGTERM fault', 'small ended 0', 'small started', 'small ready']);
  });

  test('stopped where it stands: nothing moves, nobody calls it starved, and it is continued before it is told to stop', async () => {
    const { timeline, said } = await run({
      faults: 'faults: [ { after: streaming, pause: {}, mark: still } ]',
      clients: `clients:
  alice: { ${BALANCE}, script: [ request: chat, { receive: { events: 2 }, mark: streaming }, await: { mark: still, within: 5s }, wait: 1500ms, { disconnect: fin, mark: gone } ] }`,
      expect: `expect:
  - upstream-closed: { upstream: model, client: alice, after: gone, within: 100ms }
  - process-alive
  - clean-shutdown`,
    });
    expect(said).toEqual({
      'upstream-closed': expect.stringMatching(/^inconclusive: .*kept from the processor/),
      'process-alive': expect.stringMatching(/^held/),
      'clean-shutdown': expect.stringMatching(/^held/),
    });
    expect(lives(timeline).slice(2)).toEqual(['small SIGSTOP fault', 'small SIGCONT cleanup', 'small SIGTERM stop', 'small ended 0']);
    const stillMs = timeline.mark('still')!.atMs;
    const window = { fromMs: stillMs, toMs: timeline.phase('watch').endMs! };
    expect(worstStarvation(readingsOf(timeline, 'process'), window, Infinity).waitedMs).toBeLessThan((window.toMs - window.fromMs) / 2);
    const got = timeline.of('received').filter(({ atMs }) => atMs > stillMs + 500);
    expect(new Set(got.map(({ events }) => events)).size, 'events that a stopped system handed on').toBeLessThanOrEqual(1);
  });

  test('stopped and continued: it goes on as if no time had passed', async () => {
    const { timeline, said } = await run({
      faults: 'faults: [ { after: streaming, pause: {}, mark: still }, { after: rested, resume: {}, mark: on } ]',
      clients: `clients:
  alice: { ${BALANCE}, script: [ request: chat, { receive: { events: 2 }, mark: streaming }, await: { mark: still, within: 5s }, { wait: 500ms, mark: rested }, await: { mark: on, within: 5s }, receive: { events: 20 }, { disconnect: fin, mark: gone } ] }`,
      expect: `expect:
  - billing-terminal: { client: alice, after: gone, within: 2s }
  - clean-shutdown`,
    });
    expect(Object.values(said).filter((words) => !words.startsWith('held'))).toEqual([]);
    expect(lives(timeline).slice(2)).toEqual(['small SIGSTOP fault', 'small SIGCONT fault', 'small SIGTERM stop', 'small ended 0']);
    expect(timeline.of('step').filter((step) => step.edge === 'end').map((step) => step.outcome)).not.toContain('not-seen');
  });

  test('before the start: the system was set up, is down when it is done, and finds it when it starts', async () => {
    const { result, timeline, said } = await run({
      faults: 'faults: [ { before: start, ledger-rows: { account: alice, amount: 70, count: 2 } }, { before: start, kill: {} } ]',
      clients: `clients: { alice: { ${BALANCE}, script: [ request: chat, receive: { events: 12 }, { disconnect: fin, mark: gone } ] } }`,
      expect: 'expect: [ clean-shutdown, process-alive ]',
    });
    expect(result.problems).toEqual([]);
    expect(lives(timeline)).toEqual([
      'small started', 'small ready', 'small SIGTERM fault', 'small ended 0', 'small started', 'small ready', 'small SIGTERM stop', 'small ended 0',
    ]);
    const written = timeline.of('ledger-rows')[0]!;
    const [down, up] = [timeline.of('process-exited')[0]!, timeline.of('system-started')[1]!];
    expect(written.atMs).toBeGreaterThan(down.atMs);
    expect(written.atMs).toBeLessThan(up.atMs);
    const first = readingsOf(timeline, 'ledger')[0]!;
    expect(first.value.accounts).toMatchObject([{ balance: 1000 - 140, reserved: 140 }]);
    expect(first.value.reservations.map(({ id }) => id)).toEqual(written.reservations);
    expect(timeline.of('fault').map(({ fault, edge, detail }) => `${fault} ${edge}: ${detail}`)).toEqual([
      expect.stringContaining('ledger-rows fired'),
      'kill failed: small had already ended',
    ]);
    expect(said['clean-shutdown']).toMatch(/^inconclusive: fault kill did not fire/);
  });

  test("a restart that the card's set-up asks for is over before the accounts are made", async () => {
    const parts = { upstreams: UPSTREAM, clients: `clients: { alice: { ${BALANCE}, script: [ request: chat, receive: { events: 2 } ] } }`, expect: 'expect: [ process-alive ]' };
    const { result, timeline, said } = await runLive(runtime, await smallCell(parts, 'process', { setup: [{ restart: 'small' }] }));
    expect(result.problems).toEqual([]);
    expect(said['process-alive']).toMatch(/^held/);
    expect(lives(timeline).slice(0, 6)).toEqual(['small started', 'small ready', 'small SIGTERM fault', 'small ended 0', 'small started', 'small ready']);
  });

  test.skipIf(findFakeTime().library === null)('another clock for one of them: wall clock and database are ahead, timers and the monotonic clock are not', async () => {
    const { result, timeline, logs } = await run({
      system: 'system: { card: small, instances: 2, clocks: { 2: { ahead: 1h } } }',
      faults: 'faults: [ { after: gone, kill: { instance: 2 } } ]',
      clients: `clients:
  alice: { ${BALANCE}, script: [ request: clock, receive: { until: end } ] }
  bob: { ${BALANCE}, instance: 2, script: [ request: clock, receive: { until: end }, request: chat, receive: { events: 12 }, { disconnect: fin, mark: gone } ] }`,
      expect: 'expect: [ process-alive ]',
    });
    expect(result.problems).toEqual([]);
    expect(timeline.of('fault')).toMatchObject([
      { fault: 'clock', edge: 'fired', detail: 'the wall clock of small.2 is 60.0 min ahead' },
      { fault: 'kill', edge: 'fired' },
    ]);
    const clocks = (name: string): Clock => JSON.parse(/^clock (.*)$/m.exec(logs[name]!)![1]!) as Clock;
    const [right, wrong] = [clocks('small'), clocks('small.2')];
    const apartMs = wrong.monotonicMs - right.monotonicMs;
    expect(Math.abs(apartMs), 'both were asked at about the same time by the true clock').toBeLessThan(30_000);
    expect(Math.abs(wrong.wallMs - right.wallMs - apartMs - 3_600_000)).toBeLessThan(1_000);
    expect(Math.abs(wrong.databaseMs - wrong.wallMs)).toBeLessThan(2_000);
    for (const { sleptMs } of [right, wrong]) {
      expect(sleptMs).toBeGreaterThanOrEqual(99);
      expect(sleptMs).toBeLessThan(30_000);
    }
    const { wallMs, reservations } = readingsOf(timeline, 'ledger').findLast(({ value }) => value.reservations.length > 0)!.value;
    const ahead = reservations.filter(({ account }) => account.includes('bob')).map(({ leaseAtMs }) => leaseAtMs! - wallMs);
    expect(ahead.every((ms) => ms > 3_500_000), `leases ahead by ${ahead.join()}`).toBe(true);
    // Of a killed process too. Whoever tries the library out is there for a moment.
    await expect.poll(() => readdirSync('/dev/shm').filter((name) => name.includes('faketime')), { timeout: 5_000 }).toEqual([]);
  });
});
