// The clean router does the right thing in every cell of the observed table: real process, real
// sockets, real ledger.
import { readFileSync } from 'node:fs';
import { expect, test as plainTest } from 'vitest';
import { openClient } from './fixtures/client.ts';
import type { TestRouter } from './fixtures/router.ts';
import { createSetting } from './fixtures/setting.ts';
import { never, until } from './fixtures/until.ts';
import type { Kind } from './fixtures/upstream.ts';

// It takes a few milliseconds; the rest is for a machine that is busy with others.
const PROMPT_MS = 1_500;

// They mostly wait, so they wait side by side.
const test = plainTest.concurrent;

const residentBytes = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

const expectConserved = (router: TestRouter): void => {
  const { balance, reserved, spent, refunded } = router.account();
  expect(balance + reserved + spent + refunded).toBe(10_000);
};

test('a finite stream is passed on whole and charged once, by the upstream\'s usage', async ({ onTestFinished }) => {
  const { router, terminal } = await createSetting(onTestFinished);
  const client = await openClient(router.port, 'hx.a', 'finite');
  await until('the end mark', () => client.text().includes('[DONE]') && client.text().endsWith('0\r\n\r\n'));
  const row = await terminal('hx.a');
  expect(row).toMatchObject({ state: 'charged', reason: 'finished' });
  expect(router.charges('hx.a').map((charge) => charge.amount)).toEqual([3]);
  expect(router.account()).toMatchObject({ balance: 9_997, reserved: 0, spent: 3 });
  expect(client.ended(), 'the connection is kept').toBeNull();
});

const BOUND_CASES: readonly [Kind, string, string][] = [
  ['silent', 'READ_MS', 'read-timeout'],
  ['comments', 'PROGRESS_MS', 'progress-timeout'],
  ['endless', 'LIFETIME_MS', 'lifetime-exceeded'],
  ['endless', 'AGE_MS', 'age-exceeded'],
];

test.for(BOUND_CASES)('%s with a short %s ends as %s', async ([kind, variable, reason], { onTestFinished }) => {
  const { router, upstream, terminal, closedUpstream } = await createSetting(onTestFinished, { [variable]: '700' });
  const client = await openClient(router.port, 'hx.b', kind);
  await until('the client to be told', () => client.text().includes(reason) && client.ended() !== null, 5_000, client.text);
  expect(client.text()).not.toContain('[DONE]');
  expect(client.text().endsWith('0\r\n\r\n')).toBe(false);
  await closedUpstream('hx.b');
  const row = await terminal('hx.b');
  expect(row).toMatchObject({ state: 'charged', reason });
  const received = client.events();
  expect(router.charges('hx.b')[0]!.amount).toBeGreaterThanOrEqual(received);
  expect(router.charges('hx.b')[0]!.amount).toBeLessThanOrEqual(upstream.leg('hx.b')!.events);
  await never('the lease moved', () => router.row('hx.b')!.lease_at !== row.lease_at, 700);
  expectConserved(router);
  expect(await router.refund()).toMatchObject({ status: 200 });
});

test('waiting for headers is bounded: an error status, nothing charged', async ({ onTestFinished }) => {
  const { router, terminal, closedUpstream } = await createSetting(onTestFinished, { HEADER_MS: '700' });
  const client = await openClient(router.port, 'hx.c', 'header-wait');
  await until('an answer', () => client.text().startsWith('HTTP/1.1 504') && client.ended() !== null, 5_000, client.text);
  await closedUpstream('hx.c');
  expect(await terminal('hx.c')).toMatchObject({ state: 'released', reason: 'header-timeout' });
  expect(router.charges('hx.c')).toEqual([]);
});

test('a client that never reads is bounded, and so is memory', async ({ onTestFinished }) => {
  const { router, upstream, terminal, closedUpstream } = await createSetting(onTestFinished, { SEND_MS: '1000' });
  await openClient(router.port, 'hx.d', 'flood', { reads: false });
  await closedUpstream('hx.d', 10_000);
  expect(await terminal('hx.d')).toMatchObject({ state: 'charged', reason: 'send-timeout' });
  expect(upstream.leg('hx.d')!.bytes).toBeLessThan(64 * 1_048_576);
  expect(residentBytes(router.pid)).toBeLessThan(200 * 1_048_576);
});

test('a client that pauses within the bound and then reads on is served on', async ({ onTestFinished }) => {
  const { router, upstream, status } = await createSetting(onTestFinished, { SEND_MS: '5000', RESERVE: '9000' });
  const client = await openClient(router.port, 'hx.e', 'flood', { reads: false });
  await status('"blocked"');
  const { bytes } = upstream.leg('hx.e')!;
  client.resume();
  await until('the flood to move again', () => upstream.leg('hx.e')!.bytes > bytes + 8 * 1_048_576, 10_000);
  expect(router.row('hx.e')).toMatchObject({ state: 'active' });
  client.rst();
});

