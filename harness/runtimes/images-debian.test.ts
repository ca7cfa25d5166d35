// Versions of packages, as Debian's own record of what is installed has them.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
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
