// The two other ways to search, by the command itself: for a pair on two axes, and for a good end that nobody has named.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bisectRepository, LEAKY, PROXY } from './fixtures/bisect-repository.ts';
import { startCli, temporaryFolder } from './test-kit.ts';
import type { Finished } from './test-kit.ts';

/** Leaks in one setting only. */
const ODD = PROXY.replace('else outgoing.on(', "else if (FAULT !== 'odd') outgoing.on(");

let folder: string;

/** What it has come to lies in the only folder of that kind. */
const bisect = (...words: readonly string[]): Promise<Finished> =>
  startCli(
    ['bisect', join('proxy', 'leak.yaml'), '--system', './card.yaml', '--runtime', 'process', '--jobs', '100%', '--end-runs', '4', ...words],
    { folder, env: { XDG_CACHE_HOME: join(folder, 'cache') } },
  ).finished;

const resultIn = ({ output }: Finished): Readonly<Record<string, unknown>> => {
  const home = /all of it in (\S+)/.exec(output)?.[1];
  expect(home, output).toBeDefined();
  return JSON.parse(readFileSync(join(folder, home!, 'result.json'), 'utf8')) as Readonly<Record<string, unknown>>;
};

beforeAll(() => {
  folder = temporaryFolder(true);
  const { path } = bisectRepository(join(folder, 'proxy'), [PROXY, PROXY, ODD, LEAKY, LEAKY]);
  const card = readFileSync(join(path, 'card.yaml'), 'utf8').replace('${card}', '${source}').replace(/^run:/m, "versions: { from: git, repository: ./proxy, tags: 'v*' }\nrun:");
  writeFileSync(join(folder, 'card.yaml'), card);
});

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

test('on two axes the pair is named that takes both, with its good neighbours', async () => {
  // Where values are listed and no end is named, the first is the good one.
  const ended = await bisect('--axis', 'version=v1,v2', '--axis', 'setting.fault=none,odd', '--confidence', '0.8');
  expect(ended.code, ended.output).toBe(0);
  expect(ended.output).toContain('The minimal bad pair is version v2 with setting.fault odd: with version v1, or with setting.fault none, it is good.');
  expect(resultIn(ended)).toMatchObject({
    word: 'found', culprit: { version: 'v2', 'setting.fault': 'odd' }, possible: ['version=v2, setting.fault=odd'], width: [],
    good: { at: 'version=v1, setting.fault=odd', bad: 0 }, alsoGood: [{ at: 'version=v2, setting.fault=none', bad: 0 }],
    bad: { at: 'version=v2, setting.fault=odd' }, rates: { good: expect.any(Number), bad: expect.any(Number) },
  });
}, 240_000);

test('a good end is found backwards from the bad one, and the first bad one behind it', async () => {
  const ended = await bisect('--find-good', '--bad', 'v4');
  expect(ended.code, ended.output).toBe(0);
  expect(ended.output).toContain('The first bad version is v3: v2 is good.');
  expect(resultIn(ended)).toMatchObject({ word: 'found', culprit: { version: 'v3' }, good: { at: 'version=v2', bad: 0 }, bad: { at: 'version=v3' } });
}, 240_000);
