// What the router does to money that nobody works for any more, and what others do to its rows.
import { expect, test as plainTest } from 'vitest';
import { openClient } from './fixtures/client.ts';
import { createSetting } from './fixtures/setting.ts';
import { never, until } from './fixtures/until.ts';

// They mostly wait, so they wait side by side.
const test = plainTest.concurrent;

const insert = (id: string, leaseAtMs: number, account = 'a'): string =>
  'INSERT INTO reservations (id, account, payer, amount, marker, started_at, lease_at, instance) ' +
  `VALUES ('${id}', '${account}', '${account}', 100, '${id}', ${leaseAtMs}, ${leaseAtMs}, 'gone');` +
  `UPDATE accounts SET balance = balance - 100, reserved = reserved + 100, reserved_at = ${leaseAtMs} WHERE id = '${account}';`;

test('a stale row of another instance is released; a live sibling of the account is not', async ({ onTestFinished }) => {
  const { router, terminal } = await createSetting(onTestFinished);
  const client = await openClient(router.port, 'hx.live', 'endless');
  await until('an event', () => client.events() > 0);
  router.sql(`BEGIN IMMEDIATE; ${insert('hx.stale', Date.now() - 60_000)} COMMIT;`);
  expect(await terminal('hx.stale')).toMatchObject({ state: 'released', reason: 'lease-expired' });
  expect(router.row('hx.live')).toMatchObject({ state: 'active' });
  expect(router.account()).toMatchObject({ balance: 9_900, reserved: 100 });
});

test('a lease in the future is nobody\'s once it has not moved for a lease and two sweeps', async ({ onTestFinished }) => {
  const { router, terminal } = await createSetting(onTestFinished);
  const client = await openClient(router.port, 'hx.live', 'endless');
  await until('an event', () => client.events() > 0);
  router.sql(`BEGIN IMMEDIATE; ${insert('hx.future', Date.now() + 3_600_000)} COMMIT;`);
  await never('it was released within a lease', () => router.row('hx.future')!.state !== 'active', 1_400);
  expect(await terminal('hx.future', 2_600)).toMatchObject({ state: 'released', reason: 'lease-expired' });
  expect(router.row('hx.live')).toMatchObject({ state: 'active' });
});

test('a row that cannot be released does not hold up the others', async ({ onTestFinished }) => {
  const { router, terminal } = await createSetting(onTestFinished);
  router.sql(`BEGIN IMMEDIATE; ${insert('hx.poison', Date.now() - 90_000)} ${insert('hx.good', Date.now() - 60_000)} ` +
    `INSERT INTO accounts (id, key_hash) VALUES ('poor', 'x'); UPDATE reservations SET payer = 'poor' WHERE id = 'hx.poison'; COMMIT;`);
  await terminal('hx.good');
  expect(router.row('hx.poison')).toMatchObject({ state: 'active' });
  await until('the failure to be logged', () => router.log().includes('release-failed'));
});

test('a refund clears what is stale on the account without waiting for the sweep', async ({ onTestFinished }) => {
  const { router } = await createSetting(onTestFinished, { SWEEP_MS: '60000' });
  router.sql(`BEGIN IMMEDIATE; ${insert('hx.old', Date.now() - 60_000)} COMMIT;`);
  expect(await router.refund()).toEqual({ status: 200, body: { refunded: 10_000 } });
  expect(router.account()).toMatchObject({ balance: 0, reserved: 0, refunded: 10_000 });
  expect(await router.refund(), 'a second one finds nothing').toEqual({ status: 200, body: { refunded: 0 } });
});

const aggregate = (reservedAt: number | null): string =>
  `UPDATE accounts SET balance = balance - 70, reserved = reserved + 70, reserved_at = ${reservedAt ?? 'NULL'}`;
const LONG = { LEASE_MS: '60000' };

test('an aggregate without a row is swept when it is old or has no time; a recent one stays', async ({ onTestFinished }) => {
  const { router } = await createSetting(onTestFinished, LONG);
  router.sql(aggregate(Date.now() - 1_000));
  await never('the recent one was cleared', () => router.account().reserved !== 70, 2_500);
  router.sql(`UPDATE accounts SET reserved_at = ${Date.now() - 120_000}`);
  await until('the old one to be cleared', () => router.account().reserved === 0);
  router.sql(aggregate(null));
  await until('the one without a time to be cleared', () => router.account().reserved === 0);
  expect(router.account()).toMatchObject({ balance: 10_000 });
});

test('the same when a refund asks and no sweep has come by', async ({ onTestFinished }) => {
  const { router } = await createSetting(onTestFinished, { ...LONG, SWEEP_MS: '600000' });
  router.sql(aggregate(Date.now() - 1_000));
  expect(await router.refund()).toMatchObject({ status: 400 });
  expect(router.account()).toMatchObject({ reserved: 70 });
  router.sql(`UPDATE accounts SET reserved_at = ${Date.now() - 120_000}`);
  expect(await router.refund()).toEqual({ status: 200, body: { refunded: 10_000 } });
  router.sql(`UPDATE accounts SET balance = 500, refunded = 9500; ${aggregate(null)}`);
  expect(await router.refund()).toEqual({ status: 200, body: { refunded: 500 } });
});

