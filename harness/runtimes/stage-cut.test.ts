// Partitions in a stage of plain processes: real sockets in a real namespace.
import { afterEach, describe, expect, test } from 'vitest';
import { createScope } from '../model/scope.ts';
import { cutClient, cutUpstream } from './fixtures/cut.ts';
import { PEERS, testPlan } from './fixtures/stage-plan.ts';
import { findIsolation } from './isolation.ts';
import { createProcessRuntime } from './process.ts';
import type { Stage } from './runtime.ts';

const scopes: ReturnType<typeof createScope>[] = [];
afterEach(async () => {
  for (const scope of scopes.splice(0)) await scope.close();
});

const open = (isolation?: 'loopback'): Promise<Stage> => {
  const scope = createScope();
  scopes.push(scope);
  return createProcessRuntime({ entries: PEERS, ...(isolation ? { isolation } : {}) }).openStage(testPlan(), scope);
};

describe.skipIf(findIsolation().kind !== 'namespace')('in namespaces', () => {
  test('an upstream is cut off without a sign, and comes back', async () => cutUpstream(await open()), 60_000);
  test('a client is cut off, and nobody else', async () => cutClient(await open()), 60_000);
});

test('under plain loopback nothing can be cut off, and it is said', async () => {
  const stage = await open('loopback');
  await expect(stage.cutAddress('client.alice')).rejects.toThrow('plain loopback');
  await expect(stage.cutAddress('client.bob')).rejects.toThrow('client.bob has no address');
});
