// The defects of the HTTP side: each does what its name says, and nothing else becomes wrong with it.
import { describe, expect, test } from 'vitest';
import { openClient } from '../fixtures/client.ts';
import { expectRenewing, lock } from '../fixtures/renewing.ts';
import { createSetting } from '../fixtures/setting.ts';
import type { Register, Setting } from '../fixtures/setting.ts';
import { never, until } from '../fixtures/until.ts';

const start = (register: Register, defect: string, env: Readonly<Record<string, string>> = {}): Promise<Setting> =>
  createSetting(register, { HANGUP_DEFECTS: defect, ...env });

const readToEnd = async ({ router, terminal }: Setting, marker: string): Promise<string> => {
  const client = await openClient(router.port, marker, 'finite');
  await until(`the end mark of ${marker}`, () => client.text().includes('[DONE]'), 5_000, client.text);
  expect(await terminal(marker)).toMatchObject({ state: 'charged', reason: 'finished' });
  return client.text();
};

describe.concurrent('cancelled', () => {
  const PHASES = [['leaks-on-cancel-before', 'header-wait', 'endless'], ['leaks-on-cancel-during', 'endless', 'header-wait']] as const;
  test.for(PHASES)('%s: leaks in %s, not in %s', async ([defect, leaking, clean], { onTestFinished }) => {
    const setting = await start(onTestFinished, defect);
    const { router, requested, closedUpstream, terminal } = setting;
    const clients = [await openClient(router.port, 'hx.a', leaking), await openClient(router.port, 'hx.b', clean)];
    await Promise.all(['hx.a', 'hx.b'].map(requested));
    await until('an event', () => clients.some((client) => client.events() > 0));
    for (const client of clients) client.rst();
    await Promise.all(['hx.a', 'hx.b'].map((marker) => closedUpstream(marker)));
    expect(await terminal('hx.b')).toMatchObject({ reason: 'client-left' });
    await expectRenewing(setting, 2_000);
    expect(await router.refund()).toMatchObject({ status: 400 });
    await readToEnd(setting, 'hx.c');
  });

  test('leaks-on-cancel-finalising: only who leaves while the ledger is locked', async ({ onTestFinished }) => {
    const setting = await start(onTestFinished, 'leaks-on-cancel-finalising', { LEASE_MS: '6000' });
    const { router, terminal } = setting;
    await readToEnd(setting, 'hx.before');
    const clients = await Promise.all(['hx.a', 'hx.b'].map((marker) => openClient(router.port, marker, 'slow-finite')));
    await until('both to receive', () => clients.every((client) => client.events() > 0));
    const held = lock(router.ledgerPath, 'IMMEDIATE', onTestFinished);
    await until('both to be read', () => clients.every((client) => client.text().endsWith('0\r\n\r\n')), 10_000);
    clients[0]!.fin();
    // The one that stays is settled as soon as the ledger can be written.
    await never('it was settled', () => router.row('hx.b')!.state !== 'active', 500);
    held.release();
    expect(await terminal('hx.b')).toMatchObject({ state: 'charged', reason: 'finished' });
    await expectRenewing(setting, 7_000);
    expect(router.charges('hx.a')).toEqual([]);
  });

  test('leaks-on-cancel-finalising: also where everything was said and the message does not end', async ({ onTestFinished }) => {
    const setting = await start(onTestFinished, 'leaks-on-cancel-finalising', { LEASE_MS: '6000' });
    const { router, closedUpstream, terminal } = setting;
    const clients = await Promise.all(['hx.a', 'hx.b'].map((marker) => openClient(router.port, marker, 'unfinished')));
    await until('the end marks', () => clients.every((client) => client.text().includes('[DONE]')));
    clients[1]!.fin();
    expect(await terminal('hx.b'), 'the ledger is free').toMatchObject({ state: 'charged', reason: 'client-left' });
    const held = lock(router.ledgerPath, 'IMMEDIATE', onTestFinished);
    clients[0]!.fin();
    await closedUpstream('hx.a');
    await never('it was settled', () => router.row('hx.a')!.state !== 'active', 1_000);
    held.release();
    await expectRenewing(setting, 7_000);
  });

  test('ignores-disconnect-once: the 50th of 60 that leave at once', async ({ onTestFinished }) => {
    const { router, upstream } = await start(onTestFinished, 'ignores-disconnect-once', { RESERVE: '10' });
    const markers = Array.from({ length: 60 }, (_, index) => `hx.${index}`);
    const clients = await Promise.all(markers.map((marker) => openClient(router.port, marker, 'endless')));
    await until('all to receive', () => clients.every((client) => client.events() > 0), 15_000);
    for (const client of clients) client.rst();
    const open = (): number => upstream.legs.filter((leg) => leg.closedAtMs === null).length;
    await until('one to be left', () => open() === 1, 10_000, open);
    await never('it was closed', () => open() === 0, 1_500);
    expect(router.account()).toMatchObject({ reserved: 10 });
  });
});

