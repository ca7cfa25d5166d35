// Who has neither a name nor a home here is served all the same.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cacheFolder } from './home-folder.ts';
import { complaintOf } from './isolation.ts';

/** A number that no list of users knows. */
const NOBODY_KNOWS = '54321';
const BECOME = ['--reuid', NOBODY_KNOWS, '--regid', NOBODY_KNOWS, '--clear-groups'];
/** And whether it may read what is tested, and get to the temporary folder. */
const canBecome = process.getuid?.() === 0 && complaintOf('setpriv', [...BECOME, process.execPath, '-e', 'fs.readFileSync(process.argv[1]); fs.accessSync(os.tmpdir(), 1)', import.meta.filename]) === null;

test.skipIf(!canBecome)('a user without a name and without HOME has its notes and its cache where nobody else may write', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o777);
  const script = `
    import { runsFolder } from '${import.meta.dirname}/run-files.ts';
    import { cacheFolder } from '${import.meta.dirname}/home-folder.ts';
    import { actorEnvironment } from '${import.meta.dirname}/environment.ts';
    console.log(JSON.stringify([runsFolder(), cacheFolder({}), actorEnvironment('r', 's').NODE_COMPILE_CACHE]));
  `;
  const words = [...BECOME, process.execPath, '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync('setpriv', words, { encoding: 'utf8', env: { PATH: process.env['PATH'], TMPDIR: folder } });
  expect(stderr).toBe('');
  const own = join(folder, `hangup-${NOBODY_KNOWS}`);
  expect(JSON.parse(stdout)).toEqual([join(own, 'runs'), join(own, 'cache/hangup'), join(own, 'cache/hangup/compiled')]);
});

test('where the environment says where a cache is, it is there', () => {
  expect(cacheFolder({ XDG_CACHE_HOME: '/elsewhere' })).toBe('/elsewhere/hangup');
});