const LEAVES = ['fin', 'rst', 'halfClose'] as const;
const KINDS = ['header-wait', 'silent', 'endless', 'comments', 'flood'] as const;
const LEAVE_CASES = KINDS.flatMap((kind) => LEAVES.map((how) => [kind, how] as const));

test.for(LEAVE_CASES)('%s, client leaves by %s: closed at once, terminal, refundable', async ([kind, how], { onTestFinished }) => {
  const { router, upstream, terminal, requested, closedUpstream, status } = await createSetting(onTestFinished);
  const client = await openClient(router.port, 'hx.f', kind, { reads: kind !== 'flood' });
  await requested('hx.f');
  if (kind === 'flood') await status('"blocked"');
  else if (kind !== 'header-wait') await until('an event', () => client.events() > 0);
  const received = client.events();
  const leftAtMs = performance.now();
  client[how]();
  const closedAtMs = await closedUpstream('hx.f');
  expect(closedAtMs - leftAtMs).toBeLessThan(PROMPT_MS);
  const row = await terminal('hx.f');
  expect(row).toMatchObject({ state: kind === 'header-wait' ? 'released' : 'charged', reason: 'client-left' });
  const charged = router.charges('hx.f').reduce((sum, charge) => sum + charge.amount, 0);
  expect(charged).toBeGreaterThanOrEqual(received);
  expect(charged).toBeLessThanOrEqual(upstream.leg('hx.f')!.events);
  expectConserved(router);
  expect(await router.refund()).toMatchObject({ status: 200, body: { refunded: 10_000 - charged } });
  expect(router.row('hx.f')).toEqual(row);
});

test('a client that leaves in the same breath as it asks is not forwarded for long', async ({ onTestFinished }) => {
  const { router, upstream, terminal } = await createSetting(onTestFinished);
  await openClient(router.port, 'hx.g', 'endless', { finAtOnce: true });
  expect(await terminal('hx.g')).toMatchObject({ reason: 'client-left' });
  await until('nothing open upstream', () => upstream.legs.every((leg) => leg.closedAtMs !== null));
});

test('an upstream that breaks off: client told, delivered charged', async ({ onTestFinished }) => {
  const { router, terminal } = await createSetting(onTestFinished);
  const client = await openClient(router.port, 'hx.h', 'breaks');
  await until('the client to be told', () => client.text().includes('upstream-failed') && client.ended() !== null, 5_000, client.text);
  expect(client.text()).not.toContain('[DONE]');
  expect(await terminal('hx.h')).toMatchObject({ state: 'charged', reason: 'upstream-failed' });
  expect(router.charges('hx.h').map((charge) => charge.amount)).toEqual([1]);
});

test('an upstream that refuses, or is not there: passed on or 502, nothing charged', async ({ onTestFinished }) => {
  const { router, upstream, terminal } = await createSetting(onTestFinished);
  const client = await openClient(router.port, 'hx.i', 'refuses');
  await until('the status', () => client.text().startsWith('HTTP/1.1 429'));
  expect(await terminal('hx.i')).toMatchObject({ state: 'released', reason: 'upstream-refused' });
  await upstream.stop();
  const second = await openClient(router.port, 'hx.j', 'finite');
  await until('the status', () => second.text().startsWith('HTTP/1.1 502'));
  expect(await terminal('hx.j')).toMatchObject({ state: 'released', reason: 'upstream-failed' });
});

test('an answer that is not streamed is charged by its usage', async ({ onTestFinished }) => {
  const { router, terminal } = await createSetting(onTestFinished);
  const client = await openClient(router.port, 'hx.k', 'json', { stream: false });
  await until('the answer', () => client.text().includes('completion_tokens'));
  expect(await terminal('hx.k')).toMatchObject({ state: 'charged', reason: 'finished' });
  expect(router.charges('hx.k').map((charge) => charge.amount)).toEqual([7]);
});

test('a stream longer than the lease is renewed to its end; a refund is refused meanwhile', async ({ onTestFinished }) => {
  const { router, terminal } = await createSetting(onTestFinished, { LEASE_MS: '600', RENEWAL_MS: '200', SWEEP_MS: '200' });
  const client = await openClient(router.port, 'hx.l', 'slow-finite');
  await until('an event', () => client.events() > 0);
  const first = router.row('hx.l')!;
  expect(await router.refund()).toMatchObject({ status: 400, body: { detail: expect.stringContaining('100') } });
  await until('the end mark', () => client.text().includes('[DONE]'));
  const row = await terminal('hx.l');
  expect(row).toMatchObject({ state: 'charged', reason: 'finished', started_at: first.started_at });
  expect(row.lease_at).toBeGreaterThan(first.lease_at + 1_500);
  expect(router.charges('hx.l').map((charge) => charge.amount)).toEqual([10]);
});
