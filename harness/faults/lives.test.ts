// Faults that end, stop and start an instance, on real processes.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { Facts } from '../model/facts.ts';
import type { FaultContext } from './fault.ts';
import { createContext, fire } from './fixture.ts';
import { faults } from './registry.ts';

type Kit = { readonly context: FaultContext; readonly did: string[]; readonly child: (name: string) => ChildProcess };

/** A process that says that it is there; what SIGTERM does to it is its own affair. */
const begin = async (onSigterm: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ['-e', `${onSigterm}; setInterval(() => {}, 1000); console.log(1)`], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout!, 'data');
  return child;
};

/** Two instances, `router` and `router.2`. */
const kit = async (onSigterm = ''): Promise<Kit> => {
  const children = new Map([['router', await begin(onSigterm)], ['router.2', await begin(onSigterm)]]);
  const did: string[] = [];
  const isOver = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;
  const context = createContext({
    facts: {
      system: { main: 'router', instances: [...children.keys()].map((process) => ({ process, address: '', listen: '', clockAheadMs: 0 })) },
      stop: { signal: 'SIGTERM', graceMs: 300, exit: [0] },
    } as unknown as Facts,
    signalSystem: async (signal, name = 'router') => {
      did.push(`${name} ${signal}`);
      if (isOver(children.get(name)!)) throw new Error(`${name} had already ended`);
      children.get(name)!.kill(signal as NodeJS.Signals);
    },
    endSystem: async (signal, name, limitMs) => {
      await context.signalSystem(signal, name);
      const child = children.get(name)!;
      const over = isOver(child) ? true : await Promise.race([once(child, 'exit'), new Promise((resolve) => setTimeout(resolve, limitMs, null))]);
      if (over === null) throw new Error(`${name} was still there`);
    },
    startSystem: async (name) => {
      did.push(`${name} started`);
      children.set(name, await begin(onSigterm));
    },
  });
  return { context, did, child: (name) => children.get(name)! };
};
const stateOf = ({ pid }: ChildProcess): string => /\) (.)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))![1]!;

test('kill ends the instance that is named, waits for it, and leaves the other alone', async () => {
  const { context, did, child } = await kit();
  expect(await fire('kill', context, { instance: 2 })).toBe('router.2 was killed');
  expect(child('router.2').signalCode).toBe('SIGKILL');
  expect(child('router').signalCode).toBeNull();
  expect(did).toEqual(['router.2 SIGKILL']);
  await expect(fire('kill', context, { instance: 2 })).rejects.toThrow('already ended');
  await expect(fire('kill', context, { instance: 3 })).rejects.toThrow('there is no instance 3 of 2');
});

test('restart ends, waits and starts', async () => {
  const { context, did, child } = await kit();
  const before = child('router');
  const began = performance.now();
  expect(await fire('restart', context, { instance: 1, how: 'SIGKILL', 'down-for': 200 })).toBe(
    'router was killed, stayed away for 200 ms and was started again',
  );
  expect(performance.now() - began).toBeGreaterThanOrEqual(199);
  expect(did).toEqual(['router SIGKILL', 'router started']);
  expect(before.signalCode).toBe('SIGKILL');
  expect(child('router').exitCode).toBeNull();
});

test("restart by the card's signal, and by SIGKILL where that is not heeded", async () => {
  const heeds = await kit();
  expect(await fire('restart', heeds.context, { how: 'stop', 'down-for': 0 })).toBe('router was stopped by SIGTERM and was started again');
  expect(heeds.did).toEqual(['router SIGTERM', 'router started']);
  const deaf = await kit("process.on('SIGTERM', () => {})");
  expect(await fire('restart', deaf.context, { how: 'stop', 'down-for': 0 })).toBe('router was killed 300 ms after SIGTERM and was started again');
  expect(deaf.did).toEqual(['router SIGTERM', 'router SIGKILL', 'router started']);
});

test('one that had ended by itself is not started again', async () => {
  const { context, did, child } = await kit();
  const exit = once(child('router'), 'exit');
  child('router').kill('SIGKILL');
  await exit;
  await expect(fire('restart', context, { how: 'stop', 'down-for': 0 })).rejects.toThrow('router had already ended');
  expect(did).not.toContain('router started');
});

test('an interruption ends the time away, and nothing is started', async () => {
  const { context, did } = await kit();
  const interrupt = new AbortController();
  const fired = fire('restart', { ...context, signal: interrupt.signal }, { how: 'SIGKILL', 'down-for': 60_000 });
  interrupt.abort(new Error('interrupted'));
  await expect(fired).rejects.toThrow('interrupted');
  expect(did).not.toContain('router started');
});

test('pause and resume', async () => {
  const { context, child } = await kit();
  expect(await fire('pause', context, { instance: 2 })).toBe('router.2 was paused');
  await expect.poll(() => stateOf(child('router.2')), { message: 'router.2 to be stopped' }).toBe('T');
  expect(stateOf(child('router'))).not.toBe('T');
  expect(await fire('resume', context, { instance: 2 })).toBe('router.2 was resumed');
  await expect.poll(() => stateOf(child('router.2')), { message: 'router.2 to go on' }).not.toBe('T');
});

test('a signal reaches the instance that is named; only the first one is the scenario\'s own to stop', async () => {
  const { context, did } = await kit();
  expect(await fire('signal', context, { signal: 'SIGTERM', instance: 2 })).toBe('SIGTERM to router.2');
  expect(did).toEqual(['router.2 SIGTERM']);
  await expect(fire('signal', context, { signal: 'SIGTERM', instance: 2, process: 'store' })).rejects.toThrow('either a process or an instance');
  const stops = (options: object): boolean => faults.get('signal')!.stopsSystem!(options as never);
  expect([{ instance: 1 }, { instance: 2 }, {}].map((one) => stops({ signal: 'SIGTERM', ...one }))).toEqual([true, false, true]);
});
