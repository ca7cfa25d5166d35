// What a card's process needs: found, installed once, or named with what to do. No registry is asked.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { cardWith } from './fixture.ts';
import { checkPrograms, installPackages } from './install.ts';
import { writeWheels } from './wheel-fixture.ts';

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const problemOf = (error: unknown) => {
  if (!(error instanceof ProblemError)) throw new Error(`not a problem: ${String(error)}`);
  return error.problems[0]!;
};

/** npm on this path, a cache of its own, and a registry that refuses at once. */
const environmentOf = (cache: string): NodeJS.ProcessEnv => ({
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  HOME: cache,
  XDG_CACHE_HOME: cache,
  npm_config_registry: 'http://127.0.0.1:1/',
  npm_config_fetch_retries: '0',
  npm_config_cache: join(cache, 'npm'),
});

const running = (command: string): ReturnType<typeof cardWith> =>
  cardWith({ run: `run: [ { name: proxy, process: { command: [${command}] } } ]` });

test('a program that is nowhere is named, with how to install it where the card knows', () => {
  const check = (card: ReturnType<typeof cardWith>, environment = {}) => {
    try {
      checkPrograms(card, environment);
    } catch (error) {
      return problemOf(error);
    }
    return null;
  };
  expect(check(running('no-such-program'))).toMatchObject({
    family: 'environment',
    code: 'missing-program',
    message: 'small: "no-such-program" is not installed',
  });
  const card = cardWith({
    run: 'run: [ { name: proxy, process: { command: [no-such-program] } } ]',
    install: 'install: { apt: [some-package] }',
  });
  expect(check(card)!.hint).toBe('on Debian: apt-get install some-package');
  const bin = temporary();
  writeFileSync(join(bin, 'no-such-program'), '');
  expect(check(card, { PATH: bin })).toBeNull();
  for (const own of ['node', '/somewhere/else', '"${card}/start"']) expect(check(running(own))).toBeNull();
});

const WITH_PACKAGE = { versions: 'versions: { from: npm, package: left, use: 1.2.3 }', install: 'install: { npm: [ "left@${version}" ] }' };

test('nothing to install: no folder, and nothing is said', async () => {
  expect(
    await installPackages(cardWith(), () => {
      throw new Error('said something');
    }),
  ).toBeNull();
});

test('what cannot be installed is told in the words of npm, and leaves nothing behind', async () => {
  const cache = temporary();
  const lines: string[] = [];
  const problem = problemOf(
    await installPackages(cardWith(WITH_PACKAGE), (line) => lines.push(line), { environment: environmentOf(cache) }).then(
      () => null,
      (error: unknown) => error,
    ),
  );
  expect(lines).toEqual(['installing left@1.2.3 (once; kept in the cache)']);
  expect(problem).toMatchObject({
    family: 'environment',
    code: 'registry-unreachable',
    message: expect.stringMatching(/^small: cannot install left@1\.2\.3: .*ECONNREFUSED/),
  });
  expect(problem.message).not.toContain('Command failed');
  expect(readdirSync(join(cache, 'hangup'))).toEqual([]);
});

test('an install that is interrupted is no problem of the registry', async () => {
  const cache = temporary();
  const interrupt = new AbortController();
  const reason = new Error('interrupted');
  const installing = installPackages(cardWith(WITH_PACKAGE), () => interrupt.abort(reason), {
    environment: environmentOf(cache),
    signal: interrupt.signal,
  });
  await expect(installing).rejects.toBe(reason);
  expect(readdirSync(join(cache, 'hangup'))).toEqual([]);
});