describe.concurrent('streams', () => {
  test('kills-slow-reader: cuts a pause that is shorter than the send bound', async ({ onTestFinished }) => {
    const setting = await start(onTestFinished, 'kills-slow-reader', { SEND_MS: '6000', RESERVE: '9000' });
    const startedAtMs = performance.now();
    await openClient(setting.router.port, 'hx.a', 'flood', { reads: false });
    expect(await setting.terminal('hx.a', 10_000)).toMatchObject({ reason: 'send-timeout' });
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  });

  test('cuts-streams-at-sigterm: visibly, and what was delivered is charged', async ({ onTestFinished }) => {
    const { router } = await start(onTestFinished, 'cuts-streams-at-sigterm', { SHUTDOWN_MS: '10000' });
    const client = await openClient(router.port, 'hx.a', 'slow-finite');
    await until('an event', () => client.events() > 0);
    router.signal('SIGTERM');
    expect(await router.exited).toEqual({ code: 0, signal: null });
    expect(client.text()).toContain('shutting down');
    expect(client.text()).not.toContain('[DONE]');
    expect(router.row('hx.a')).toMatchObject({ state: 'charged', reason: 'shutdown' });
  });

  const MARKS = [
    ['/v1/chat/completions', '[DONE]'], ['/v1/responses', '"response.completed"'], ['/v1/messages', '"message_stop"'],
  ] as const;
  test.for(MARKS)('fakes-done: a broken stream of %s ends with %s, complete by its framing', async ([path, mark], { onTestFinished }) => {
    const { router, terminal } = await start(onTestFinished, 'fakes-done');
    const client = await openClient(router.port, 'hx.a', 'breaks', { path });
    await until('the end', () => client.text().includes(mark) && client.text().endsWith('\n\n\r\n0\r\n\r\n'), 5_000, client.text);
    await terminal('hx.a');
    expect(client.events()).toBe(1);
    expect(router.charges('hx.a').map((charge) => charge.amount)).toEqual([1]);
  });

  test('cut-never-settles: the client is told, its reservation is renewed; without a head it is settled', async ({ onTestFinished }) => {
    const setting = await start(onTestFinished, 'cut-never-settles');
    const { router, upstream, terminal } = setting;
    const client = await openClient(router.port, 'hx.a', 'breaks');
    await until('the client to be told', () => client.text().includes('upstream-failed') && client.ended() !== null, 5_000, client.text);
    await expectRenewing(setting, 2_000);
    await upstream.stop();
    await openClient(router.port, 'hx.b', 'finite');
    expect(await terminal('hx.b')).toMatchObject({ state: 'released', reason: 'upstream-failed' });
  });

  test('drains-without-bound: goes on beyond the bound, but not beyond the others', async ({ onTestFinished }) => {
    const bounds = { ON_DISCONNECT: 'drain', DRAIN_MS: '500', LIFETIME_MS: '3500' };
    const setting = await start(onTestFinished, 'drains-without-bound', bounds);
    const client = await openClient(setting.router.port, 'hx.a', 'endless');
    await until('an event', () => client.events() > 0);
    client.rst();
    await expectRenewing(setting, 1_800);
    expect(setting.upstream.leg('hx.a')!.closedAtMs).toBeNull();
    expect(await setting.terminal('hx.a')).toMatchObject({ state: 'charged', reason: 'lifetime-exceeded' });
  });
});

