// Versions of packages, as Debian's own record of what is installed has them.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from './fixtures/wait.ts';
import { complaintOf } from './isolation.ts';
import { notMade, versionsIn } from './images-debian.ts';

const STATUS = `Package: nginx
Status: install ok installed
Depends: nginx-common (<< 1.22.1-9.1~)
Version: 1.22.1-9+deb12u11
Description: small, powerful

Package: nginx-common
Version: 1.22.1-9+deb12u11

Package: haproxy
Version: 2.6.12-1
`;

test('those that were asked for, and no others', () => {
  expect(versionsIn(STATUS, ['nginx'])).toBe('nginx 1.22.1-9+deb12u11');
  expect(versionsIn(STATUS, ['nginx', 'haproxy'])).toBe('haproxy 2.6.12-1, nginx 1.22.1-9+deb12u11');
  expect(versionsIn(STATUS, ['ginx'])).toBe('');
  expect(versionsIn('', ['nginx'])).toBe('');
});

test('one that took too long is told as that, and not by its command', async () => {
  const cause: unknown = await promisify(execFile)('sh', ['-c', 'echo W: slow mirror >&2; sleep 300'], { timeout: 500 }).catch((error: unknown) => error);
  expect(notMade(['nginx'], cause).message).toBe('no image can be made of the Debian packages nginx: it took longer than 30.0 min and was ended');
});

test.skipIf(complaintOf('mmdebstrap', ['--version']) !== null)('a harness that is killed while packages are fetched leaves neither those who fetch nor what they have', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-test-'));
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {}).resume())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const environment = { ...process.env, http_proxy: '', no_proxy: '127.0.0.1' };
  const words = [join(import.meta.dirname, 'fixtures/debian-root.ts'), folder, `http://127.0.0.1:${(server.address() as AddressInfo).port}/debian`];
  const harness = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'], env: environment });
  onTestFinished(() => {
    harness.kill('SIGKILL');
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await eventually('apt at the mirror', () => sockets.length > 0, 20_000);
  expect(existsSync(join(folder, 'temporary'))).toBe(true);
  harness.kill('SIGKILL');
  await eventually('apt hanging up', () => sockets.every(({ closed }) => closed));
  await eventually('the removal of its folder', () => !existsSync(join(folder, 'temporary')));
}, 60_000);
