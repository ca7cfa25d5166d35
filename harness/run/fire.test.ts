// Faults at their marks: fired once, failed aloud, or never come to.
import { expect, test } from 'vitest';
import { cellWith } from '../systems/fixture.ts';
import { fireFaults } from './fire.ts';
import { sendSignal } from './send-signal.ts';
import { notesOf, processNamed, testRun } from './fixture.ts';

const withFaults = (faults: string, card?: Readonly<Record<string, string>>) => cellWith({ faults: `faults: [ ${faults} ]` }, card);
const faultsOf = (run: ReturnType<typeof testRun>) =>
  notesOf(run, 'fault').map((seen) => (seen.type === 'fault' ? [seen.fault, seen.edge, seen.detail] : []));

test('fires when its mark is set, and not before', async () => {
  const run = testRun({ cell: withFaults('{ after: gone, upstream-stop: { upstream: model } }') });
  const scripts = new AbortController();
  const fired = fireFaults(run, scripts.signal);
  run.timeline.note({ type: 'mark', mark: 'other', client: null });
  expect(run.sent).toEqual([]);
  run.timeline.note({ type: 'mark', mark: 'gone', client: 'alice' });
  await fired;
  expect(run.sent).toEqual([{ to: 'upstreams', command: { do: 'stop', upstream: 'model' } }]);
  expect(faultsOf(run)).toEqual([['upstream-stop', 'fired', expect.any(String)]]);
});

test('a mark that was set before is enough, and several faults at one mark all fire', async () => {
  const run = testRun({ cell: withFaults('{ after: gone, upstream-stop: { upstream: model } }, { after: gone, signal: SIGUSR1 }') });
  run.timeline.note({ type: 'mark', mark: 'gone', client: 'alice' });
  await fireFaults(run, new AbortController().signal);
  expect(faultsOf(run).map(([, edge]) => edge)).toEqual(['fired', 'fired']);
  expect((run.system.main as ReturnType<typeof processNamed>).heard).toEqual(['SIGUSR1']);
  expect(notesOf(run, 'signal-sent')).toMatchObject([{ process: 'proxy', signal: 'SIGUSR1', purpose: 'fault' }]);
});

test('a mark that never comes is a fault that failed, soon after the last script has ended', async () => {
  const run = testRun({ cell: withFaults('{ after: gone, upstream-stop: { upstream: model } }') });
  const scripts = new AbortController();
  const fired = fireFaults(run, scripts.signal);
  scripts.abort();
  await fired;
  expect(faultsOf(run)).toEqual([['upstream-stop', 'failed', 'its mark "gone" was never set']]);
  expect(run.sent).toEqual([]);
});

test('a mark that is on its way when the last script ends still counts', async () => {
  const run = testRun({ cell: withFaults('{ after: gone, upstream-stop: { upstream: model } }') });
  const scripts = new AbortController();
  const fired = fireFaults(run, scripts.signal);
  scripts.abort();
  setImmediate(() => run.timeline.note({ type: 'mark', mark: 'gone', client: 'alice' }));
  await fired;
  expect(faultsOf(run).map(([, edge]) => edge)).toEqual(['fired']);
});

test('an interruption ends the wait at once', async () => {
  const interrupt = new AbortController();
  const run = testRun({ cell: withFaults('{ after: gone, upstream-stop: { upstream: model } }'), signal: interrupt.signal });
  const fired = fireFaults(run, new AbortController().signal);
  interrupt.abort();
  await fired;
  expect(faultsOf(run).map(([, edge]) => edge)).toEqual(['failed']);
});

test('what could not be done is told with its reason, and does not keep the others from theirs', async () => {
  const dead = processNamed('proxy', ['SIGKILL']);
  await dead.signal('SIGKILL');
  const run = testRun({
    cell: withFaults('{ after: gone, signal: SIGUSR1 }, { after: gone, upstream-stop: { upstream: model } }'),
    processes: [dead],
  });
  run.timeline.note({ type: 'mark', mark: 'gone', client: 'alice' });
  await fireFaults(run, new AbortController().signal);
  expect(faultsOf(run)).toContainEqual(['signal', 'failed', 'proxy had already ended']);
  expect(
    faultsOf(run)
      .map(([, edge]) => edge)
      .sort(),
  ).toEqual(['failed', 'fired']);
});