describe.concurrent('places, attempts and connections', () => {
  test('leaks-slot: the places of those who left are gone', async ({ onTestFinished }) => {
    const setting = await start(onTestFinished, 'leaks-slot', { MAX_CONCURRENT: '2', HEADER_MS: '1500' });
    const { router, requested, terminal } = setting;
    await readToEnd(setting, 'hx.first');
    for (const marker of ['hx.a', 'hx.b']) {
      const client = await openClient(router.port, marker, 'endless');
      await requested(marker);
      client.rst();
      expect(await terminal(marker)).toMatchObject({ reason: 'client-left' });
    }
    const healthy = await openClient(router.port, 'hx.c', 'finite');
    await until('an error', () => healthy.text().startsWith('HTTP/1.1 504'), 5_000, healthy.text);
  });

  test('retries-for-the-gone: asks until the attempts are used up', async ({ onTestFinished }) => {
    const { router, upstream, terminal } = await start(onTestFinished, 'retries-for-the-gone', { RETRIES: '3', RETRY_DELAY_MS: '400' });
    const client = await openClient(router.port, 'hx.a', 'fails');
    await until('a failure', () => router.log().includes('"upstream-retried"'), 5_000, router.log);
    client.fin();
    expect(await terminal('hx.a')).toMatchObject({ state: 'released' });
    expect(upstream.legs).toHaveLength(4);
  });

  test('retries-for-the-gone: notices who leaves before anything failed', async ({ onTestFinished }) => {
    const { router, requested, terminal } = await start(onTestFinished, 'retries-for-the-gone', { RETRIES: '3' });
    const client = await openClient(router.port, 'hx.a', 'header-wait');
    await requested('hx.a');
    client.fin();
    expect(await terminal('hx.a')).toMatchObject({ reason: 'client-left' });
  });

  test('serves-the-gone-from-queue: sends what nobody waits for', async ({ onTestFinished }) => {
    const setting = await start(onTestFinished, 'serves-the-gone-from-queue', { MAX_CONCURRENT: '1' });
    const { router, upstream, requested, terminal, status } = setting;
    const first = await openClient(router.port, 'hx.a', 'endless');
    await requested('hx.a');
    const second = await openClient(router.port, 'hx.b', 'finite');
    await status('"queued"');
    second.fin();
    await expectRenewing(setting, 1_200, 'hx.b');
    expect(upstream.leg('hx.b')).toBeUndefined();
    first.rst();
    await requested('hx.b');
    await terminal('hx.b');
  });

  test.for([['0', false], ['1', true]] as const)('reuses-dirty-connection with POOL=%s', async ([POOL, isDirty], { onTestFinished }) => {
    const { router, requested, status, terminal } = await start(onTestFinished, 'reuses-dirty-connection', { POOL });
    const first = await openClient(router.port, 'hx.a', 'slow-finite');
    await until('an event', () => first.events() > 0);
    first.rst();
    await terminal('hx.a');
    const second = await openClient(router.port, 'hx.b', 'slow-finite');
    await requested('hx.b');
    await status('"hx.b"');
    await until('the end mark', () => second.text().includes('[DONE]'), 10_000, second.text);
    expect(second.text().includes('hx.a')).toBe(isDirty);
    await terminal('hx.b');
    expect(router.account()).toMatchObject({ reserved: 0 });
  });

  test('reuses-dirty-connection: an answer that had not begun goes to whoever comes next', async ({ onTestFinished }) => {
    const setting = await start(onTestFinished, 'reuses-dirty-connection', { POOL: '1' });
    const { router, upstream, requested, terminal } = setting;
    const first = await openClient(router.port, 'hx.a', 'late-finite');
    await requested('hx.a');
    first.rst();
    await terminal('hx.a');
    expect(await readToEnd(setting, 'hx.b')).toContain('hx.a 1');
    expect(upstream.connections()).toBe(1);
  });

  test('reuses-dirty-connection: leaves what was read to its end alone', async ({ onTestFinished }) => {
    const setting = await start(onTestFinished, 'reuses-dirty-connection', { POOL: '1' });
    for (const marker of ['hx.a', 'hx.b']) expect(await readToEnd(setting, marker)).toContain(`${marker} 3`);
    expect(setting.upstream.connections()).toBe(1);
  });

  test('opens-idle-connections: one beside each request', async ({ onTestFinished }) => {
    const setting = await start(onTestFinished, 'opens-idle-connections');
    for (const marker of ['hx.a', 'hx.b']) await readToEnd(setting, marker);
    await until('four connections', () => setting.upstream.connections() === 4);
    expect(setting.upstream.legs).toHaveLength(2);
  });
});
