// Revisions of a repository as images: one name in the card stands for another image at each of them, and two runtimes side by side.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectEngine, createDockerRuntime } from '../runtimes/docker.ts';
import { bisectRepository } from './fixtures/bisect-repository.ts';
import { bundlesOf, claimsOf, FIXTURES, runCli, temporaryFolder } from './test-kit.ts';

const { available, why } = await createDockerRuntime().probe();
if (!available && process.env['CI'] === 'true') throw new Error(`these tests need the engine: ${why}`);

const CARD = readFileSync(join(FIXTURES, 'plain-proxy', 'system.yaml'), 'utf8')
  .replaceAll('${card}/proxy.mjs', '${source}/proxy.mjs')
  .replace('image: hangup/plain-proxy', 'image: hangup/plain-proxy-axes')
  .replace('context: .', 'context: "${source}"')
  .replace('version: 1\n', 'version: 1\nversions: { from: git, repository: ./repository, use: v0 }\n');

describe.skipIf(!available)('revisions in containers', () => {
  test('each is judged by what it is, on both runtimes', async () => {
    const folder = temporaryFolder();
    const tags: string[] = [];
    onTestFinished(async () => {
      const engine = await connectEngine();
      for (const tag of tags) await engine.getImage(tag).remove({ force: true });
    });
    const { path, commits } = bisectRepository(join(folder, 'repository'));
    writeFileSync(join(folder, 'card.yaml'), CARD);
    writeFileSync(join(folder, 'leak.yaml'), readFileSync(join(path, 'leak.yaml'), 'utf8'));
    const words = ['--axis', 'version=v4,v5', '--axis', 'runtime=docker,process'];
    const finished = await runCli([join(folder, 'leak.yaml')], { folder, env: { XDG_CACHE_HOME: join(folder, 'cache') } }, words);
    const bundles = [...(await bundlesOf(folder)).values()].filter(({ manifest }) => !manifest.isControl);
    const found = bundles.map(({ manifest, resolved, verdicts }) =>
      [resolved.run.coordinates!.version, manifest.runtime, claimsOf(verdicts)['upstream-closed']!.outcome].join(' '));
    expect(found.sort(), finished.output).toEqual(['v4 docker held', 'v4 process held', 'v5 docker violated', 'v5 process violated']);
    const images = bundles.flatMap(({ manifest, resolved }) =>
      manifest.runtime === 'docker' ? [[resolved.run.coordinates!.version, manifest.versions['image for hangup/plain-proxy-axes'], manifest.versions['commit of plain-proxy']]] : []);
    tags.push(...images.map(([, image]) => image!));
    expect(images.map(([version, , commit]) => [version, commit]).sort()).toEqual([['v4', commits[4]], ['v5', commits[5]]]);
    expect(new Set(images.map(([, image]) => image)).size, JSON.stringify(images)).toBe(2);
  }, 400_000);
});
