// Telling a system to stop: politely, then not; its other processes after it.
import { expect, test } from 'vitest';
import { cellWith } from '../systems/fixture.ts';
import { notesOf, processNamed, testRun } from './fixture.ts';
import { stop } from './stop.ts';

const grace = (main: string, more = '') => ({
  run: `run: [ ${more}{ name: proxy, process: { command: [node] }, stop: { grace: ${main} } } ]`,
  listen: 'listen: { port: 8000, on: proxy }',
});
const EXPECT = 'expect: [ process-alive ]';
const signals = (run: ReturnType<typeof testRun>) =>
  notesOf(run, 'signal-sent').map((seen) => (seen.type === 'signal-sent' ? `${seen.process} ${seen.signal} ${seen.purpose}` : ''));

test('the signal of the card is enough for a system that heeds it', async () => {
  const run = testRun({ cell: cellWith({ expect: EXPECT }, grace('10s')) });
  await stop(run);
  expect(signals(run)).toEqual(['proxy SIGTERM stop']);
  expect(notesOf(run, 'processes-left')).toMatchObject([{ pids: [] }]);
});

test('one that does not is killed when its grace is over', async () => {
  const run = testRun({ cell: cellWith({ expect: EXPECT }, grace('10ms')), processes: [processNamed('proxy', ['SIGKILL'])] });
  await stop(run);
  expect(signals(run)).toEqual(['proxy SIGTERM stop', 'proxy SIGKILL cleanup']);
});

test('one whose end was not heard of, but is seen when it is looked at, is not killed', async () => {
  const proxy = processNamed('proxy', []);
  let isSeen = false;
  const silent = { ...proxy, hasExited: () => isSeen, look: async () => void (isSeen = true) };
  const run = testRun({ cell: cellWith({ expect: EXPECT }, grace('10ms')), processes: [silent] });
  await stop(run);
  expect(signals(run)).toEqual(['proxy SIGTERM stop']);
});

test('an order that reached nobody was not given', async () => {
  const proxy = processNamed('proxy', []);
  let isSeen = false;
  const dead = { ...proxy, hasExited: () => isSeen, signal: async () => !(isSeen = true) };
  const run = testRun({ cell: cellWith({ expect: EXPECT }, grace('10ms')), processes: [dead] });
  await stop(run);
  expect(signals(run)).toEqual([]);
});

test('one that has ended is not signalled', async () => {
  const proxy = processNamed('proxy', ['SIGKILL']);
  await proxy.signal('SIGKILL');
  const run = testRun({ processes: [proxy] });
  await stop(run);
  expect(signals(run)).toEqual([]);
  expect(notesOf(run, 'processes-left')).toHaveLength(1);
});

test('where the scenario stopped it, only what is left of the grace is waited for', async () => {
  const cell = cellWith({ expect: EXPECT, faults: 'faults: [ { after: gone, signal: SIGTERM } ]' }, grace('10ms'));
  const run = testRun({ cell, processes: [processNamed('proxy', ['SIGKILL'])] });
  run.timeline.note({ type: 'mark', mark: 'gone', client: 'alice' });
  await stop(run);
  expect(signals(run)).toEqual(['proxy SIGKILL cleanup']);
});

test('where its mark was never set, the system is stopped as any other', async () => {
  const run = testRun({ cell: cellWith({ expect: EXPECT, faults: 'faults: [ { after: gone, signal: SIGTERM } ]' }, grace('10s')) });
  await stop(run);
  expect(signals(run)).toEqual(['proxy SIGTERM stop']);
});

test('what the main process stood on is stopped after it, and is not left', async () => {
  const more =
    '{ name: store, process: { command: [node] }, stop: { signal: SIGINT, grace: 10s } }, ' +
    '{ name: cache, process: { command: [node] }, stop: { grace: 10ms } }, ';
  const processes = [processNamed('store', ['SIGINT']), processNamed('cache', ['SIGKILL']), processNamed('proxy', ['SIGTERM'])];
  const run = testRun({ cell: cellWith({ expect: EXPECT }, grace('10s', more)), processes });
  await stop(run);
  expect(signals(run)).toEqual(['proxy SIGTERM stop', 'cache SIGTERM cleanup', 'cache SIGKILL cleanup', 'store SIGINT cleanup']);
});

const two = (first: readonly string[], second: readonly string[]) => {
  const processes = [processNamed('proxy', first), processNamed('proxy.2', second)];
  return { processes, serving: processes };
};
const INSTANCES = { system: 'system: { card: small, instances: 2 }', expect: EXPECT };

test('all instances are told at the same time, and each is waited for and killed by itself', async () => {
  const run = testRun({ cell: cellWith(INSTANCES, grace('10ms')), ...two(['SIGTERM'], ['SIGKILL']) });
  await stop(run);
  expect(signals(run)).toEqual(['proxy SIGTERM stop', 'proxy.2 SIGTERM stop', 'proxy.2 SIGKILL cleanup']);
});

test("the scenario's own stop is the first one's: the others are told now", async () => {
  const cell = cellWith({ ...INSTANCES, faults: 'faults: [ { after: gone, signal: SIGTERM } ]' }, grace('10s'));
  const run = testRun({ cell, ...two(['SIGTERM'], ['SIGTERM']) });
  run.timeline.note({ type: 'mark', mark: 'gone', client: 'alice' });
  await run.system.main.signal('SIGTERM');
  await stop(run);
  expect(signals(run)).toEqual(['proxy.2 SIGTERM stop']);
});

test('what a fault has stopped is continued first; what was continued or started again since is not', async () => {
  const run = testRun({ cell: cellWith(INSTANCES, grace('10s')), ...two(['SIGTERM'], ['SIGTERM']) });
  const fault = (process: string, signal: string) => run.timeline.note({ type: 'signal-sent', process, signal, purpose: 'fault' });
  fault('proxy', 'SIGSTOP');
  fault('proxy.2', 'SIGSTOP');
  fault('proxy.2', 'SIGKILL');
  run.timeline.note({ type: 'system-started', process: 'proxy.2', pid: 2 });
  await stop(run);
  expect(signals(run).slice(3)).toEqual(['proxy SIGCONT cleanup', 'proxy SIGTERM stop', 'proxy.2 SIGTERM stop']);
});

test('where the scenario says so some time after its mark, the grace counts from then', async () => {
  const cell = cellWith({ expect: EXPECT, faults: 'faults: [ { after: gone, wait: 60ms, signal: SIGTERM } ]' }, grace('40ms'));
  const run = testRun({ cell, processes: [processNamed('proxy', ['SIGKILL'])] });
  run.timeline.note({ type: 'mark', mark: 'gone', client: 'alice' });
  await run.timeline.waitFor(() => undefined, 60);
  run.timeline.note({ type: 'signal-sent', process: 'proxy', signal: 'SIGTERM', purpose: 'fault' });
  const saidMs = run.timeline.elapsedMs();
  await stop(run);
  expect(signals(run)).toEqual(['proxy SIGTERM fault', 'proxy SIGKILL cleanup']);
  const killed = notesOf(run, 'signal-sent').find((seen) => seen.type === 'signal-sent' && seen.signal === 'SIGKILL')!;
  expect(killed.atMs - saidMs).toBeGreaterThanOrEqual(39);
});
