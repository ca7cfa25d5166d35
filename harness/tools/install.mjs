// Installs the dependencies where a fresh clone has none, so that two commands are all it takes.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const installed = join(root, 'node_modules', '.package-lock.json');
const isFresh = existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;

if (!isFresh) {
  console.log('hangup: installing what is needed (npm ci); this happens once');
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel', 'error'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' });
  if (error) console.error(`hangup: npm cannot be started: ${error.message}`);
  process.exitCode = error ? 3 : (status ?? 3);
}
