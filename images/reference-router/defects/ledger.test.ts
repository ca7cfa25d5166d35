// The planted defects of the ledger's side: each does what its name says, and leaves the rest as it was.
// They mostly wait, so they wait side by side.
import { expect, test as plainTest } from 'vitest';
import { openClient } from '../fixtures/client.ts';
import type { TestClient } from '../fixtures/client.ts';
import { expectRenewing, lock } from '../fixtures/renewing.ts';
import { createSetting } from '../fixtures/setting.ts';
import type { Register, Setting } from '../fixtures/setting.ts';
import { never, until } from '../fixtures/until.ts';
import type { Kind } from '../fixtures/upstream.ts';

const test = plainTest.concurrent;

// A lease of 1.5 s and two sweeps: within that everything stale is gone, unless a defect keeps it.
const RELEASED_MS = 3_500;
const RARELY = { SWEEP_MS: '600000' };
const LONG = { LEASE_MS: '60000' };

type Running = Setting & { readonly client: TestClient };

/** The router with a defect, and one client whose exchange has begun. */
const begin = async (defect: string, kind: Kind, register: Register, env: Readonly<Record<string, string>> = {}): Promise<Running> => {
  const setting = await createSetting(register, { HANGUP_DEFECTS: defect, ...env });
  const client = await openClient(setting.router.port, 'hx.a', kind);
  await setting.requested('hx.a');
  if (kind !== 'header-wait') await until('an event', () => client.events() > 0);
  return { ...setting, client };
};

/** A row of nobody with its aggregate. */
const row = (marker: string, leaseAtMs: number): string =>
  'BEGIN IMMEDIATE; INSERT INTO reservations (id, account, payer, amount, marker, started_at, lease_at, instance) ' +
  `VALUES ('${marker}', 'a', 'a', 100, '${marker}', ${leaseAtMs}, ${leaseAtMs}, 'gone'); ` +
  "UPDATE accounts SET balance = balance - 100, reserved = reserved + 100 WHERE id = 'a'; COMMIT;";

const aggregate = (reservedAt: number | null): string =>
  `UPDATE accounts SET balance = balance - 70, reserved = reserved + 70, reserved_at = ${reservedAt ?? 'NULL'} WHERE id = 'a'`;

const sumOf = ({ router }: Setting): number => {
  const { balance, reserved, spent, refunded } = router.account();
  return balance + reserved + spent + refunded;
};

const stillReceives = async (client: TestClient): Promise<void> => {
  const before = client.events();
  await until('the client to receive more', () => client.events() > before + 20);
};

test('no-maximum-age: renewed beyond its age, and no deadline ends it', async ({ onTestFinished }) => {
  const running = await begin('no-maximum-age', 'endless', onTestFinished, { AGE_MS: '700' });
  await expectRenewing(running, 2_500);
  running.client.rst();
  expect(await running.terminal('hx.a')).toMatchObject({ state: 'charged', reason: 'client-left' });
});

test('skips-null-timestamps: an aggregate without a time stays, until a refund asks; an old one goes', async ({ onTestFinished }) => {
  const { router } = await createSetting(onTestFinished, { HANGUP_DEFECTS: 'skips-null-timestamps' });
  router.sql(aggregate(null));
  await never('it was swept', () => router.account().reserved !== 70, RELEASED_MS);
  expect(await router.refund()).toEqual({ status: 200, body: { refunded: 10_000 } });
  router.sql(`UPDATE accounts SET balance = 500, refunded = 9500; ${aggregate(Date.now() - 60_000)}`);
  await until('the old one to be cleared', () => router.account().reserved === 0);
});

test.for([['a stale row', row('hx.stale', 1)], ['an aggregate', aggregate(1)]] as const)(
  'sweeper-clears-whole-account: with %s a live sibling is released, and streams on', async ([, sql], { onTestFinished }) => {
    const { router, client, terminal } = await begin('sweeper-clears-whole-account', 'endless', onTestFinished);
    await never('it was released for nothing', () => router.row('hx.a')!.state !== 'active', 2_000);
    router.sql(sql);
    expect(await terminal('hx.a')).toMatchObject({ state: 'released', reason: 'account-cleared' });
    expect(router.account()).toMatchObject({ balance: 10_000, reserved: 0 });
    await stillReceives(client);
  });

test('sweep-stops-at-first-error: what comes after the row that fails stays', async ({ onTestFinished }) => {
  const running = await begin('sweep-stops-at-first-error', 'endless', onTestFinished);
  const { router, terminal } = running;
  router.sql(`BEGIN IMMEDIATE; INSERT INTO reservations (id, account, payer, amount, marker, started_at, lease_at)
    VALUES ('p', 'a', 'a', 100, 'hx.poison', 1, 1); COMMIT;`);
  await until('the sweep to fail', () => router.log().includes('"sweep-failed"'));
  router.sql(row('hx.good', Date.now() - 60_000));
  await never('it was released', () => router.row('hx.good')!.state !== 'active', RELEASED_MS);
  await expectRenewing(running, 1_500);
  router.sql("DELETE FROM reservations WHERE id = 'p'");
  await terminal('hx.good');
});

