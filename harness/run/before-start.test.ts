// The order of what is done before the start: down, done, up; and what keeps a system from being down.
import { expect, test } from 'vitest';
import { cellWith } from '../systems/fixture.ts';
import { doBeforeStart, restartForSetup } from './before-start.ts';
import { notesOf, processNamed, testRun } from './fixture.ts';

const CARD = {
  run: 'run: [ { name: store, process: { command: [node] }, stop: { signal: SIGINT, grace: 10s } }, { name: proxy, process: { command: [node] }, stop: { grace: 50ms } } ]',
  listen: 'listen: { port: 8000, on: proxy }',
};
const FAULTS = 'faults: [ { before: start, upstream-stop: { upstream: model }, mark: done }, { after: gone, upstream-finish: { upstream: model } } ]';
const cell = cellWith({ faults: FAULTS, expect: 'expect: [ process-alive ]' }, CARD);

test('who was started last is stopped first, each by its own signal; then what is before the start, then all of it again', async () => {
  const started: string[] = [];
  const processes = [processNamed('store', ['SIGINT']), processNamed('proxy', ['SIGTERM'])];
  const run = testRun({
    cell,
    processes,
    startAgain: async (name) => {
      expect(run.sent, 'the fault was done by then').toHaveLength(1);
      started.push(name);
    },
  });
  await doBeforeStart(run);
  expect(notesOf(run, 'signal-sent')).toMatchObject([
    { process: 'proxy', signal: 'SIGTERM', purpose: 'fault' },
    { process: 'store', signal: 'SIGINT', purpose: 'fault' },
  ]);
  expect(run.sent).toMatchObject([{ to: 'upstreams', command: { do: 'stop', upstream: 'model' } }]);
  expect(started).toEqual(['store', 'proxy']);
  expect(notesOf(run, 'mark')).toMatchObject([{ mark: 'done' }]);
});

test('a system that does not stop is an error, and nothing is done', async () => {
  const run = testRun({ cell, processes: [processNamed('store', ['SIGINT']), processNamed('proxy', [])] });
  await expect(doBeforeStart(run)).rejects.toMatchObject({ problems: [{ code: 'system-not-stopped', hint: expect.stringContaining('grace') }] });
  expect(run.sent).toEqual([]);
});

test('without such a fault nothing is stopped', async () => {
  const run = testRun({ cell: cellWith({ faults: 'faults: [ { after: gone, upstream-stop: { upstream: model } } ]' }, CARD) });
  await doBeforeStart(run);
  expect(notesOf(run, 'signal-sent')).toEqual([]);
});

test('a restart of the set-up: one process, or every instance of the one that serves', async () => {
  const started: string[] = [];
  const processes = [processNamed('store', ['SIGINT']), processNamed('proxy', ['SIGTERM']), processNamed('proxy.2', ['SIGTERM'])];
  const run = testRun({ cell, processes, serving: processes.slice(1), startAgain: async (name) => void started.push(name) });
  await restartForSetup(run, 'proxy');
  expect(started).toEqual(['proxy', 'proxy.2']);
  await restartForSetup(run, 'store');
  expect(started).toEqual(['proxy', 'proxy.2', 'store']);
  expect(processes.map(({ heard }) => heard)).toEqual([['SIGINT'], ['SIGTERM'], ['SIGTERM']]);
});
