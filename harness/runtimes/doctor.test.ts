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

/** What is said of the engine by doctor, and by a run that wants it, where DOCKER_HOST says this. */
const engineAt = (host: string): { readonly engine: Check; readonly refused: string } => {
  const script = `
    import { examine } from '${import.meta.dirname}/doctor.ts';
    import { selectRuntime } from '${import.meta.dirname}/select.ts';
    const engine = (await examine()).find(({ name }) => name === 'engine');
    const refused = await selectRuntime('docker').then(() => '', ({ problems: [{ message, hint }] }) => message + ' ' + hint);
    console.log(JSON.stringify({ engine, refused }));
  `;
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', env: { ...process.env, DOCKER_HOST: host } });
  return JSON.parse(text) as ReturnType<typeof engineAt>;
};

test('the engine that DOCKER_HOST names is meant, and no other', () => {
  const { engine, refused } = engineAt('tcp://127.0.0.1:1');
  expect(engine).toMatchObject({ state: 'poor', detail: expect.stringContaining('nothing answers at DOCKER_HOST=tcp://127.0.0.1:1'), hint: expect.stringContaining('DOCKER_HOST') });
  expect(refused).toContain('nothing answers at DOCKER_HOST=tcp://127.0.0.1:1');
});

test('of an engine behind ssh:// it is said that this is not spoken, and which tunnel reaches it', () => {
  const { engine, refused } = engineAt('ssh://them@127.0.0.1:2222');
  const tunnel = 'ssh -nNT -L /tmp/their-engine.sock:/var/run/docker.sock -p 2222 them@127.0.0.1';
  expect(engine).toMatchObject({ state: 'poor', detail: expect.stringContaining('ssh:// is not spoken here'), hint: expect.stringContaining(tunnel) });
  for (const said of ['runtime docker: no container engine answers', 'ssh:// is not spoken here', tunnel, 'DOCKER_HOST=unix:///tmp/their-engine.sock']) expect(refused).toContain(said);
});

test.each(['/var/run/docker.sock', 'fd://', '127.0.0.1:2375'])('that %s is no address of an engine is said, and how one is written', (host) => {
  const { engine } = engineAt(host);
  expect(engine).toMatchObject({ state: 'poor', detail: expect.stringContaining(`DOCKER_HOST=${host} is no address of an engine`), hint: expect.stringContaining('tcp://host:port') });
});
