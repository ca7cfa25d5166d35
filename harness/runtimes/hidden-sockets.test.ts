// Sockets of the file system know no network namespace: what answers names or gives a machine away by one must not be met in a stage.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { complaintOf, findIsolation } from './isolation.ts';

const call = promisify(execFile);
const FIXTURE = join(import.meta.dirname, 'fixtures/sockets-outside.ts');
const NAME = 'prices.hangup.example';

/** Where on a machine somebody listens who looks names up, runs containers or starts services. One is said by DOCKER_HOST. */
const PLACES = [
  '/run/systemd/resolve/io.systemd.Resolve', '/run/systemd/private', '/run/nscd/socket', '/run/avahi-daemon/socket', '/run/dbus/system_bus_socket',
  '/run/docker.sock', '/run/containerd/containerd.sock', '/run/podman/podman.sock', '/run/user/1000/bus', '/run/user/1000/docker.sock',
  '/run/user/1000/podman/podman.sock', "/run/it's elsewhere/engine.sock",
];

/** A machine like many: all is below /run, and resolv.conf is a link to what systemd-resolved keeps there. */
const MACHINE = `mkdir "$0/etc" && cp -a /etc/. "$0/etc" 2>/dev/null; rm -f "$0/etc/resolv.conf"
ln -s ../run/systemd/resolve/stub-resolv.conf "$0/etc/resolv.conf" && mount --bind "$0/etc" /etc && mount -t tmpfs tmpfs /run || exit 9
mkdir -p /run/systemd/resolve && echo nameserver 127.0.0.53 > /run/systemd/resolve/stub-resolv.conf && exec "$@"`;

const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
const isPossible = findIsolation().kind === 'namespace' && complaintOf('unshare', [...user, '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/run']) === null;

test.skipIf(!isPossible)('who looks names up or runs containers at a path socket of the machine is not there in a stage', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-test-'));
  const words = [...user, '--mount', 'sh', '-c', MACHINE, folder, process.execPath, FIXTURE, NAME, ...PLACES];
  const { stdout } = await call('unshare', words, { env: { ...process.env, DOCKER_HOST: `unix://${PLACES.at(-1)}` } });
  rmSync(folder, { recursive: true, force: true });
  const { outside, inside, log, asked } = JSON.parse(stdout);
  expect(outside, 'all of them can be reached where there is no stage').toEqual(Object.fromEntries(PLACES.map((path) => [path, 1])));
  expect(inside).toEqual(Object.fromEntries(PLACES.map((path) => [path, 0])));
  expect(log, 'and the stage itself is asked for names').toBe('nameserver 127.0.0.1\n');
  expect(asked).toMatchObject([{ type: 'foreign-host', name: NAME, answered: false }]);
}, 30_000);
