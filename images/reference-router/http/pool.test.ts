// Connections to the upstream: kept only where asked for, only when the last answer was read to its
// end, and never with anything on them that nobody has asked for.
import { expect, test as plainTest } from 'vitest';
import { openClient } from '../fixtures/client.ts';
import { createSetting } from '../fixtures/setting.ts';
import type { Setting } from '../fixtures/setting.ts';
import type { Kind } from '../fixtures/upstream.ts';
import { until } from '../fixtures/until.ts';

const test = plainTest.concurrent;

const readToEnd = async ({ router, terminal }: Setting, marker: string, kind: Kind = 'finite'): Promise<string> => {
  const client = await openClient(router.port, marker, kind);
  await until(`the end mark of ${marker}`, () => client.text().includes('[DONE]'), 5_000, client.text);
  await terminal(marker);
  return client.text();
};

test('without POOL each request has a connection of its own, closed at its end', async ({ onTestFinished }) => {
  const setting = await createSetting(onTestFinished);
  for (const marker of ['hx.a', 'hx.b']) {
    await readToEnd(setting, marker);
    await setting.closedUpstream(marker);
  }
  expect(setting.upstream.connections()).toBe(2);
});

test('with POOL one request after the other travels on the same', async ({ onTestFinished }) => {
  const setting = await createSetting(onTestFinished, { POOL: '1' });
  for (const marker of ['hx.a', 'hx.b', 'hx.c']) expect(await readToEnd(setting, marker)).toContain(`${marker} 3`);
  expect(setting.upstream.connections()).toBe(1);
  await setting.closedUpstream('hx.c');
});

test.for<[Kind, 'rst' | 'halfClose']>([['endless', 'rst'], ['silent', 'halfClose'], ['header-wait', 'rst'], ['flood', 'rst']])(
  'the connection of %s whose client left by %s is closed, not used again', async ([kind, how], { onTestFinished }) => {
    const setting = await createSetting(onTestFinished, { POOL: '1' });
    const client = await openClient(setting.router.port, 'hx.a', kind);
    await setting.requested('hx.a');
    if (kind !== 'header-wait') await until('an event', () => client.events() > 0);
    client[how]();
    await setting.closedUpstream('hx.a');
    expect(await readToEnd(setting, 'hx.b')).not.toContain('hx.a');
    expect(setting.upstream.connections()).toBe(2);
  });

test('one on which more comes than was asked for is closed', async ({ onTestFinished }) => {
  const setting = await createSetting(onTestFinished, { POOL: '1' });
  await readToEnd(setting, 'hx.a', 'says-more');
  await setting.closedUpstream('hx.a');
  expect(await readToEnd(setting, 'hx.b')).not.toContain('hx.a');
});

test('at most as many are kept as POOL says', async ({ onTestFinished }) => {
  const setting = await createSetting(onTestFinished, { POOL: '1' });
  await Promise.all(['hx.a', 'hx.b', 'hx.c'].map((marker) => readToEnd(setting, marker, 'slow-finite')));
  await until('two of three to be closed', () => setting.upstream.legs.filter((leg) => leg.closedAtMs !== null).length >= 2);
});