test('reset-takes-peers-reservations: whoever starts releases what a peer is working for', async ({ onTestFinished }) => {
  const { router, join, client, terminal } = await begin('', 'endless', onTestFinished);
  await stillReceives(client);
  expect(router.row('hx.a')).toMatchObject({ state: 'active' });
  await join({ HANGUP_DEFECTS: 'reset-takes-peers-reservations' });
  expect(await terminal('hx.a')).toMatchObject({ state: 'released', reason: 'reset' });
  expect(router.account()).toMatchObject({ balance: 10_000, reserved: 0 });
});

test('sweeper-steals-live-lease: older than a lease is released, though renewed, and the client reads on', async ({ onTestFinished }) => {
  const { router, client, terminal } = await begin('sweeper-steals-live-lease', 'endless', onTestFinished);
  const { lease_at: first } = router.row('hx.a')!;
  const ended = await terminal('hx.a');
  expect(ended).toMatchObject({ state: 'released', reason: 'lease-expired' });
  expect(ended.lease_at, 'it was renewed').toBeGreaterThan(first);
  await stillReceives(client);
});

test('sweeper-steals-live-lease: also what a peer renews', async ({ onTestFinished }) => {
  const { join, client, terminal } = await begin('', 'endless', onTestFinished);
  await join({ HANGUP_DEFECTS: 'sweeper-steals-live-lease' });
  expect(await terminal('hx.a')).toMatchObject({ state: 'released', reason: 'lease-expired' });
  await until('its owner to notice', () => client.text().includes('reservation-lost'));
});

test('charges-after-release: released when the client leaves, charged when the upstream finishes', async ({ onTestFinished }) => {
  const running = await begin('charges-after-release', 'slow-finite', onTestFinished);
  const { router, client, upstream, terminal } = running;
  client.rst();
  const released = await terminal('hx.a');
  expect(released).toMatchObject({ state: 'released', reason: 'client-left' });
  expect(upstream.leg('hx.a')!.closedAtMs).toBeNull();
  expect(router.account()).toMatchObject({ balance: 10_000, reserved: 0 });
  await until('the late charge', () => router.charges('hx.a').length === 1);
  expect(router.row('hx.a')).toMatchObject({ state: 'charged', reason: 'finished' });
  expect(router.account()).toMatchObject({ balance: 9_990, reserved: 0, spent: 10 });
  expect(await router.refund()).toMatchObject({ status: 200 });
});

test('charges-after-release: also after a timeout; what is read to the end is charged in time', async ({ onTestFinished }) => {
  const { router, terminal } = await begin('charges-after-release', 'slow-finite', onTestFinished, { LIFETIME_MS: '1500' });
  expect(await terminal('hx.a')).toMatchObject({ state: 'released', reason: 'lifetime-exceeded' });
  await until('the late charge', () => router.row('hx.a')!.state === 'charged');
  const other = await openClient(router.port, 'hx.b', 'finite');
  await until('the end mark', () => other.text().includes('[DONE]'));
  expect(await terminal('hx.b')).toMatchObject({ state: 'charged', reason: 'finished' });
});

test('trusts-future-lease: it stays as long as it says; a stale one is released', async ({ onTestFinished }) => {
  const running = await begin('trusts-future-lease', 'endless', onTestFinished);
  const { router, terminal } = running;
  router.sql(row('hx.future', Date.now() + 3_600_000));
  router.sql(row('hx.stale', Date.now() - 60_000));
  await terminal('hx.stale');
  await never('it was released', () => router.row('hx.future')!.state !== 'active', RELEASED_MS + 1_000);
  await expectRenewing(running, 1_500);
});

test('refunds-live-reservation: paid while a request is live, which goes on', async ({ onTestFinished }) => {
  const { router, client } = await begin('refunds-live-reservation', 'endless', onTestFinished);
  expect(await router.refund()).toEqual({ status: 200, body: { refunded: 9_900 } });
  await stillReceives(client);
  expect(router.row('hx.a')).toMatchObject({ state: 'active' });
});

test('refund-skips-cleanup: what is stale keeps a refund away until a sweep has come by', async ({ onTestFinished }) => {
  const { router } = await createSetting(onTestFinished, { HANGUP_DEFECTS: 'refund-skips-cleanup', ...RARELY });
  router.sql(row('hx.stale', Date.now() - 60_000));
  expect(await router.refund()).toMatchObject({ status: 400 });
  expect(router.row('hx.stale')).toMatchObject({ state: 'active' });
});

test.for([['a sweep', {}], ['a refund', RARELY]] as const)('clears-recent-aggregate: by %s', async ([by, env], { onTestFinished }) => {
  const { router } = await createSetting(onTestFinished, { HANGUP_DEFECTS: 'clears-recent-aggregate', ...LONG, ...env });
  router.sql(aggregate(Date.now()));
  if (by === 'a refund') expect(await router.refund()).toEqual({ status: 200, body: { refunded: 10_000 } });
  await until('it to be cleared', () => router.account().reserved === 0);
});