test('another account pays: its money is held, charged and given back, and the key\'s own is not touched', async ({ onTestFinished }) => {
  const { router, terminal } = await createSetting(onTestFinished);
  router.sql("INSERT INTO accounts (id, key_hash, balance) VALUES ('owner', 'x', 500); UPDATE accounts SET payer = 'owner' WHERE id = 'a'");
  const client = await openClient(router.port, 'hx.paid', 'endless');
  await until('an event', () => client.events() > 0);
  expect(router.account('owner')).toMatchObject({ balance: 400, reserved: 100 });
  expect(router.row('hx.paid')).toMatchObject({ account: 'a', payer: 'owner' });
  client.rst();
  await terminal('hx.paid');
  const [{ amount } = { amount: 0 }] = router.charges('hx.paid');
  expect(amount).toBeGreaterThan(0);
  expect(router.account('owner')).toMatchObject({ balance: 500 - amount, reserved: 0, spent: amount });
  expect(router.account()).toMatchObject({ balance: 10_000, reserved: 0, spent: 0 });
  const stale = `${insert('hx.left', Date.now() - 60_000, 'owner')} UPDATE reservations SET account = 'a' WHERE id = 'hx.left';`;
  router.sql(`BEGIN IMMEDIATE; ${stale} COMMIT;`);
  await terminal('hx.left');
  expect(router.account('owner')).toMatchObject({ balance: 500 - amount, reserved: 0 });
  expect(router.account()).toMatchObject({ balance: 10_000, reserved: 0 });
});

test('a live exchange whose row was released meanwhile is stopped and never charged', async ({ onTestFinished }) => {
  const { router, closedUpstream } = await createSetting(onTestFinished);
  const client = await openClient(router.port, 'hx.lost', 'endless');
  await until('an event', () => client.events() > 0);
  router.sql(`BEGIN IMMEDIATE; UPDATE reservations SET state = 'released', reason = 'by-hand' WHERE marker = 'hx.lost';
    UPDATE accounts SET balance = balance + 100, reserved = 0; COMMIT;`);
  await closedUpstream('hx.lost');
  await until('the late settlement', () => router.log().includes('settled-too-late'));
  expect(router.row('hx.lost')).toMatchObject({ state: 'released', reason: 'by-hand' });
  expect(router.charges('hx.lost')).toEqual([]);
  expect(router.account()).toMatchObject({ balance: 10_000, reserved: 0, spent: 0 });
});

test('a charge never exceeds what was reserved and what is left', async ({ onTestFinished }) => {
  const { router, terminal } = await createSetting(onTestFinished, { RESERVE: '1', PRICE_PER_EVENT: '2', PRICE_PER_REQUEST: '5' });
  const client = await openClient(router.port, 'hx.dear', 'finite');
  await until('the end mark', () => client.text().includes('[DONE]'));
  await terminal('hx.dear');
  expect(router.charges('hx.dear').map((charge) => charge.amount)).toEqual([11]);
  router.sql('UPDATE accounts SET balance = 3');
  const second = await openClient(router.port, 'hx.poor', 'finite');
  await until('the end mark', () => second.text().includes('[DONE]'));
  await terminal('hx.poor');
  expect(router.charges('hx.poor').map((charge) => charge.amount)).toEqual([3]);
  expect(router.account()).toMatchObject({ balance: 0, reserved: 0 });
  const third = await openClient(router.port, 'hx.none', 'finite');
  await until('a refusal', () => third.text().startsWith('HTTP/1.1 402'));
  const stranger = await openClient(router.port, 'hx.who', 'finite', { key: 'sk-unknown' });
  await until('a refusal', () => stranger.text().startsWith('HTTP/1.1 401'));
});

test('drain policy: after the leave the upstream is read to its end and charged by its own usage', async ({ onTestFinished }) => {
  const { router, requested, terminal } = await createSetting(onTestFinished, { ON_DISCONNECT: 'drain' });
  const client = await openClient(router.port, 'hx.drain', 'slow-finite');
  await until('an event', () => client.events() > 0);
  client.rst();
  expect(await terminal('hx.drain')).toMatchObject({ state: 'charged', reason: 'client-left' });
  expect(router.charges('hx.drain').map((charge) => charge.amount)).toEqual([10]);
  expect((await requested('hx.drain')).events).toBe(11);
});

test('drain policy: bounded', async ({ onTestFinished }) => {
  const { router, closedUpstream, terminal } = await createSetting(onTestFinished, { ON_DISCONNECT: 'drain', DRAIN_MS: '700' });
  const client = await openClient(router.port, 'hx.bound', 'endless');
  await until('an event', () => client.events() > 0);
  client.rst();
  await closedUpstream('hx.bound');
  expect(await terminal('hx.bound')).toMatchObject({ state: 'charged', reason: 'drain-timeout' });
});

test('neither log nor status holds a key or its hash', async ({ onTestFinished }) => {
  const { router, status } = await createSetting(onTestFinished);
  const client = await openClient(router.port, 'hx.secret', 'endless');
  await until('an event', () => client.events() > 0);
  const text = `${await status('hx.secret')}${router.log()}`;
  expect(text).toContain('"phase":"streaming"');
  expect(text).not.toContain('sk-test');
  expect(text).not.toMatch(/[0-9a-f]{64}/);
  for (const line of router.log().trim().split('\n')) expect(() => JSON.parse(line), line).not.toThrow();
});
