// Several instances on one ledger: real processes, one file. Each keeps its own, none takes another's, and
// what a dead one leaves behind is released.
import { DatabaseSync } from 'node:sqlite';
import { expect, test as plainTest } from 'vitest';
import { openClient } from './fixtures/client.ts';
import { clockAhead } from './fixtures/router.ts';
import { createSetting } from './fixtures/setting.ts';
import { never, until } from './fixtures/until.ts';

// They mostly wait, so they wait side by side.
const test = plainTest.concurrent;

// Twice the usual, so that a machine which is busy with others does not make a peer miss it.
const LEASE_MS = 3_000;
const SWEEP_MS = 1_000;
// A lease and two sweeps, and what a machine that is busy with others adds.
const RELEASED_MS = LEASE_MS + 2 * SWEEP_MS + 1_000;
const HOUR_MS = 3_600_000;
const env = { LEASE_MS: String(LEASE_MS) };

test('three renew, sweep and refund at once; one is stopped, one killed and started again', async ({ onTestFinished }) => {
  const { router: first, join, upstream, terminal } = await createSetting(onTestFinished, env);
  const second = await join();
  const third = await join();
  const routers = [first, second, third];
  const clients = await Promise.all(routers.flatMap((router, at) =>
    [0, 1, 2].map((n) => openClient(router.port, `hx.${at}.${n}`, 'endless'))));
  await until('all to receive', () => clients.every((client) => client.events() > 0));
  const refunds = routers.map((router) => router.refund());
  for (const answer of await Promise.all(refunds)) expect(answer).toMatchObject({ status: 400 });
  second.signal('SIGTERM');
  third.signal('SIGKILL');
  expect(await second.exited).toEqual({ code: 0, signal: null });
  await third.exited;
  const again = await join();
  const orphans = ['hx.2.0', 'hx.2.1', 'hx.2.2'];
  for (const marker of orphans) expect(await terminal(marker, RELEASED_MS)).toMatchObject({ state: 'released', reason: 'lease-expired' });
  for (const n of [0, 1, 2]) {
    expect(first.row(`hx.0.${n}`), 'of the one that was let alone').toMatchObject({ state: 'active' });
    expect(first.row(`hx.1.${n}`), 'of the one that was stopped').toMatchObject({ state: 'charged', reason: 'shutdown' });
  }
  const { balance, reserved, spent } = first.account();
  expect({ reserved, sum: balance + reserved + spent }).toEqual({ reserved: 300, sum: 10_000 });
  const healthy = await openClient(again.port, 'hx.healthy', 'finite');
  await until('the one that was started again to serve', () => healthy.text().includes('[DONE]'));
  expect(upstream.leg('hx.0.0')!.closedAtMs).toBeNull();
});

test.for([HOUR_MS, -HOUR_MS, 24 * HOUR_MS, -24 * HOUR_MS])('a peer whose clock is off by %i ms', async (aheadMs, { onTestFinished }) => {
  const { router, join, terminal } = await createSetting(onTestFinished, env);
  const peer = await join(clockAhead(aheadMs));
  const clients = [await openClient(router.port, 'hx.right', 'endless'), await openClient(peer.port, 'hx.wrong', 'endless')];
  await until('both to receive', () => clients.every((client) => client.events() > 0));
  const off = router.row('hx.wrong')!.lease_at - router.row('hx.right')!.lease_at;
  expect(Math.abs(off - aheadMs), 'the clock is really off').toBeLessThan(60_000);
  const isOneOver = (): boolean => ['hx.right', 'hx.wrong'].some((marker) => router.row(marker)!.state !== 'active');
  await never('one was swept', isOneOver, LEASE_MS + 2 * SWEEP_MS);
  peer.signal('SIGKILL');
  await peer.exited;
  expect(await terminal('hx.wrong', RELEASED_MS)).toMatchObject({ state: 'released', reason: 'lease-expired' });
  expect(router.row('hx.right')).toMatchObject({ state: 'active' });
});

test('a ledger that was locked for longer than a lease costs nobody a reservation', async ({ onTestFinished }) => {
  const { router, join } = await createSetting(onTestFinished, env);
  // This one has nothing of its own: it could sweep in the moment in which the lock is let go.
  await join({ SWEEP_MS: '100' });
  const peer = await join();
  const clients = [await openClient(router.port, 'hx.one', 'endless'), await openClient(peer.port, 'hx.two', 'endless')];
  await until('both to receive', () => clients.every((client) => client.events() > 0));
  const lock = new DatabaseSync(router.ledgerPath, { timeout: 2_000 });
  lock.exec('BEGIN IMMEDIATE');
  const lockedAtMs = performance.now();
  await until('the lock to have outlasted a lease', () => performance.now() - lockedAtMs > LEASE_MS + SWEEP_MS, 10_000);
  lock.close();
  await never('one was swept', () => ['hx.one', 'hx.two'].some((marker) => router.row(marker)!.state !== 'active'), 3_000);
});

test('killed and started again on the same data: released within the bound, and the account is usable', async ({ onTestFinished }) => {
  const { router, join, terminal } = await createSetting(onTestFinished, env);
  router.sql('UPDATE accounts SET balance = 150');
  const client = await openClient(router.port, 'hx.a', 'endless');
  await until('an event', () => client.events() > 0);
  router.signal('SIGKILL');
  await router.exited;
  const again = await join();
  expect(again.row('hx.a')).toMatchObject({ state: 'active' });
  expect(await terminal('hx.a', RELEASED_MS)).toMatchObject({ state: 'released' });
  const next = await openClient(again.port, 'hx.b', 'finite');
  await until('the next to be served', () => next.text().includes('[DONE]'));
  expect(await terminal('hx.b')).toMatchObject({ state: 'charged' });
});

test('a stopped instance resumes after its lease: its stream ends, and nothing is charged twice', async ({ onTestFinished }) => {
  const { router, join, terminal, closedUpstream } = await createSetting(onTestFinished, env);
  const peer = await join();
  const client = await openClient(peer.port, 'hx.a', 'endless');
  await until('an event', () => client.events() > 0);
  peer.signal('SIGSTOP');
  expect(await terminal('hx.a', RELEASED_MS)).toMatchObject({ state: 'released', reason: 'lease-expired' });
  peer.signal('SIGCONT');
  await closedUpstream('hx.a');
  await until('the client to be told', () => client.text().includes('reservation-lost'));
  expect(router.charges('hx.a')).toEqual([]);
  expect(router.account()).toMatchObject({ balance: 10_000, reserved: 0 });
});
