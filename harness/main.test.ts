// The process itself: the code it ends with when nobody reads on, and when something of ours breaks.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

const ENTRY = join(import.meta.dirname, 'hangup.mjs');

const start = (words: readonly string[], node: readonly string[] = [], env: NodeJS.ProcessEnv = {}) => {
  const child = spawn(process.execPath, [...node, ENTRY, ...words], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, errors })) };
};

test('a reader that goes away is no fault: `hangup list | head -1`', async () => {
  const { child, ended } = start(['list']);
  child.stdout.destroy();
  expect(await ended).toEqual({ code: 0, errors: '' });
});

const FULL = '/dev/full';
test.skipIf(!existsSync(FULL))('what cannot be printed is said in one place, and is no success', async () => {
  const full = openSync(FULL, 'w');
  onTestFinished(() => closeSync(full));
  const child = spawn(process.execPath, [ENTRY, 'list'], { stdio: ['ignore', full, 'pipe'] });
  let errors = '';
  child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
  expect((await once(child, 'close'))[0]).toBe(3);
  expect(errors).toMatch(/^(?:hangup: )?not all could be printed: ENOSPC.* \[output-not-writable\]\n  hint: .+\n$/);
  const silent = spawn(process.execPath, [ENTRY, 'list'], { stdio: ['ignore', full, full] });
  expect((await once(silent, 'close'))[0]).toBe(3);
});

test('what nobody caught ends with 3, never with 1, which says that a claim was violated', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-main-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of [
    ['thrown', "setTimeout(() => { throw new Error('loose end'); }, 300);"],
    ['rejected', "setTimeout(() => void Promise.reject(new Error('loose end')), 300);"],
  ] as const) {
    const preload = join(folder, `${name}.mjs`);
    // It keeps the process alive, so that the error is there before the command has ended.
    writeFileSync(preload, `${text} setTimeout(() => {}, 20_000);`);
    const { ended } = start(['list', '--json'], ['--import', preload]);
    const { code, errors } = await ended;
    expect([name, code]).toEqual([name, 3]);
    expect(errors).toContain('loose end');
    expect(errors).toContain('this is a fault of hangup itself');
  }
});

test('what something else still waits for does not hold the command when all is said: an engine that answers nothing', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-main-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'engine.sock');
  const held = new Set<Socket>();
  const silent = createServer((socket) => void held.add(socket.on('error', () => {})));
  onTestFinished(() => {
    silent.close();
    for (const socket of held) socket.destroy();
  });
  await once(silent.listen(path), 'listening');
  const { child, ended } = start(['doctor'], [], { DOCKER_HOST: `unix://${path}` });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  await ended;
  expect(said).toContain('nothing came within');
  expect(held.size, 'the engine was asked').toBeGreaterThan(0);
});

test('a command that is held does not end before all that it said has been read', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-main-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const preload = join(folder, 'held.mjs');
  // More than any pipe holds, written as the command's own words are; then something that would hold it for long.
  writeFileSync(preload, "process.stdout.write('x'.repeat(4 * 1024 * 1024)); setTimeout(() => {}, 300_000);");
  const { child, ended } = start(['list', '--json'], ['--import', preload]);
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdout.pause();
  // A reader that is slower than the command would wait for anything else.
  await pass(4_000);
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
  const { code } = await ended;
  expect(code).toBe(0);
  expect(bytes).toBeGreaterThan(4 * 1024 * 1024);
});
