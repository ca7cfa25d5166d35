// Nothing keeps the router from stopping: no stream, no client that does not read, no locked ledger.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as plainTest } from 'vitest';
import { openClient } from './fixtures/client.ts';
import { lock } from './fixtures/renewing.ts';
import { createSetting } from './fixtures/setting.ts';
import { never, until } from './fixtures/until.ts';
import type { Kind } from './fixtures/upstream.ts';

// They mostly wait, so they wait side by side.
const test = plainTest.concurrent;

const SHUTDOWN_MS = 800;
const env = { SHUTDOWN_MS: String(SHUTDOWN_MS) };

test('idle, it exits 0 at once', async ({ onTestFinished }) => {
  const { router } = await createSetting(onTestFinished, env);
  router.signal('SIGTERM');
  expect(await router.exited).toEqual({ code: 0, signal: null });
});

test('told at the very moment at which it says that it listens, it exits 0 all the same', async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'reference-router-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const stopAtOnce = async (_: unknown, number: number): Promise<unknown> => {
    const environment = { PORT: '0', UPSTREAM_URL: 'http://127.0.0.1:9', LEDGER: join(folder, `${number}.db`) };
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.once('data', () => child.kill('SIGTERM'));
    return (await once(child, 'exit'))[0];
  };
  expect(await Promise.all(Array.from({ length: 6 }, stopAtOnce))).toEqual([0, 0, 0, 0, 0, 0]);
});

test('a stream that ends within the bound is completed and charged; nothing new is accepted meanwhile', async ({ onTestFinished }) => {
  const { router } = await createSetting(onTestFinished, { SHUTDOWN_MS: '10000' });
  const client = await openClient(router.port, 'hx.a', 'slow-finite');
  await until('an event', () => client.events() > 0);
  router.signal('SIGTERM');
  await until('the router to stop accepting', () => router.log().includes('"stopping"'));
  await expect(openClient(router.port, 'hx.late', 'finite')).rejects.toThrow(/ECONNREFUSED/);
  expect(await router.exited).toEqual({ code: 0, signal: null });
  expect(client.text()).toContain('[DONE]');
  expect(router.row('hx.a')).toMatchObject({ state: 'charged', reason: 'finished' });
});

test('streams that do not end are cut visibly and settled within the bound and a second', async ({ onTestFinished }) => {
  const { router, requested, status } = await createSetting(onTestFinished, env);
  const kinds: readonly Kind[] = ['endless', 'silent', 'comments', 'header-wait', 'flood'];
  const clients = await Promise.all(kinds.map((kind) => openClient(router.port, `hx.${kind}`, kind, { reads: kind !== 'flood' })));
  await Promise.all(kinds.map((kind) => requested(`hx.${kind}`)));
  await status('"blocked"');
  const signalledAtMs = performance.now();
  router.signal('SIGTERM');
  expect(await router.exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - signalledAtMs).toBeLessThan(SHUTDOWN_MS + 2_500);
  for (const [index, kind] of kinds.entries()) {
    expect(router.row(`hx.${kind}`), kind).toMatchObject({ state: kind === 'header-wait' ? 'released' : 'charged', reason: 'shutdown' });
    const text = clients[index]!.text();
    expect(text, kind).not.toContain('[DONE]');
    if (kind !== 'flood') expect(text, kind).toContain('shutting down');
    if (kind !== 'header-wait') expect(text.endsWith('0\r\n\r\n'), kind).toBe(false);
  }
  expect(router.account()).toMatchObject({ reserved: 0 });
});

test('after the upstream was stopped it stops as well', async ({ onTestFinished }) => {
  const { router, upstream, terminal } = await createSetting(onTestFinished, env);
  const client = await openClient(router.port, 'hx.b', 'endless');
  await until('an event', () => client.events() > 0);
  await upstream.stop();
  expect(await terminal('hx.b')).toMatchObject({ state: 'charged', reason: 'upstream-failed' });
  router.signal('SIGTERM');
  expect(await router.exited).toEqual({ code: 0, signal: null });
  expect(router.account()).toMatchObject({ reserved: 0 });
});

test('a locked ledger does not keep it: it stops in time and leaves the row to whoever runs next', async ({ onTestFinished }) => {
  const { router } = await createSetting(onTestFinished, env);
  const client = await openClient(router.port, 'hx.c', 'endless');
  await until('an event', () => client.events() > 0);
  lock(router.ledgerPath, 'IMMEDIATE', onTestFinished);
  const signalledAtMs = performance.now();
  router.signal('SIGTERM');
  expect(await router.exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - signalledAtMs).toBeLessThan(SHUTDOWN_MS + 2_500);
  expect(client.text()).toContain('shutting down');
  expect(router.row('hx.c')).toMatchObject({ state: 'active' });
});

test('a second signal ends it at once', async ({ onTestFinished }) => {
  const { router } = await createSetting(onTestFinished, { SHUTDOWN_MS: '60000' });
  const client = await openClient(router.port, 'hx.d', 'endless');
  await until('an event', () => client.events() > 0);
  router.signal('SIGTERM');
  await until('the first to be seen', () => router.log().includes('"stopping"'));
  router.signal('SIGTERM');
  expect(await router.exited).toEqual({ code: 1, signal: null });
});

const LOCKS = ['IMMEDIATE', 'EXCLUSIVE'] as const;
test.for(LOCKS)('ledger locked (%s): siblings stream on, a leaver is let go, and charged afterwards', async (how, { onTestFinished }) => {
  const { router, upstream, closedUpstream, terminal } = await createSetting(onTestFinished, { SETTLE_MS: '500' });
  const leaver = await openClient(router.port, 'hx.e', 'endless');
  const sibling = await openClient(router.port, 'hx.f', 'endless');
  await until('both to receive', () => leaver.events() > 0 && sibling.events() > 0);
  const held = lock(router.ledgerPath, how, onTestFinished);
  const before = sibling.events();
  const leftAtMs = performance.now();
  leaver.rst();
  expect(await closedUpstream('hx.e') - leftAtMs).toBeLessThan(1_500);
  await until('the sibling to receive two seconds more', () => sibling.events() > before + 35, 6_000);
  // Longer than the lease by now: what is settled first is not swept.
  expect(router.row('hx.e')).toMatchObject({ state: 'active' });
  held.release();
  expect(await terminal('hx.e')).toMatchObject({ state: 'charged', reason: 'client-left' });
  expect(router.charges('hx.e')[0]!.amount).toBeLessThanOrEqual(upstream.leg('hx.e')!.events);
  await never('the sibling was swept', () => router.row('hx.f')!.state !== 'active', 1_500);
});
