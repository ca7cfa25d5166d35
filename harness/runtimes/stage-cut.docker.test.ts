// Partitions in a stage of containers: with the `ip` of the actors' image, and what an engine lets a container do.
import { afterEach, describe, test } from 'vitest';
import { createScope } from '../model/scope.ts';
import { createDockerRuntime } from './docker.ts';
import { cutClient, cutUpstream } from './fixtures/cut.ts';
import { PEER, PEERS, testPlan } from './fixtures/stage-plan.ts';
import type { Stage } from './runtime.ts';

const runtime = createDockerRuntime({ entries: PEERS, extra: [PEER] });
const { available, why } = await runtime.probe();
if (!available && process.env['CI'] === 'true') throw new Error(`these tests need the engine: ${why}`);

const scopes: ReturnType<typeof createScope>[] = [];
afterEach(async () => {
  for (const scope of scopes.splice(0)) await scope.close();
});

const open = (): Promise<Stage> => {
  const scope = createScope();
  scopes.push(scope);
  return runtime.openStage(testPlan(), scope);
};

describe.skipIf(!available)(`docker (${why})`, () => {
  test('an upstream is cut off without a sign, and comes back', async () => cutUpstream(await open()), 120_000);
  test('a client is cut off, and nobody else', async () => cutClient(await open()), 120_000);
});
