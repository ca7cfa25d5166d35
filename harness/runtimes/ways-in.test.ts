// How a person gets into a stage: the words that are given lead there.
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createScope } from '../model/scope.ts';
import { PEERS, testPlan } from './fixtures/stage-plan.ts';
import { findIsolation } from './isolation.ts';
import { createProcessRuntime } from './process.ts';
import type { Stage } from './runtime.ts';

const running = async (stage: Stage) =>
  stage.startSystem({
    name: 'router', process: { command: ['node', '-e', 'setInterval(() => {}, 1000)'], env: {}, cwd: stage.systemFolder },
  });

test.skipIf(findIsolation().kind !== 'namespace')('a shell in the network of the stage, and the number that its processes have here', async () => {
  await using scope = createScope();
  const stage = await createProcessRuntime({ entries: PEERS }).openStage(testPlan(), scope);
  const system = await running(stage);
  const ways = new Map((await stage.waysIn!([system])).map(({ what, how }) => [what, how]));
  const [, pid] = /^pid (\d+), which is (\d+) in the stage$/.exec(ways.get('router')!)!;
  expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).toContain('setInterval');
  const [program, ...words] = ways.get('shell in the stage')!.split(' ');
  const inside = execFileSync(program!, [...words, '-c', 'readlink /proc/self/ns/net; ls /proc'], { encoding: 'utf8' }).split('\n');
  expect(inside[0]).toBe(readlinkSync(`/proc/${pid}/ns/net`));
  expect(inside[0]).not.toBe(readlinkSync('/proc/self/ns/net'));
  expect(inside).toContain(String(system.pid));
  await system.signal('SIGKILL');
  await system.exited;
  expect((await stage.waysIn!([system]))[0]).toEqual({ what: 'router', how: 'has ended' });
});

test('without a namespace the number is all that it takes', async () => {
  await using scope = createScope();
  const stage = await createProcessRuntime({ entries: PEERS, isolation: 'loopback' }).openStage(testPlan(), scope);
  const system = await running(stage);
  expect(await stage.waysIn!([system])).toEqual([{ what: 'router', how: `pid ${system.pid}` }]);
  expect(readFileSync(`/proc/${system.pid}/cmdline`, 'latin1')).toContain('setInterval');
});
