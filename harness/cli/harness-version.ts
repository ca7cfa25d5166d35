// Which hangup this is: version, and the commit where it runs from a clone.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Manifest } from '../bundle/format.ts';
import { withoutRepository } from '../systems/git-environment.ts';
import { packageVersion } from './package-version.ts';

const root = join(import.meta.dirname, '..', '..');

const git = (...args: readonly string[]): string | null => {
  try {
    const env = withoutRepository(process.env);
    return execFileSync('git', ['-C', root, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
};

export const harnessVersion = (): Manifest['harness'] => {
  // Installed below somebody's repository, that one's commit is not ours.
  const isClone = git('rev-parse', '--show-prefix') === '';
  const commit = isClone ? git('rev-parse', 'HEAD') : null;
  // What git does not know is no part of it: to import that, a known file would have to change.
  const changes = commit === null ? null : git('status', '--porcelain', '--untracked-files=no');
  return { version: packageVersion(), commit, dirty: changes === null ? null : changes !== '' };
};
