// `--pcap` on docker: the container that looks has nothing but that right, and goes with the stage.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { createDockerRuntime } from '../runtimes/docker.ts';
import { capturesAll, cutsAtLimit } from './fixtures/capture.ts';

const { available, why } = await createDockerRuntime().probe();
if (!available && process.env['CI'] === 'true') throw new Error(`these tests need the engine: ${why}`);

const LIMIT_MS = 400_000;

describe.skipIf(!available)('packets of a stage of containers', () => {
  test('all of both legs are kept, sealed and told; nothing is left', { timeout: LIMIT_MS }, async () => {
    await capturesAll('docker');
    const left = execFileSync('docker', ['ps', '-a', '--filter', 'name=-fixtures-short-capture-', '--format', '{{.Names}}'], { encoding: 'utf8' });
    expect(left).toBe('');
  });

  test('packets are cut at the limit, after a whole packet, and that is told', () => cutsAtLimit('docker'), LIMIT_MS);
});