test('an install that takes too long is told as that, and is no fault of the packages', async () => {
  const cache = temporary();
  const sockets: Socket[] = [];
  const registry = createServer(() => {}).on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void registry.close().closeAllConnections());
  const environment = { ...environmentOf(cache), npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`, no_proxy: '127.0.0.1' };
  const problem = problemOf(await installPackages(cardWith(WITH_PACKAGE), () => {}, { environment, longMs: 5_000 }).then(() => null, (error: unknown) => error));
  expect(problem).toMatchObject({ code: 'registry-unreachable', message: 'small: cannot install left@1.2.3: npm took longer than 5.0 s and was ended' });
  await expect.poll(() => sockets.every(({ closed }) => closed), { message: 'npm has hung up', timeout: 10_000 }).toBe(true);
  expect(readdirSync(join(cache, 'hangup'))).toEqual([]);
});

test('what is in the cache is taken from there, and a cache that cannot be written is named', async () => {
  const cache = temporary();
  const environment = environmentOf(cache);
  await installPackages(cardWith({ install: 'install: { npm: [] }' }), () => {}, { environment });
  const blocked = join(cache, 'file');
  writeFileSync(blocked, '');
  const problem = problemOf(
    await installPackages(cardWith(WITH_PACKAGE), () => {}, { environment: { ...environment, XDG_CACHE_HOME: blocked } }).then(
      () => null,
      (error: unknown) => error,
    ),
  );
  expect(problem).toMatchObject({ code: 'cache-not-writable', message: expect.stringContaining('the cache for packages cannot be written') });
  // Its name is its content: the same as the one that would be made.
  mkdirSync(join(cache, 'hangup'), { recursive: true });
  const { createHash } = await import('node:crypto');
  const folder = join(
    cache,
    'hangup',
    `npm-${createHash('sha256')
      .update(JSON.stringify(['left@1.2.3']))
      .digest('hex')
      .slice(0, 16)}`,
  );
  mkdirSync(folder);
  expect(
    await installPackages(
      cardWith(WITH_PACKAGE),
      () => {
        throw new Error('installed again');
      },
      { environment },
    ),
  ).toBe(folder);
});

/** As PyPI would give it: pip takes it from its path. */
const wheelIn = (folder: string): string => {
  writeWheels(folder, [{ name: 'hangup-nothing', version: '1.0' }]);
  return join(folder, 'hangup_nothing-1.0-py3-none-any.whl');
};

/** Each call of pip takes seconds where other tests are at work. */
const PIP_MS = 90_000;

const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
if (!hasPip && process.env['CI'] === 'true') throw new Error('these tests need python3 and its pip: apt-get install python3 python3-pip');

const python = (cache: string): NodeJS.ProcessEnv =>
  ({ ...environmentOf(cache), PIP_INDEX_URL: 'http://127.0.0.1:1/', PIP_FIND_LINKS: '', PIP_RETRIES: '0', PIP_TIMEOUT: '1' });

test.skipIf(!hasPip)('what pip installs is found by Python in the folder, and installed once', async () => {
  const cache = temporary();
  const card = cardWith({ install: `install: { pypi: [ "${wheelIn(temporary())}" ] }` });
  const folder = await installPackages(card, () => {}, { environment: python(cache) });
  expect(folder).toMatch(/\/pypi-[0-9a-f]{16}$/);
  const env = { ...python(cache), PYTHONPATH: folder! };
  const said = execFileSync('python3', ['-c', 'import hangup_nothing; print(hangup_nothing.WORD)'], { env });
  expect(said.toString()).toBe('installed\n');
  const again = await installPackages(card, () => expect.unreachable('installed again'), { environment: python(cache) });
  expect(again).toBe(folder);
}, PIP_MS);

/** An index that answers everything alike. */
const indexThat = async (status: number): Promise<string> => {
  const server = createServer((_request, response) => void response.writeHead(status).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

test.skipIf(!hasPip)('what pip cannot install is told in its words, and leaves nothing behind', async () => {
  const cache = temporary();
  const card = cardWith({ install: 'install: { pypi: [ "hangup-no-such-package==9" ] }' });
  const environment = { ...python(cache), PIP_INDEX_URL: await indexThat(404) };
  const problem = problemOf(await installPackages(card, () => {}, { environment }).catch((error: unknown) => error));
  const message = expect.stringMatching(/cannot install hangup-no-such-package==9: .*No matching distribution/) as string;
  expect(problem).toMatchObject({ code: 'install-failed', message });
  expect(readdirSync(join(cache, 'hangup'))).toEqual([]);
}, PIP_MS);

test.skipIf(!hasPip).each([
  ['is closed, and is asked once', async () => ({})],
  ['is closed, and is asked again', async () => ({ PIP_RETRIES: '1' })],
  ['lets nobody in', async () => ({ PIP_INDEX_URL: await indexThat(403) })],
])('an index that %s is not the package\'s fault', async (_, more) => {
  const card = cardWith({ install: 'install: { pypi: [ "hangup-no-such-package==9" ] }' });
  const environment = { ...python(temporary()), ...(await more()) };
  expect(problemOf(await installPackages(card, () => {}, { environment }).catch((error: unknown) => error))).toMatchObject({ code: 'registry-unreachable' });
}, PIP_MS);

test('without Python that is what is missing', async () => {
  const cache = temporary();
  const card = cardWith({ install: 'install: { pypi: [ "anything==1" ] }' });
  const options = { environment: { ...environmentOf(cache), PATH: dirname(process.execPath) } };
  const problem = problemOf(await installPackages(card, () => {}, options).catch((error: unknown) => error));
  expect(problem).toMatchObject({ code: 'tool-missing', hint: expect.stringContaining('python3-pip') as string });
  expect(problem.message).toContain('python3');
});

test('an option in the place of a package is refused', () => {
  for (const kind of ['npm', 'pypi']) {
    expect(() => cardWith({ install: `install: { ${kind}: [ "--registry=http://elsewhere" ] }` })).toThrow('a package has a name');
  }
});