test('a signal that reached nobody is none: the fault failed, and nothing in the record could have ended the system', async () => {
  const proxy = processNamed('proxy', []);
  let isSeen = false;
  const dead = { ...proxy, hasExited: () => isSeen, signal: async () => !(isSeen = true) };
  const run = testRun({ cell: withFaults('{ after: gone, kill: 1 }, { after: gone, restart: {} }, { after: gone, signal: SIGTERM }'), processes: [dead] });
  run.timeline.note({ type: 'mark', mark: 'gone', client: 'alice' });
  await fireFaults(run, new AbortController().signal);
  expect(faultsOf(run).map(([fault, edge, detail]) => `${fault} ${edge}: ${detail}`).sort()).toEqual(
    ['kill', 'restart', 'signal'].map((fault) => `${fault} failed: proxy had already ended`),
  );
  expect(notesOf(run, 'signal-sent')).toEqual([]);
});

test('a signal that was heard is stamped when it was sent, before what came of it', async () => {
  const proxy = processNamed('proxy', ['SIGKILL']);
  const run = testRun({ cell: withFaults('{ after: gone, kill: 1 }'), processes: [proxy] });
  const signal = proxy.signal;
  const process = { ...proxy, signal: async (name: string) => {
    run.timeline.note({ type: 'process-exited', process: 'proxy', code: 137, signal: 'SIGKILL' }, 'system.proxy');
    return signal(name);
  } };
  await sendSignal(run, process, 'SIGKILL', 'fault');
  expect(run.timeline.seal().all.map(({ type }) => type)).toEqual(['signal-sent', 'process-exited']);
});

test('one of which it cannot be said whether it was heard may have been', async () => {
  const deaf = { ...processNamed('proxy', []), signal: () => Promise.reject(new Error('the engine is gone')) };
  const run = testRun({ cell: withFaults('{ after: gone, kill: 1 }'), processes: [deaf] });
  run.timeline.note({ type: 'mark', mark: 'gone', client: 'alice' });
  await fireFaults(run, new AbortController().signal);
  expect(faultsOf(run)).toEqual([['kill', 'failed', 'the engine is gone']]);
  expect(notesOf(run, 'signal-sent')).toHaveLength(1);
});

test('a process that the card does not run is named', async () => {
  const run = testRun({ cell: withFaults('{ after: gone, signal: { signal: SIGUSR1, process: store } }') });
  run.timeline.note({ type: 'mark', mark: 'gone', client: 'alice' });
  await fireFaults(run, new AbortController().signal);
  expect(faultsOf(run)).toEqual([['signal', 'failed', 'the card runs no "store"']]);
});

test('a fault that waits is done so long after its mark, though the scripts have ended, and not before', async () => {
  const run = testRun({ cell: withFaults('{ after: gone, wait: 60ms, upstream-stop: { upstream: model } }') });
  const scripts = new AbortController();
  const fired = fireFaults(run, scripts.signal);
  run.timeline.note({ type: 'mark', mark: 'gone', client: 'alice' });
  const markedMs = run.timeline.elapsedMs();
  scripts.abort();
  await Promise.resolve();
  expect(run.sent).toEqual([]);
  await fired;
  expect(run.timeline.elapsedMs() - markedMs).toBeGreaterThanOrEqual(59);
  expect(faultsOf(run).map(([, edge]) => edge)).toEqual(['fired']);
});

test('an interruption while a fault waits: it is not done, and that is said', async () => {
  const interrupt = new AbortController();
  const run = testRun({ cell: withFaults('{ after: gone, wait: 60s, upstream-stop: { upstream: model } }'), signal: interrupt.signal });
  run.timeline.note({ type: 'mark', mark: 'gone', client: 'alice' });
  const fired = fireFaults(run, new AbortController().signal);
  setImmediate(() => interrupt.abort());
  await fired;
  expect(run.sent).toEqual([]);
  expect(faultsOf(run)).toEqual([['upstream-stop', 'failed', 'the run was ended before 60.0 s had passed since its mark']]);
});
