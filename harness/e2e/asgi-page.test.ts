// The commands of docs/asgi-disconnect.md are what they say: each is read by the real command line, finds its scenarios and its axes,
// and begins nothing. Releases are those of an index that this test runs itself.
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPip } from '../systems/fixtures/pip.ts';
import { ROOT, startCli, temporaryFolder } from './test-kit.ts';
import type { Finished } from './test-kit.ts';

const PAGE = readFileSync(join(ROOT, 'docs', 'asgi-disconnect.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/(.*)\n\n```sh\n([\s\S]*?)^```/gm)].map(([, before, text]) => ({ before: before!, lines: text!.replaceAll(/\\\n\s*/g, ' ').trim().split('\n') }));
const LINES = BLOCKS.flatMap(({ lines }) => lines).map((line) => line.replace(/ +#.*$/, ''));
const of = (command: string): readonly string[] => LINES.filter((line) => line.startsWith(`npx hangup ${command} `));

/** As the index had them: all of uvicorn between the ends of the page, and of Starlette some. */
const RELEASES: Readonly<Record<string, readonly string[]>> = {
  uvicorn: ['0.27.0', '0.27.1', '0.28.0', '0.28.1', '0.29.0', '0.30.0', '0.30.1', '0.30.2', '0.30.3', '0.30.4', '0.30.5', '0.30.6', '0.31.0', '0.31.1', '0.32.0', '0.32.1', '0.54.0'],
  starlette: ['0.39.0', '0.40.0', '0.41.3', '0.42.0', '0.45.0', '1.6.0', '1.10.0'],
};

const asked: string[] = [];
const index = createServer((request, response) => {
  const name = /^\/simple\/([\w-]+)\/$/.exec(request.url ?? '')?.[1] ?? '';
  asked.push(name);
  const files = RELEASES[name]?.map((version) => ({ filename: `${name}-${version}-py3-none-any.whl`, url: `/files/${name}-${version}-py3-none-any.whl`, hashes: {}, yanked: false }));
  response.writeHead(files ? 200 : 404, { 'content-type': 'application/vnd.pypi.simple.v1+json' });
  response.end(JSON.stringify(files ? { meta: { 'api-version': '1.1' }, name, versions: [], files } : {}));
});

let folder: string;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = temporaryFolder(true);
  await new Promise<void>((resolve) => index.listen(0, '127.0.0.1', resolve));
  environment = {
    TMPDIR: folder, XDG_CACHE_HOME: join(folder, 'cache'), PIP_INDEX_URL: `http://127.0.0.1:${(index.address() as AddressInfo).port}/simple`, PIP_CONFIG_FILE: '/dev/null', PIP_FIND_LINKS: '',
    PIP_CACHE_DIR: join(folder, 'pip'), no_proxy: '127.0.0.1', NO_PROXY: '127.0.0.1',
  };
});
afterAll(async () => {
  await new Promise((resolve) => index.close(resolve));
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

/** In the clone, as the page has it. */
const dry = (line: string): Promise<Finished> => startCli([...line.split(/ +/).slice(2), '--dry-run'], { folder: ROOT, env: environment }).finished;

test('every line is a command of these, or a script of the clone', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly scripts: Readonly<Record<string, string>> };
  const others = LINES.filter((line) => !of('run').includes(line) && !of('bisect').includes(line));
  expect(others.map((line) => /^npm run ([\w-]+)/.exec(line)?.[1] ?? line).filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  expect([of('run').length, of('bisect').length]).toEqual([2, 6]);
});

const valuesIn = (line: string, axis: string): number => new RegExp(`--axis ${axis}=(\\S+)`).exec(line)?.[1]?.split(',').length ?? 1;

test.each(of('run'))('%s', async (line) => {
  const before = asked.length;
  const { code, output } = await dry(line);
  expect(code, output).toBe(0);
  const count = Number(/^(\d+) scenarios would be run/m.exec(output)?.[1]);
  const places = ['version', 'starlette', 'http'].reduce((product, axis) => product * valuesIn(line, axis), 1);
  expect([count % places, count > 0]).toEqual([0, true]);
  // Where the page says how many runs that is, it is so many.
  const told = /(\d+) runs:$/.exec(BLOCKS.find(({ lines }) => lines.includes(line))!.before)?.[1];
  if (told !== undefined) expect(count).toBe(Number(told));
  // Values that are named are asked of nobody.
  expect(asked.slice(before)).toEqual([]);
}, 60_000);

describe.skipIf(!hasPip)('searches', () => {
  const endsIn = (line: string, option: string): readonly string[] => [...line.matchAll(new RegExp(`--${option} (?:\\w+=)?(\\S+)`, 'g'))].map(([, value]) => value!);

  test.each(of('bisect'))('%s', async (line) => {
    const { code, output } = await dry(line);
    expect(code, output).toBe(0);
    expect(output).toMatch(/^leaves\/(silent|endless)\[how=rst\] on asgi-proxy, runtime process$/m);
    const axes = [...line.matchAll(/--axis (\w+)/g)].map(([, axis]) => axis!);
    const [good, bad] = [endsIn(line, 'good'), endsIn(line, 'bad')];
    axes.forEach((axis, at) => expect(output).toContain(`along ${axis}: good ${good[at]}, bad ${bad[at]}`));
    expect(output.includes('backwards')).toBe(line.includes('--good 0.32.1'));
    // Of uvicorn all releases are here, so their number is that of the page.
    if (axes.join() === 'version') expect(PAGE).toContain(`| ${good[0]}, ${bad[0]} | ${/; (\d+) values:/.exec(output)![1]} |`);
  }, 60_000);
});
