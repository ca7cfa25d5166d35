// The checks run for real on this machine: each has its say, and what is wrong comes with a hint.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { examine } from './doctor.ts';
import type { Check } from './doctor.ts';

test('every check has a detail, and a hint where something is wrong', async () => {
  const checks = await examine();
  expect(checks.map((check) => check.name)).toEqual(expect.arrayContaining(['node', 'namespaces', 'open files', 'disk', 'engine']));
  for (const check of checks) {
    expect(check.detail, check.name).not.toBe('');
    if (check.state !== 'ok') expect(check.hint, check.name).toMatch(/\S/);
  }
  expect(new Set(checks.map((check) => check.name)).size).toBe(checks.length);
  expect(checks.find((check) => check.name === 'node')).toEqual({ name: 'node', state: 'ok', detail: process.version });
});

test('the engine that DOCKER_HOST names is meant, and no other', () => {
  const script = `import { examine } from '${import.meta.dirname}/doctor.ts'; console.log(JSON.stringify(await examine()));`;
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8', env: { ...process.env, DOCKER_HOST: 'tcp://127.0.0.1:1' },
  });
  const engine = (JSON.parse(text) as readonly Check[]).find((check) => check.name === 'engine');
  expect(engine).toMatchObject({ state: 'poor', detail: expect.stringContaining('engine'), hint: expect.stringContaining('DOCKER_HOST') });
});
