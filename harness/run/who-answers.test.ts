// Which instance answers for a client when its own cannot.
import { expect, test } from 'vitest';
import { cellWith, METERED } from '../systems/fixture.ts';
import { createExchanges } from './exchanges.ts';
import { processNamed, testRun } from './fixture.ts';
import { answeringFor, hasEnded, instanceOf } from './instances.ts';

const SCENARIO = {
  system: 'system: { card: small, instances: 2 }',
  clients: 'clients: { alice: { account: { balance: 10 }, instance: 2, script: [ request: chat, { disconnect: fin, mark: gone } ] } }',
};
const cell = cellWith(SCENARIO);
const setUp = () => {
  const serving = [processNamed('proxy', ['SIGKILL']), processNamed('proxy.2', ['SIGKILL'])];
  return testRun({ cell, processes: serving, serving });
};

test('its own, while it is there', () => {
  const run = setUp();
  expect(instanceOf(run, 'alice').process.name).toBe('proxy.2');
  expect(answeringFor(run, 'alice').process.name).toBe('proxy.2');
});

test('its requests are filled in for its own', async () => {
  const card = { ...METERED, requests: 'requests: { chat: { method: POST, path: "/${system.address}", body: {}, marker: body.user } }' };
  const serving = [processNamed('proxy', []), processNamed('proxy.2', [])];
  const run = testRun({ cell: cellWith(SCENARIO, card), processes: serving, serving });
  expect((await createExchanges(run).plan('alice', 'chat', 'drive')).path).toBe('/proxy.2');
});

test('another one where its own has ended; its own again where none is left', async () => {
  const run = setUp();
  await run.system.processes[1]!.signal('SIGKILL');
  expect(answeringFor(run, 'alice').process.name).toBe('proxy');
  expect(hasEnded(run)).toBe(false);
  await run.system.processes[0]!.signal('SIGKILL');
  expect(answeringFor(run, 'alice').process.name).toBe('proxy.2');
  expect(hasEnded(run)).toBe(true);
});

test('another one while its own is stopped', () => {
  const run = setUp();
  run.timeline.note({ type: 'signal-sent', process: 'proxy.2', signal: 'SIGSTOP', purpose: 'fault' });
  expect(answeringFor(run, 'alice').process.name).toBe('proxy');
  run.timeline.note({ type: 'signal-sent', process: 'proxy.2', signal: 'SIGCONT', purpose: 'fault' });
  expect(answeringFor(run, 'alice').process.name).toBe('proxy.2');
});
