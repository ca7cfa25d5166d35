// Several instances of a real system on one ledger, and what faults do to one of them: killed, started again,
// stopped where it stands, started late, with another clock.
import { describe, expect, test } from 'vitest';
import { readingsOf } from '../model/readings.ts';
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
/** Order among several that end at the same time is nobody's. */
const sorted = (words: readonly string[]): readonly string[] => [...words].sort();

describe.skipIf(findIsolation().kind !== 'namespace')('instances', () => {
  test('two on one ledger: each has its clients, its address, its path, its log, and its stop', async () => {
    const { result, timeline, logs, said } = await run({
      system: TWO,
      clients: `clients:
  alice: { ${BALANCE}, script: [ request: chat, receive: { events: 2 }, { disconnect: fin, mark: gone } ] }
  bob: { ${BALANCE}, instance: 2, script: [ request: chat, receive: { events: 2 }, { disconnect: fin, mark: left } ] }`,
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
    expect(lives(timeline).slice(0, 6)).toEqual(['small started', 'small ready', 'small.2 started', 'small.2 ready', 'small SIGTERM stop', 'small.2 SIGTERM stop']);
    expect(sorted(lives(timeline).slice(6))).toEqual(['small ended 0', 'small.2 ended 0']);
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
});
