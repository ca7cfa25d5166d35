// Choosing a runtime, with definitions whose probes answer as told.
import { expect, test } from 'vitest';
import type { RuntimeDefinition } from './registry.ts';
import { runtimeKinds } from './registry.ts';
import type { Capability, Runtime, RuntimeKind } from './runtime.ts';
import { selectRuntime } from './select.ts';

const definition = (kind: RuntimeKind, capability: Partial<Capability>, asked: string[] = []): RuntimeDefinition => ({
  kind,
  about: kind,
  create: () => ({
    kind,
    probe: async () => {
      asked.push(kind);
      return { available: false, why: 'told so', isolation: 'namespace', ...capability };
    },
  } as Runtime),
});

test('auto takes docker where an engine answers', async () => {
  const asked: string[] = [];
  const both = [definition('docker', { available: true, why: 'engine 1' }, asked), definition('process', { available: true }, asked)];
  const { runtime, why } = await selectRuntime('auto', {}, both);
  expect(runtime.kind).toBe('docker');
  expect(why).toBe('engine 1');
  expect(asked).toEqual(['docker']);
});

test('auto falls back to processes and says why', async () => {
  const both = [definition('docker', { why: 'no engine' }), definition('process', { available: true, why: 'namespaces' })];
  const { runtime, why } = await selectRuntime('auto', {}, both);
  expect(runtime.kind).toBe('process');
  expect(why).toBe('namespaces; not docker: no engine');
});

test('auto passes over what nothing can be run on, unasked, and says why', async () => {
  const asked: string[] = [];
  const both = [definition('docker', { available: true, why: 'engine 1' }, asked), definition('process', { available: true, why: 'namespaces' }, asked)];
  const { runtime, why } = await selectRuntime('auto', { unfit: { docker: 'the card has no image' } }, both);
  expect(runtime.kind).toBe('process');
  expect(why).toBe('namespaces; not docker: the card has no image');
  expect(asked).toEqual(['process']);
});

test('what nothing can be run on is taken where nothing else answers, and where it is asked for', async () => {
  const both = [definition('docker', { why: 'no engine' }), definition('process', { available: true, why: 'namespaces' })];
  const unfit = { process: 'the card has no command' };
  expect(await selectRuntime('auto', { unfit }, both)).toMatchObject({ runtime: { kind: 'process' }, why: 'namespaces; not docker: no engine' });
  expect(await selectRuntime('process', { unfit }, both)).toMatchObject({ runtime: { kind: 'process' }, why: 'namespaces' });
});

test('what was asked for is used or refused, never replaced', async () => {
  const both = [definition('docker', { why: 'no engine', hint: 'start it' }), definition('process', { available: true })];
  expect((await selectRuntime('process', {}, both)).runtime.kind).toBe('process');
  await expect(selectRuntime('docker', {}, both)).rejects.toMatchObject({
    problems: [{ family: 'environment', code: 'runtime-unavailable', message: 'runtime docker: no engine', hint: 'start it' }],
  });
});

test('none at all is a problem that names each', async () => {
  const none = [definition('docker', { why: 'a' }), definition('process', { why: 'b' })];
  await expect(selectRuntime('auto', {}, none)).rejects.toThrow('no runtime can be used: docker: a; process: b');
});

test('both runtimes are registered', () => {
  expect([...runtimeKinds].sort()).toEqual(['docker', 'process']);
});
