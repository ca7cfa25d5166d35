// The same systems in containers: the same verdicts as in plain processes. Those of Debian stand on images that are made
// here of its packages, by mmdebstrap, before the first of them is run.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe } from 'vitest';
import { provide } from '../cli/provide.ts';
import { createDockerRuntime } from '../runtimes/docker.ts';
import { loadCard } from '../systems/load-card.ts';
import { claimFindings, claimRealSystem } from './fixtures/real-systems-claims.ts';
import { FINDINGS, REAL_SYSTEMS, programOf } from './fixtures/real-systems-grid.ts';

/** Three root file systems; half a minute each where nobody else is at work. */
const IMAGES_LIMIT_MS = 900_000;

const { available, why } = await createDockerRuntime().probe();
if (!available && process.env['CI'] === 'true') throw new Error(`these tests need the engine: ${why}`);

const canBuild =
  (process.env['HANGUP_DEBIAN_IMAGE'] ?? '') !== ''
  || (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'mmdebstrap')));
if (!canBuild && process.env['CI'] === 'true') throw new Error('these tests need mmdebstrap: apt-get install mmdebstrap');

const missingFor = (card: string): string | null => (programOf(card) === null || canBuild ? null : 'mmdebstrap is not installed');

describe.skipIf(!available)(`engine (${why})`, () => {
  const cards = [...new Set([...Object.keys(REAL_SYSTEMS), ...Object.keys(FINDINGS)])].filter((card) => missingFor(card) === null);
  beforeAll(async () => {
    await provide(await Promise.all(cards.map((card) => loadCard(card))), 'docker', () => {});
  }, IMAGES_LIMIT_MS);

  for (const card of Object.keys(REAL_SYSTEMS)) claimRealSystem(card, 'docker', missingFor(card));
  claimFindings('docker', missingFor);
});
