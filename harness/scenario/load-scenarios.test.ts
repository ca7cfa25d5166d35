// Files and folders: which are read, how they are called, and what is said of those that cannot be.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { processorMs } from '../model/test-processor.ts';
import { loadScenarios, readScenarios } from './load-scenarios.ts';
import { testRegistries } from './test-registries.ts';
import { GOOD_SCENARIO, scenarioWith } from './test-scenario.ts';

const options = { registries: testRegistries };

let folder: string;
const put = async (name: string, content: string | Buffer): Promise<string> => {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, content);
  return path;
};
const codesOf = async (paths: readonly string[], variables: Record<string, string> = {}): Promise<readonly string[]> =>
  (await readScenarios(paths, { ...options, variables })).problems.map(({ code }) => code);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hangup-load-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('files and folders', () => {
  test('folders are walked, in order, each file once; ids do not depend on how the path was given', async () => {
    const first = await put('scenarios/disconnect/b.yaml', scenarioWith({}));
    await put('scenarios/disconnect/a.yaml', scenarioWith({}));
    await put('scenarios/pool/deep/c.yaml', scenarioWith({}));
    await put('scenarios/pool/notes.txt', 'not a scenario');
    await put('scenarios/.hidden/d.yaml', 'broken: [');
    await symlink(folder, join(folder, 'scenarios', 'loop'));
    const loaded = await loadScenarios([first, join(folder, 'scenarios')], options);
    expect(loaded.map(({ id }) => id)).toEqual(['disconnect/b', 'disconnect/a', 'pool/deep/c']);
    expect((await loadScenarios([join(folder, 'scenarios', 'pool', 'deep')], options)).map(({ id }) => id)).toEqual(['pool/deep/c']);
  });

  test('nothing matched is no problem: the caller says so', async () => {
    await mkdir(join(folder, 'none'), { recursive: true });
    expect(await loadScenarios([join(folder, 'none')], options)).toEqual([]);
  });

  test('a path that does not exist, with what lies beside it', async () => {
    const path = await put('beside/endless.yaml', scenarioWith({}));
    const { problems } = await readScenarios([path.replace('endless', 'endles')], options);
    expect(problems.map(({ code, hint }) => `${code} ${hint}`)).toEqual([`path-not-found did you mean \`${path}\`?`]);
    expect(await codesOf([join(folder, 'no', 'where.yaml')])).toEqual(['path-not-found']);
  });

  test('a file of ten megabytes is refused without being read', async () => {
    const path = await put('large/large.yaml', Buffer.alloc(10 * 1024 * 1024, 'a: 1\n'));
    const startedMs = processorMs();
    const { problems } = await readScenarios([path], options);
    expect(problems.map(({ code, location }) => `${code} ${location?.file === path}`)).toEqual(['file-too-large true']);
    expect(processorMs() - startedMs).toBeLessThan(2_000);
  });

  test('what is no regular file is not waited for', async () => {
    expect(await codesOf(['/dev/zero'])).toEqual(['file-unreadable']);
  });

  test('every problem of every file comes in one go', async () => {
    const one = await put('two/one.yaml', scenarioWith({ name: 'nam: x' }));
    const two = await put('two/two.yaml', 'a: [');
    const { problems, files, scenarios } = await readScenarios([one, two], options);
    expect(files).toBe(2);
    expect(scenarios).toEqual([]);
    expect(problems.map(({ code, location }) => `${location?.file} ${code}`)).toEqual([
      `${one} missing-key`,
      `${one} unknown-key`,
      `${two} yaml-syntax`,
    ]);
    await expect(loadScenarios([one, two], options)).rejects.toBeInstanceOf(ProblemError);
  });

  test('two files with one id, and a variable that nobody uses', async () => {
    const one = await put('x/scenarios/f/same.yaml', scenarioWith({}));
    const two = await put('y/scenarios/f/same.yaml', scenarioWith({ name: 'name: ${who:me}' }));
    expect(await codesOf([one, two])).toEqual(['duplicate-id']);
    const { problems } = await readScenarios([two], { ...options, variables: { hwo: 'you' } });
    expect(problems.map(({ code, hint }) => `${code} ${hint}`)).toEqual(['unknown-variable did you mean `who`? used: who']);
    expect((await loadScenarios([two], { ...options, variables: { who: 'you' } }))[0]!.name).toBe('you');
  });

  test('a file whose name would hide what reports say behind it', async () => {
    const named = await Promise.all(['cookie.yaml', 'x-api-key.yaml', 'cookie-size.yaml'].map((name) => put(`z/scenarios/auth/${name}`, scenarioWith({}))));
    expect(await codesOf(named)).toEqual(['bad-name', 'bad-name']);
  });

  test('a hundred files are read in well under a second, at the pace of the machine', async () => {
    for (let at = 0; at < 100; at += 1) await put(`many/s${at}.yaml`, GOOD_SCENARIO);
    await loadScenarios([join(folder, 'many', 's0.yaml')], options);
    const startedMs = processorMs();
    expect(await loadScenarios([join(folder, 'many')], options)).toHaveLength(100);
    expect(processorMs() - startedMs).toBeLessThan(3_000);
  });
});
