import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registries } from '../scenario/registries.ts';
import { testRegistries } from '../scenario/test-registries.ts';
import { GOOD_SCENARIO, scenarioWith } from '../scenario/test-scenario.ts';
import { list } from './list.ts';
import { validate } from './validate.ts';

let folder: string;
const put = async (name: string, text: string): Promise<string> => {
  await mkdir(join(folder, name, '..'), { recursive: true });
  await writeFile(join(folder, name), text);
  return join(folder, name);
};
const options = { registries: testRegistries };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hangup-validate-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('validate', () => {
  test('what comes with this package has no problem', async () => {
    const { exitCode, output } = await validate([], { registries });
    const summary = /^\d+ files, \d+ scenarios,( \d+ fragments?,)? \d+ cards, 0 problems\n$/;
    expect([exitCode, output]).toEqual([0, expect.stringMatching(summary)]);
  });

  test('counts files, scenarios and problems', async () => {
    const path = await put('good/a.yaml', GOOD_SCENARIO);
    expect(await validate([path], options)).toEqual({ exitCode: 0, output: '1 file, 1 scenario, 0 problems\n' });
  });

  test('shows every problem of every file, card or scenario, and exits 4', async () => {
    await put('bad/a.yaml', scenarioWith({ name: 'nam: x' }));
    await put('bad/b.yaml', 'a: [');
    await put('bad/system.yaml', 'version: 1\nsystem: x\nrun: []\n');
    await put('bad/c.yaml', GOOD_SCENARIO);
    const { exitCode, output } = await validate([join(folder, 'bad'), join(folder, 'absent.yaml')], options);
    expect(exitCode).toBe(4);
    for (const code of ['path-not-found', 'missing-key', 'unknown-key', 'yaml-syntax', 'bad-value'])
      expect(output).toContain(`[${code}]`);
    expect(output).toContain('a.yaml:2:1: unknown key `nam` [unknown-key]\n  2 | nam: x\n    | ^^^\n  hint: did you mean `name`?');
    expect(output).toMatch(/\n4 files, 1 scenario, 1 card, \d+ problems\n$/);
  });

  test('fragments are checked too, used or not, and told once', async () => {
    const good = 'version: 1\nfragment: good\nvariables: { client: { about: who } }\nexpect: [nothing-reserved: "${client}"]\n';
    await put('fragments/shared/good.yaml', good);
    await put('fragments/a.yaml', scenarioWith({ catches: 'use: [shared/good.yaml: { client: alice }]' }));
    const fine = await validate([join(folder, 'fragments')], options);
    expect(fine).toEqual({ exitCode: 0, output: '2 files, 1 scenario, 1 fragment, 0 problems\n' });
    await put('fragments/shared/unused.yaml', 'version: 1\nfragment: unused\nwatch: 3s\nexpect: [nothing-reserved: "${client}"]\n');
    await put('fragments/shared/good.yaml', good.replace('"${client}"', '"${clint}"'));
    const { exitCode, output } = await validate([join(folder, 'fragments')], options);
    expect(exitCode).toBe(4);
    expect(output).toMatch(/unused\.yaml:3:1: unknown key `watch`/);
    expect(output).toMatch(/unused\.yaml:4:29: `\$\{client\}` is no variable of this fragment/);
    expect(output.match(/good\.yaml:4:29/g)).toHaveLength(1);
    expect(output).toMatch(/used by .*a\.yaml:9/);
    expect(output).toMatch(/\n3 files, 0 scenarios, 2 fragments, 3 problems\n$/);
  });

  test('a folder without any file exits 5', async () => {
    await mkdir(join(folder, 'empty'), { recursive: true });
    expect(await validate([join(folder, 'empty')], options)).toEqual({ exitCode: 5, output: '0 files, 0 scenarios, 0 problems\n' });
  });

  test('variables are given to the scenarios', async () => {
    const path = await put('variable/a.yaml', scenarioWith({ name: 'name: ${who}' }));
    expect((await validate([path], options)).exitCode).toBe(4);
    expect((await validate([path], { ...options, variables: { who: 'me' } })).exitCode).toBe(0);
  });
});

describe('list', () => {
  test('names every kind with its options and an example, every scenario and card', async () => {
    const { exitCode, output } = await list({ registries });
    expect(exitCode).toBe(0);
    for (const registry of Object.values(registries))
      for (const { kind, about } of registry.all) expect(output).toContain(`  ${kind}  ${about}`);
    expect(output).toContain('disconnect/endless[how=fin]');
    expect(output).toContain('  reference-router  ');
    expect(output).not.toContain('undefined');
  });

  test('the same as JSON', async () => {
    const found = JSON.parse((await list({ registries, json: true })).output) as Record<
      string,
      { kind: string; options: unknown[]; example: string }[]
    >;
    expect(found.steps!.map(({ kind }) => kind)).toEqual(registries.steps.kinds);
    expect(found.steps!.find(({ kind }) => kind === 'disconnect')).toMatchObject({
      options: [{ key: 'how', required: true }],
      example: 'disconnect: { how: fin }',
    });
    expect(Object.keys(found)).toEqual(['behaviours', 'steps', 'faults', 'expectations', 'scenarios', 'cards', 'problems']);
  });
});
