// Scripts side by side: steps in order, what ends a script and what does not, logs, interruptions.
import { expect, test } from 'vitest';
import { createLiveTimeline } from '../model/live.ts';
import type { Observation } from '../model/observation.ts';
import type { RunningSystem } from '../runtimes/runtime.ts';
import { cellWith } from '../systems/fixture.ts';
import { drive } from './drive.ts';
import { createExchanges } from './exchanges.ts';
import { notesOf, processNamed, testRun } from './fixture.ts';
import type { TestRunOptions } from './fixture.ts';

const script = (steps: string) => ({ clients: `clients: { alice: { script: [ ${steps} ] } }`, expect: 'expect: [ process-alive ]' });
const stepsOf = (run: ReturnType<typeof testRun>) =>
  notesOf(run, 'step').flatMap((seen) =>
    seen.type === 'step' && seen.edge === 'end'
      ? [`${seen.client} ${seen.step} ${seen.outcome}${seen.reason === null ? '' : `: ${seen.reason}`}`]
      : [],
  );

const driven = async (scenario: Readonly<Record<string, string>>, options: TestRunOptions = {}) => {
  const run = testRun({ cell: cellWith(scenario, {}), ...options });
  await drive(run, createExchanges(run), async () => {});
  return run;
};

test('a wait that is not seen goes on, a step that fails ends the script, and only that one', async () => {
  const answer: TestRunOptions['answer'] = (_, { step, client }) =>
    step === 'receive'
      ? { outcome: 'not-seen', reason: 'nothing came' }
      : step === 'pause' && client === 'alice'
        ? { outcome: 'failed', reason: 'no socket' }
        : { outcome: 'done' };
  const run = await driven(
    {
      clients:
        'clients: { alice: { script: [ request: chat, receive: { events: 1 }, pause, resume ] }, bob: { script: [ pause, resume ] } }',
      expect: 'expect: [ process-alive ]',
    },
    { answer },
  );
  expect(stepsOf(run).filter((line) => line.startsWith('alice'))).toEqual([
    'alice request done',
    'alice receive not-seen: nothing came',
    'alice pause failed: no socket',
  ]);
  expect(stepsOf(run).filter((line) => line.startsWith('bob'))).toEqual(['bob pause done', 'bob resume done']);
});

test('before anybody leaves it is looked at, and by its mark', async () => {
  const run = testRun({ cell: cellWith(script('request: chat, { disconnect: fin, mark: gone }'), {}) });
  const looked: (string | null)[] = [];
  await drive(run, createExchanges(run), async (mark) => {
    looked.push(mark);
    expect(run.sent.map(({ command }) => command.step)).toEqual(['request']);
  });
  expect(looked).toEqual(['gone']);
  expect(run.sent.map(({ command }) => command.step)).toEqual(['request', 'disconnect']);
});

test('a life holds what its last turn was about, the first mark of each name and what was seen at marks; the record has all', async () => {
  const told: Observation[] = [];
  const cell = { ...cellWith(script('request: chat, { disconnect: fin, mark: gone }'), {}), drivenAgain: { forMs: 200, pauseMs: 20, restMs: 0 } };
  const timeline = createLiveTimeline((seen) => void told.push(seen));
  const run = testRun({ cell, timeline, answer: (_, { step }) => {
    if (step === 'disconnect') timeline.note({ type: 'mark', mark: 'gone', client: 'alice' }, 'client.alice');
    timeline.note({ type: 'scheduling-lag', process: 'clients', lagMs: 1 }, 'lag.clients');
    timeline.note({ type: 'sample', probe: 'process', tookMs: 1, error: 'x' }, 'probe.process');
    return { outcome: 'done' };
  } });
  timeline.note({ type: 'sample', probe: 'process', tookMs: 1, mark: 'baseline', error: 'x' }, 'probe.process');
  await drive(run, createExchanges(run), async () => {});
  const count = (all: readonly Observation[], type: Observation['type']): number => all.filter((seen) => seen.type === type).length;
  const turns = count(told, 'exchange-planned');
  expect(turns).toBeGreaterThan(1);
  expect([count(timeline.observations, 'exchange-planned'), count(timeline.observations, 'step'), count(timeline.observations, 'scheduling-lag')]).toEqual([1, 4, 2]);
  expect([count(told, 'step'), count(told, 'scheduling-lag'), count(told, 'mark')]).toEqual([4 * turns, 2 * turns, turns]);
  expect(timeline.observations.filter((seen) => seen.type === 'mark')).toEqual([told.find((seen) => seen.type === 'mark'), told.findLast((seen) => seen.type === 'mark')]);
  // Without the baseline nothing could be said of money, and a dump would not be asked for.
  expect(timeline.observations.filter((seen) => seen.type === 'sample').map((seen) => ('mark' in seen ? seen.mark : null))).toEqual(['baseline', null, null]);
});

