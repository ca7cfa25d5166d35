// Git's own search, driven by `hangup run --git-bisect`, over a small repository in which one commit makes a proxy leak, one before it
// does not start, and one shows another fault.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bisectRepository } from './fixtures/bisect-repository.ts';
import type { BisectRepository } from './fixtures/bisect-repository.ts';
import { ROOT, temporaryFolder } from './test-kit.ts';

let folder: string;
let repository: BisectRepository;

beforeAll(() => {
  folder = temporaryFolder(true);
  repository = bisectRepository(join(folder, 'proxy'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

test('git bisect run names the commit that leaks, and passes over what cannot be judged', () => {
  const { path, git, commits } = repository;
  for (const name of ['leak.yaml', 'card.yaml']) copyFileSync(join(path, name), join(folder, name));
  writeFileSync(join(folder, 'card.yaml'), readFileSync(join(path, 'card.yaml'), 'utf8').replace('${card}', path));
  git('bisect', 'start', commits.at(-1)!, commits[0]!);
  const words = [process.execPath, join(ROOT, 'harness', 'hangup.mjs'), 'run', join(folder, 'leak.yaml'), '--runtime', 'process'];
  const said = execFileSync('git', ['bisect', 'run', ...words, '--git-bisect', '--symptom', 'upstream-closed', '--evidence', 'none'], {
    cwd: path, encoding: 'utf8', env: { ...process.env, TMPDIR: folder }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(said).toContain(`${commits[repository.leaksAt]} is the first bad commit`);
  expect(git('bisect', 'log')).toContain('# skip:');
}, 240_000);