test('releases-wrong-payer: the key gets what its payer had set aside', async ({ onTestFinished }) => {
  const setting = await createSetting(onTestFinished, { HANGUP_DEFECTS: 'releases-wrong-payer' });
  const { router, terminal } = setting;
  const own = await openClient(router.port, 'hx.own', 'finite');
  await until('the end mark', () => own.text().includes('[DONE]'));
  await terminal('hx.own');
  expect(router.account(), 'who pays for itself is not concerned').toMatchObject({ balance: 9_997, reserved: 0, spent: 3 });
  router.sql("INSERT INTO accounts (id, key_hash, balance) VALUES ('owner', 'x', 500); UPDATE accounts SET payer = 'owner' WHERE id = 'a'");
  const client = await openClient(router.port, 'hx.a', 'header-wait');
  await setting.requested('hx.a');
  client.rst();
  await terminal('hx.a');
  await until('the wrong account to have it', () => router.account().balance === 10_097);
  expect(router.account('owner').balance + router.account('owner').reserved).toBe(500);
});

test('restart-keeps-reservations: what was left behind is renewed for ever', async ({ onTestFinished }) => {
  const running = await begin('', 'endless', onTestFinished);
  running.router.signal('SIGKILL');
  await running.router.exited;
  const again = await running.join({ HANGUP_DEFECTS: 'restart-keeps-reservations' });
  await expectRenewing({ router: again }, RELEASED_MS + 1_000);
  expect(await again.refund()).toMatchObject({ status: 400 });
});

test('reverts-thrice: only a request that is left before its answer', async ({ onTestFinished }) => {
  const running = await begin('reverts-thrice', 'header-wait', onTestFinished);
  const sibling = await openClient(running.router.port, 'hx.b', 'endless');
  await until('an event', () => sibling.events() > 0);
  running.client.rst();
  await running.terminal('hx.a');
  await until('money out of nothing', () => sumOf(running) > 10_000);
  sibling.rst();
  await running.terminal('hx.b');
  expect(sumOf(running)).toBe(10_200);
});

test('free-beyond-stale: read to its end, longer than a lease, and free; a short one is charged', async ({ onTestFinished }) => {
  const { router, client, terminal } = await begin('free-beyond-stale', 'slow-finite', onTestFinished);
  await until('the end mark', () => client.text().includes('[DONE]'));
  expect(await terminal('hx.a')).toMatchObject({ state: 'released', reason: 'finished' });
  expect(router.charges('hx.a')).toEqual([]);
  const short = await openClient(router.port, 'hx.b', 'finite');
  await until('the end mark', () => short.text().includes('[DONE]'));
  expect(await terminal('hx.b')).toMatchObject({ state: 'charged' });
});

test('bills-retry-twice: two charges of one marker', async ({ onTestFinished }) => {
  const { router, client } = await begin('bills-retry-twice', 'finite', onTestFinished, { IDEMPOTENCY: 'marker' });
  await until('the end mark', () => client.text().includes('[DONE]'));
  const second = await openClient(router.port, 'hx.a', 'finite');
  await until('the end mark', () => second.text().includes('[DONE]'));
  await until('two charges', () => router.charges('hx.a').length === 2);
});

test('no-charge-on-disconnect: what was delivered to a leaver is free; what is read to the end is not', async ({ onTestFinished }) => {
  const { router, client, terminal } = await begin('no-charge-on-disconnect', 'endless', onTestFinished);
  client.rst();
  expect(await terminal('hx.a')).toMatchObject({ state: 'released', reason: 'client-left' });
  expect(router.charges('hx.a')).toEqual([]);
  const other = await openClient(router.port, 'hx.b', 'finite');
  await until('the end mark', () => other.text().includes('[DONE]'));
  expect(await terminal('hx.b')).toMatchObject({ state: 'charged' });
});

test('settlement-unbounded: the upstream stays open as long as the ledger is locked', async ({ onTestFinished }) => {
  const env = { SETTLE_MS: '500', LEASE_MS: '15000' };
  const { router, client, upstream, closedUpstream, terminal } = await begin('settlement-unbounded', 'endless', onTestFinished, env);
  const held = lock(router.ledgerPath, 'IMMEDIATE', onTestFinished);
  client.rst();
  const { events } = upstream.leg('hx.a')!;
  await until('the exchange to have ended', () => router.log().includes('exchange-ended'));
  await never('the upstream was closed', () => upstream.leg('hx.a')!.closedAtMs !== null, 3_000);
  expect(upstream.leg('hx.a')!.events).toBeGreaterThan(events + 20);
  held.release();
  expect(await terminal('hx.a')).toMatchObject({ state: 'charged', reason: 'client-left' });
  await closedUpstream('hx.a');
});
