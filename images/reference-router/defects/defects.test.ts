// Each planted defect does what its name says, goes on renewing while it does so, and leaves the
// rest of the router as it was. They mostly wait, so they wait side by side.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openClient } from '../fixtures/client.ts';
import type { TestClient } from '../fixtures/client.ts';
import { expectRenewing } from '../fixtures/renewing.ts';
import { createSetting } from '../fixtures/setting.ts';
import type { Register, Setting } from '../fixtures/setting.ts';
import { never, until } from '../fixtures/until.ts';
import type { Kind } from '../fixtures/upstream.ts';
import { defectNames, defects } from './registry.ts';

type Running = Setting & { readonly client: TestClient };

/** The router with a defect, and one client whose exchange has begun. */
const begin = async (defect: string, kind: Kind, register: Register, env: Readonly<Record<string, string>> = {}): Promise<Running> => {
  const setting = await createSetting(register, { HANGUP_DEFECTS: defect, ...env });
  const client = await openClient(setting.router.port, 'hx.a', kind, { reads: kind !== 'flood' });
  await setting.requested('hx.a');
  if (kind === 'flood') await setting.status(defect === 'buffers-without-bound' ? '"events"' : '"blocked"');
  else if (kind !== 'header-wait') await until('an event', () => client.events() > 0);
  return { ...setting, client };
};

const expectStillOpen = async (running: Setting, forMs = 2_000): Promise<void> => {
  await expectRenewing(running, forMs);
  expect(running.upstream.leg('hx.a')!.closedAtMs, 'the upstream is still open').toBeNull();
};

test('kind, file and registry agree', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => !/^(defect|leak|registry)\.ts$|\.test\.ts$/.test(file));
  expect(files.map((file) => file.replace(/\.ts$/, '')).sort()).toEqual([...defectNames].sort());
});

test('the README has the table of the registry', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  for (const { name, about } of defects) expect(readme).toContain(`| \`${name}\` | ${about} |\n`);
});

