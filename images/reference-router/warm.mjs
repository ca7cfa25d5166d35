// Run when the image is built: starts the router once and stops it, so that its image holds what Node
// makes of the sources.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'warm-'));
const router = spawn(process.execPath, [join(import.meta.dirname, 'start.mjs')], {
  env: { PORT: '0', UPSTREAM_URL: 'http://127.0.0.1:9', LEDGER: join(folder, 'ledger.db') }, stdio: ['ignore', 'pipe', 'inherit'],
});
// Its first line says that it serves.
router.stdout.once('data', () => router.kill('SIGTERM'));
router.on('exit', (code) => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});