test('after the last turn of a life its system has the time to let go', async () => {
  const cell = { ...cellWith(script('request: chat, { disconnect: fin, mark: gone }'), {}), drivenAgain: { forMs: 60, pauseMs: 20, restMs: 150 } };
  const timeline = createLiveTimeline(() => {});
  const run = testRun({ cell, timeline });
  await drive(run, createExchanges(run), async () => {});
  expect(timeline.elapsedMs() - timeline.observations.findLast(({ type }) => type === 'step')!.atMs).toBeGreaterThanOrEqual(149);
});

test('an actor that throws is a step that failed, with its words', async () => {
  const run = await driven(script('pause, resume'), {
    answer: () => {
      throw new Error('clients: ended with code 1');
    },
  });
  expect(stepsOf(run)).toEqual(['alice pause failed: clients: ended with code 1']);
});

test('a client that fails is not waited for at a barrier', async () => {
  const answer: TestRunOptions['answer'] = (_, { step }) =>
    step === 'pause' ? { outcome: 'failed', reason: 'no socket' } : { outcome: 'done' };
  const run = await driven(
    {
      clients: 'clients: { alice: { script: [ { barrier: all }, resume ] }, bob: { script: [ pause, { barrier: all } ] } }',
      expect: 'expect: [ process-alive ]',
    },
    { answer },
  );
  expect(stepsOf(run)).toContain('alice barrier not-seen: not every client came to the barrier all');
  expect(stepsOf(run)).toContain('alice resume done');
});

test('an interruption does not wait for an actor that is busy', async () => {
  const interrupt = new AbortController();
  const run = testRun({ cell: cellWith(script('pause, resume'), {}), signal: interrupt.signal, answer: () => new Promise(() => {}) });
  const driving = drive(run, createExchanges(run), async () => {});
  interrupt.abort();
  await driving;
  expect(stepsOf(run)).toEqual(['alice pause failed: the run was interrupted']);
});

const printing = (lines: string[]): RunningSystem => ({
  ...processNamed('proxy', []),
  readLog: async () => lines.map((line) => `${line}\n`).join(''),
});

test('only lines that the system prints from the first step on are awaited', async () => {
  const lines = ['request served'];
  const run = testRun({
    cell: cellWith(script('{ await: { log: "^request served$", within: 20s }, mark: seen }'), {}),
    processes: [printing(lines)],
  });
  const driving = drive(run, createExchanges(run), async () => {});
  await run.timeline.waitFor((all) => all.find((seen) => seen.type === 'step'), 5_000);
  lines.push('another request served', 'request served');
  await driving;
  expect(stepsOf(run)).toEqual(['alice await done']);
});

test('a line that was there before is not seen', async () => {
  const run = await driven(script('await: { log: served, within: 120ms }'), { processes: [printing(['request served'])] });
  expect(stepsOf(run)).toEqual(['alice await not-seen: a log line like served was not seen within 120 ms: no line of the system matched']);
});