describe.concurrent('defects', () => {
  test('settles-twice: two charges of one marker', async ({ onTestFinished }) => {
    const { router, terminal } = await begin('settles-twice', 'finite', onTestFinished);
    await terminal('hx.a');
    await until('two charges', () => router.charges('hx.a').length === 2);
    expect(router.account()).toMatchObject({ reserved: 0, spent: 6, balance: 9_994 });
  });

  test('never-settles: read to the end and still active', async ({ onTestFinished }) => {
    const running = await begin('never-settles', 'finite', onTestFinished);
    await until('the end mark', () => running.client.text().includes('[DONE]'));
    await expectRenewing(running, 2_500);
    expect(running.router.charges('hx.a')).toEqual([]);
  });

  test.for<[string, Kind, string]>([
    ['no-read-timeout', 'silent', 'READ_MS'],
    ['no-header-timeout', 'header-wait', 'HEADER_MS'],
    ['no-request-lifetime', 'endless', 'LIFETIME_MS'],
    ['no-send-timeout', 'flood', 'SEND_MS'],
    ['comments-count-as-progress', 'comments', 'PROGRESS_MS'],
    ['renews-without-progress', 'silent', 'PROGRESS_MS'],
  ])('%s: the bound of %s is not kept, but a leave is noticed', async ([defect, kind, variable], { onTestFinished }) => {
    const running = await begin(defect, kind, onTestFinished, { [variable]: '600' });
    await expectStillOpen(running);
    running.client.rst();
    await running.closedUpstream('hx.a');
    await running.terminal('hx.a');
  });

  test('renews-without-progress: leaves the read timeout', async ({ onTestFinished }) => {
    const { terminal } = await begin('renews-without-progress', 'silent', onTestFinished, { READ_MS: '600' });
    expect(await terminal('hx.a')).toMatchObject({ reason: 'read-timeout' });
  });

  test('comments-count-as-progress: leaves the progress bound of a silent upstream', async ({ onTestFinished }) => {
    const { terminal } = await begin('comments-count-as-progress', 'silent', onTestFinished, { PROGRESS_MS: '600' });
    expect(await terminal('hx.a')).toMatchObject({ reason: 'progress-timeout' });
  });

  const leaves = (['header-wait', 'silent', 'endless', 'comments', 'flood'] as const).flatMap((kind) =>
    (['rst', 'halfClose', 'fin'] as const).map((how) => [kind, how] as const));
  test.for(leaves)('ignores-disconnect: %s goes on after %s, and a refund is refused', async ([kind, how], { onTestFinished }) => {
    const running = await begin('ignores-disconnect', kind, onTestFinished);
    running.client[how]();
    await expectStillOpen(running);
    expect(await running.router.refund()).toMatchObject({ status: 400 });
  });

  test('ignores-disconnect: leaves the bounds, and charges what was read for nobody', async ({ onTestFinished }) => {
    const { client, router, terminal } = await begin('ignores-disconnect', 'endless', onTestFinished, { LIFETIME_MS: '2000' });
    const received = client.events();
    client.rst();
    expect(await terminal('hx.a')).toMatchObject({ state: 'charged', reason: 'lifetime-exceeded' });
    expect(router.charges('hx.a')[0]!.amount).toBeGreaterThan(received + 10);
  });

  test('leaves-headers-pending: only before the head', async ({ onTestFinished }) => {
    const running = await begin('leaves-headers-pending', 'header-wait', onTestFinished);
    const other = await openClient(running.router.port, 'hx.b', 'endless');
    await until('an event', () => other.events() > 0);
    other.rst();
    running.client.rst();
    await running.closedUpstream('hx.b');
    await expectStillOpen(running);
  });

  test('bills-after-leave: closes after 3 s and charges all of it', async ({ onTestFinished }) => {
    const running = await begin('bills-after-leave', 'endless', onTestFinished);
    const received = running.client.events();
    running.client.rst();
    await expectStillOpen(running, 2_000);
    expect(await running.terminal('hx.a')).toMatchObject({ state: 'charged', reason: 'client-left' });
    await running.closedUpstream('hx.a');
    expect(running.router.charges('hx.a')[0]!.amount).toBeGreaterThan(received + 20);
  });

  test('buffers-without-bound: memory grows, within what a machine survives; the send bound stands', async ({ onTestFinished }) => {
    const { router, terminal, upstream } = await begin('buffers-without-bound', 'flood', onTestFinished, { SEND_MS: '4000' });
    const residentKb = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${router.pid}/status`, 'utf8'))?.[1]);
    await until('250 MB to be held', () => residentKb() > 250 * 1_024, 10_000, residentKb);
    expect(await terminal('hx.a', 10_000)).toMatchObject({ reason: 'send-timeout' });
    expect(upstream.leg('hx.a')!.bytes).toBeLessThan(400 * 1_048_576);
  });

  test('sweeper-never-runs: a stale row stays, until a refund asks', async ({ onTestFinished }) => {
    const { router } = await createSetting(onTestFinished, { HANGUP_DEFECTS: 'sweeper-never-runs' });
    router.sql(`INSERT INTO reservations (id, account, payer, amount, marker, started_at, lease_at) VALUES ('s', 'a', 'a', 5, 'hx.s', 1, 1);
      UPDATE accounts SET balance = balance - 5, reserved = 5;`);
    await never('it was swept', () => router.row('hx.s')!.state !== 'active', 3_000);
    expect(await router.refund()).toMatchObject({ status: 200 });
  });

  test('loses-upstream-error: hangs beyond every bound, but the router can be stopped', async ({ onTestFinished }) => {
    const bounds = { READ_MS: '1000', LIFETIME_MS: '1500', SHUTDOWN_MS: '300' };
    const running = await begin('loses-upstream-error', 'breaks', onTestFinished, bounds);
    await running.closedUpstream('hx.a');
    await expectRenewing(running, 2_500);
    expect(running.client.ended()).toBeNull();
    running.router.signal('SIGTERM');
    expect(await running.router.exited).toEqual({ code: 0, signal: null });
    expect(running.router.account()).toMatchObject({ reserved: 0 });
  });

  const expectNotExiting = async ({ router }: Setting, forMs: number): Promise<void> => {
    let hasExited = false;
    void router.exited.then(() => (hasExited = true));
    router.signal('SIGTERM');
    await never('it exited', () => hasExited, forMs);
  };

  test('shutdown-waits-for-streams: goes on until the stream ends', async ({ onTestFinished }) => {
    const running = await begin('shutdown-waits-for-streams', 'endless', onTestFinished, { SHUTDOWN_MS: '300' });
    await expectNotExiting(running, 2_500);
    running.client.rst();
    expect(await running.router.exited).toEqual({ code: 0, signal: null });
  });

  test('shutdown-waits-for-settlement: only after an upstream error, whose row stays active', async ({ onTestFinished }) => {
    const running = await begin('shutdown-waits-for-settlement', 'breaks', onTestFinished, { SHUTDOWN_MS: '300' });
    const other = await openClient(running.router.port, 'hx.b', 'endless');
    await until('the client to be told', () => running.client.text().includes('upstream-failed'));
    await expectNotExiting(running, 2_500);
    expect(other.text(), 'open streams are still cut').toContain('shutting down');
    expect(running.router.row('hx.b')).toMatchObject({ state: 'charged' });
    await expectRenewing(running, 1_500);
  });
});
