// The npm proxies in containers: the same verdicts as in plain processes.
import { describe } from 'vitest';
import { createDockerRuntime } from '../runtimes/docker.ts';
import { claimRealSystem } from './fixtures/real-systems-claims.ts';

const { available, why } = await createDockerRuntime().probe();
if (!available && process.env['CI'] === 'true') throw new Error(`these tests need the engine: ${why}`);

describe.skipIf(!available)(`engine (${why})`, () => {
  for (const card of ['http-proxy', 'http-proxy-3']) claimRealSystem(card, 'docker');
});
