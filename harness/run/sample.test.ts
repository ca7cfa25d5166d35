// Which looks a run asks its probes for: snapshots by name, the end once, none of a probe that died, none after the halt.
import { expect, test } from 'vitest';
import { cellWith } from '../systems/fixture.ts';
import { testRun } from './fixture.ts';
import type { TestRun } from './fixture.ts';
import { startSampling } from './sample.ts';

const CLIENTS = 'clients: { alice: { script: [ request: chat, { disconnect: fin, mark: gone } ] } }';
const runOf = (): TestRun => testRun({ cell: cellWith({ clients: CLIENTS, expect: 'expect: [ process-alive ]' }, {}) });

const looksOf = (run: TestRun): readonly string[] =>
  run.sent.flatMap(({ command }) => (command.do === 'sample' ? [`${String(command.probe)} ${String(command.mark ?? '-')}`] : []));

test('the end is looked at once, also where it has been looked at by then', async () => {
  const run = runOf();
  const sampling = await startSampling(run);
  await sampling.snapshot('baseline');
  await sampling.end();
  await sampling.end();
  expect(looksOf(run).filter((look) => look.startsWith('sockets'))).toEqual(['sockets baseline', 'sockets end']);
  const asked = runOf();
  const other = await startSampling(asked);
  await other.snapshot('end');
  await other.end();
  expect(looksOf(asked).filter((look) => look.startsWith('sockets'))).toEqual(['sockets end']);
});

test('a leave is looked at by its mark; a probe that died is not asked for the end', async () => {
  const run = runOf();
  const sampling = await startSampling(run);
  await sampling.beforeLeave('gone');
  expect(looksOf(run)).toContain('sockets gone');
  run.timeline.note({ type: 'actor-failed', process: 'probes', error: 'ended with code 1' });
  await sampling.end();
  expect(looksOf(run).filter((look) => look.endsWith(' end'))).toEqual([]);
});

test('every probe that looks by the clock also looks for a snapshot', async () => {
  const run = runOf();
  const sampling = await startSampling(run);
  const started = run.sent.flatMap(({ command }) => (command.do === 'start' ? [String(command.probe)] : []));
  await sampling.snapshot('settled');
  expect(started.length).toBeGreaterThan(0);
  expect(looksOf(run).map((look) => look.split(' ')[0]).sort()).toEqual([...started].sort());
  await sampling.halt();
  expect(run.sent.filter(({ command }) => command.do === 'halt')).toHaveLength(started.length);
});
